//! Lock files, moved texts, text positions and files from translators take linear time.

use tulk_base::positions::TextPositions;
use tulk_catalogs::exchange::ReturnedFile;
use tulk_sync::digest::TextDigest;
use tulk_sync::lock::Lock;
use tulk_sync::moves::{UnitLocation, find_moves};

use super::{RepeatedPart, all_are_linear, is_linear};

/// Lock files as a hostile project could contain them.
const LOCKS: &[RepeatedPart] = &[
    ("keys", |n| (0..n).map(|n| format!("a.json\tk{n}\tde:t:FQn1YfI:ViwmXJM\n")).collect()),
    ("files", |n| (0..n).map(|n| format!("{n}.json\tk\tde:t:FQn1YfI:ViwmXJM\n")).collect()),
    ("languages", |n| {
        let fields: String = (0..n).map(|n| format!("\tx{n}:t:FQn1YfI:ViwmXJM")).collect();
        format!("a.json\tk{fields}\n")
    }),
    ("a language in each line", |n| (0..n).map(|n| format!("a.json\tk{n}\tx{n}:t:FQn1YfI:ViwmXJM\n")).collect()),
    ("a language of one key in each line", |n| {
        (0..n).map(|n| format!("a.json\tk\tx{n}:t:FQn1YfI:ViwmXJM\n")).collect()
    }),
    ("entries that contradict", |n| {
        (0..n).map(|n| format!("a.json\tk\tde:t:FQn{:04}:ViwmXJM\n", n % 10_000)).collect()
    }),
    ("sides of conflicts", |n| {
        let side = "a.json\tk\tde:t:FQn1YfI:ViwmXJM\n";
        (0..n).map(|_| format!("<<<<<<< a\n{side}|||||||\n{side}=======\n{side}>>>>>>> b\n")).collect()
    }),
    ("no lock", |n| "a.json\tk\tde:t\n".repeat(n)),
    ("a long key", |n| format!("a.json\t{}\tde:t:FQn1YfI:ViwmXJM\n", "k.\\\\".repeat(n))),
];

#[test]
fn a_lock_takes_linear_time() {
    all_are_linear(LOCKS.iter().map(|(what, text)| {
        is_linear(what, text, |text| {
            let mut lock = Lock::parse(text);
            let languages: Vec<String> = lock.languages().map(str::to_owned).collect();
            for language in &languages {
                let Some(number) = lock.language_number(language) else { continue };
                let _ = lock.unit("a.json", "k").map(|unit| unit.entry(number, None, None));
            }
            assert!(lock.write().len() <= text.len());
            lock.remove_languages(&languages);
            assert_eq!(lock.write(), "");
        })
    }));
}

#[test]
fn finding_moved_texts_takes_linear_time() {
    let texts: &[(&str, usize)] = &[("one text", 1), ("a text for each", usize::MAX), ("few texts", 7)];
    all_are_linear(texts.iter().map(|(what, texts)| {
        let units = |n: usize, name: &str| -> Vec<_> {
            let place = |n| UnitLocation { file: "a.json".to_owned(), key: format!("{name}{n}") };
            (0..n).map(|n| (place(n), vec![TextDigest::of_text(&(n % texts).to_string())])).collect()
        };
        is_linear(what, |n| (units(n, "old"), units(n, "new")), |(gone, new)| drop(find_moves(gone, new)))
    }));
}

#[test]
fn text_positions_take_linear_time() {
    let texts: &[RepeatedPart] =
        &[("lines", |n| "äx\n".repeat(n)), ("one line", |n| "äxy".repeat(n)), ("empty lines", |n| "\n".repeat(n))];
    all_are_linear(texts.iter().map(|(what, text)| {
        is_linear(what, text, |text| {
            let places = TextPositions::new("f", text);
            assert!((0..text.len()).rev().all(|at| places.origin(at).line > 0));
        })
    }));
}

#[test]
fn returned_files_take_linear_time() {
    let po = |n: usize, entry: fn(usize) -> String| (0..n).map(entry).collect::<String>();
    let files: &[(&str, &dyn Fn(usize) -> String)] = &[
        ("po", &|n| po(n, |n| format!("#: f {n}\nmsgctxt \"k{n}\"\nmsgid \"x\"\nmsgstr \"y\"\n\n"))),
        ("po with one key", &|n| po(n, |_| "msgctxt \"f|k\"\nmsgid \"x\"\nmsgstr \"y\"\n\n".to_owned())),
        ("xliff", &|n| {
            let unit = |n| format!("<trans-unit id=\"k{n}\"><source>x</source><target>y</target></trans-unit>\n");
            let units: String = (0..n).map(unit).collect();
            format!(
                "<xliff version=\"1.2\"><file original=\"f\" source-language=\"en\"><body>{units}</body></file></xliff>"
            )
        }),
        ("csv", &|n| ["file,key,source,target\n", &"f,k,x,y\n".repeat(n)].concat()),
    ];
    all_are_linear(
        files.iter().map(|(what, text)| is_linear(what, text, |text| drop(ReturnedFile::read(text.as_bytes())))),
    );
}
