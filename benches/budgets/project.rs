//! Projects for `tulk sync`, most of them with a flat JSON source of any number of units.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::setup::Setup;
use super::stub::Stub;

pub const LANGS: [&str; 10] = ["de", "fr", "es", "it", "nl", "pl", "pt-PT", "sv", "da", "cs"];

pub struct Project {
    pub dir: PathBuf,
}

impl Project {
    /// Writes a project file with these languages. `rule` is the text after the first `[[sync.files]]`.
    pub fn new(setup: &Setup, name: &str, langs: &[&str], rule: &str) -> Self {
        let dir = setup.dir().join(name);
        let langs: Vec<String> = langs.iter().map(|lang| format!("\"{lang}\"")).collect();
        let settings =
            format!("[sync]\nsource_lang = \"en\"\ntarget_langs = [{}]\n\n[[sync.files]]\n{rule}\n", langs.join(", "));
        write(&dir.join("tulk.toml"), &settings);
        Self { dir }
    }

    /// The source has `units` units with distinct texts.
    pub fn flat(setup: &Setup, name: &str, langs: &[&str], units: usize) -> Self {
        let rule = "source = \"locales/en.json\"\ntarget = \"locales/{lang}.json\"";
        let project = Self::new(setup, name, langs, rule);
        let units = (0..units).map(|number| (key(number), format!("This is text number {number} of a longer program")));
        write_flat(&project.source(), units);
        project
    }

    /// Source of a flat project.
    pub fn source(&self) -> PathBuf {
        self.dir.join("locales/en.json")
    }

    pub fn sync(&self, setup: &Setup, stub: &Stub, flags: &[&str]) -> Command {
        let mut command = setup.tulk(&stub.url(), &["sync", "-q"]);
        command.args(flags).current_dir(&self.dir);
        command
    }

    pub fn size(&self, path: &str) -> f64 {
        std::fs::metadata(self.dir.join(path)).expect("a file").len() as f64
    }
}

pub fn key(number: usize) -> String {
    format!("page_{}.text_{number}", number / 100)
}

pub fn write_flat(path: &Path, units: impl Iterator<Item = (String, String)>) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    for (number, (key, text)) in units.enumerate() {
        let before = if number == 0 { "{" } else { "," };
        write!(file, "{before}\n  \"{key}\": \"{text}\"").expect("a unit");
    }
    file.write_all(b"\n}\n").expect("the end");
    file.flush().expect("a file");
}

pub fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}
