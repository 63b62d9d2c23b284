//! `tulk sync` with PO files: fuzzy entries, templates.

use super::{project_of, texts, tulk};

const CONFIG: &str = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n[[sync.files]]\nsource = \"app.pot\"\ntarget = \"{lang}.po\"\n";
const POT: &str = "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n\
                   msgid \"Open\"\nmsgstr \"\"\n\nmsgid \"Unlock\"\nmsgstr \"\"\n";

#[test]
fn the_lock_decides_who_owns_a_fuzzy_entry() {
    let person = POT.replace("\"Open\"\nmsgstr \"\"", "\"Open\"\nmsgstr \"UNLOCK\"");
    let bench = project_of(CONFIG, &[("app.pot", POT), ("de.po", &person)]);
    tulk(&bench, "sync").code(0);
    assert_eq!(texts(&bench, 0), [("DE".to_owned(), "Unlock".to_owned())]);
    // The same text is by a person in one entry and by tulk in the other.
    let synced = bench.read("de.po");
    bench.write("de.po", synced.replace("msgid \"Open\"", "#, fuzzy\nmsgid \"Open\""));
    tulk(&bench, "sync --check --columns key,state").code(1).prints("Open\treview\n");
    bench.write("de.po", synced.replace("msgid \"Unlock\"", "#, fuzzy\nmsgid \"Unlock\""));
    tulk(&bench, "sync --check --columns key,state").code(1).prints("Unlock\tstale\n");
    // A fuzzy guess in a new entry is not attributed to tulk if a person has also written this text.
    let guess = |key: &str, text: &str| format!("\n#, fuzzy\nmsgid \"{key}\"\nmsgstr \"{text}\"\n");
    bench.write("app.pot", POT.to_owned() + "\nmsgid \"Undo\"\nmsgstr \"\"\n");
    bench.write("de.po", synced.clone() + &guess("Undo", "UNLOCK"));
    tulk(&bench, "sync --check --columns key,state").code(1).prints("Undo\treview\n");
    // If only tulk has written this text, the guess is replaced with a translation.
    let bench = project_of(CONFIG, &[("app.pot", POT)]);
    tulk(&bench, "sync").code(0);
    bench.write("app.pot", POT.to_owned() + "\nmsgid \"Undo\"\nmsgstr \"\"\n");
    bench.write("de.po", bench.read("de.po") + &guess("Undo", "UNLOCK"));
    tulk(&bench, "sync --check --columns key,state").code(1).prints("Undo\tstale\n");
    tulk(&bench, "sync").code(0);
    assert!(bench.read("de.po").ends_with("\nmsgid \"Undo\"\nmsgstr \"UNDO\"\n"));
}

/// A French file, as translators keep it, without a template beside it.
const FRENCH: &str = "# Jeanne, 2024\nmsgid \"\"\nmsgstr \"\"\n\"Language: fr\\n\"\n\"Last-Translator: Jeanne <j@example.com>\\n\"\n\
    \"Language-Team: French <fr@example.com>\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\
    \"Plural-Forms: nplurals=2; plural=(n > 1);\\n\"\n\n#: a.c:1\nmsgid \"Open\"\nmsgstr \"Ouvrir\"\n\n\
    #, fuzzy\nmsgid \"Unlock\"\nmsgstr \"Verrouiller\"\n\n\
    msgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"%d fichier\"\nmsgstr[1] \"%d fichiers\"\n";

/// A Polish file with all entries of the French one, completely translated.
const POLISH: &str = "\"Language: pl\\n\"\n\"Last-Translator: Automatically generated\\n\"\n\
    \"Language-Team: none\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\
    \"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 \"\n\"|| n%100>=20) ? 1 : 2);\\n\"\n\"MIME-Version: 1.0\\n\"\n\
    \"Content-Transfer-Encoding: 8bit\\n\"\n\n#: a.c:1\nmsgid \"Open\"\nmsgstr \"OPEN\"\n\nmsgid \"Unlock\"\nmsgstr \"UNLOCK\"\n\n\
    msgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"%d FILE\"\nmsgstr[1] \"%d FILES\"\nmsgstr[2] \"%d FILES\"\n";

#[test]
fn a_missing_file_is_created_from_another_language() {
    let config =
        "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"fr\", \"pl\"]\n\n[[sync.files]]\ntarget = \"po/{lang}.po\"\n";
    let bench = project_of(config, &[("po/fr.po", FRENCH)]);
    let columns = "sync status --columns target_lang,units,missing,review";
    tulk(&bench, columns).code(0).prints("fr\t3\t0\t1\npl\t3\t3\t0\n");
    tulk(&bench, "sync --check --columns key,target_lang,state")
        .code(1)
        .prints("Unlock\tfr\treview\nOpen\tpl\tmissing\nUnlock\tpl\tmissing\n%d file\tpl\tmissing\n");
    tulk(&bench, "sync -n --columns target_lang,state,units").code(0).prints("pl\tmissing\t3\n");
    tulk(&bench, "sync --columns target_lang,state,units").code(0).prints("pl\tmissing\t3\n");
    assert_eq!(bench.read("po/fr.po"), FRENCH);
    assert_eq!(bench.read("po/pl.po"), format!("# Jeanne, 2024\nmsgid \"\"\nmsgstr \"\"\n{POLISH}"));
    tulk(&bench, "sync").code(0).says("nothing to translate\n");
    // The file of the source language takes precedence.
    let bench = project_of(config, &[("po/fr.po", FRENCH), ("po/en.po", POT)]);
    tulk(&bench, "sync --columns target_lang,state,units").code(0).prints("pl\tmissing\t2\n");
    assert!(!bench.read("po/pl.po").contains("Jeanne"));
}

#[test]
fn a_new_file_has_the_plural_forms_of_its_language() {
    let config = CONFIG.replace("\"de\"", "\"pl\"").replace("app.pot", "en.po");
    let english = FRENCH.replace(": fr\\n", ": en\\n").replace("n > 1", "n != 1");
    for source in [english.clone(), english.replace("\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n", "")] {
        let bench = project_of(&config, &[("en.po", &source)]);
        tulk(&bench, "sync").code(0);
        let polish = bench.read("pl.po");
        assert!(polish.contains("nplurals=3;"), "{polish}");
        assert!(polish.ends_with("\nmsgstr[1] \"%d FILES\"\nmsgstr[2] \"%d FILES\"\n"), "{polish}");
        tulk(&bench, "sync --check").code(0);
    }
}
