//! `tulk sync` with PO files: fuzzy entries, templates.

use super::{project_of, texts, tulk};

const CONFIG: &str = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n[[sync.files]]\nsource = \"app.pot\"\ntarget = \"{lang}.po\"\n";
const POT: &str = "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n\
                   msgid \"Open\"\nmsgstr \"\"\n\nmsgid \"Unlock\"\nmsgstr \"\"\n";

#[test]
fn whose_a_fuzzy_entry_is_says_the_lock() {
    let person = POT.replace("\"Open\"\nmsgstr \"\"", "\"Open\"\nmsgstr \"UNLOCK\"");
    let bench = project_of(CONFIG, &[("app.pot", POT), ("de.po", &person)]);
    tulk(&bench, "sync").code(0);
    assert_eq!(texts(&bench, 0), [("DE".to_owned(), "Unlock".to_owned())]);
    // The same text is a person's in one entry and tulk's in the other.
    let synced = bench.read("de.po");
    bench.write("de.po", synced.replace("msgid \"Open\"", "#, fuzzy\nmsgid \"Open\""));
    tulk(&bench, "sync --check --columns key,state").code(1).prints("Open\treview\n");
    bench.write("de.po", synced.replace("msgid \"Unlock\"", "#, fuzzy\nmsgid \"Unlock\""));
    tulk(&bench, "sync --check --columns key,state").code(1).prints("Unlock\tstale\n");
    // A new entry with a guess: nobody knows whose it is, as a person has written the text too.
    let guess = |key: &str, text: &str| format!("\n#, fuzzy\nmsgid \"{key}\"\nmsgstr \"{text}\"\n");
    bench.write("app.pot", POT.to_owned() + "\nmsgid \"Undo\"\nmsgstr \"\"\n");
    bench.write("de.po", synced.clone() + &guess("Undo", "UNLOCK"));
    tulk(&bench, "sync --check --columns key,state").code(1).prints("Undo\treview\n");
    // A guess from what only tulk has written is translated.
    let bench = project_of(CONFIG, &[("app.pot", POT)]);
    tulk(&bench, "sync").code(0);
    bench.write("app.pot", POT.to_owned() + "\nmsgid \"Undo\"\nmsgstr \"\"\n");
    bench.write("de.po", bench.read("de.po") + &guess("Undo", "UNLOCK"));
    tulk(&bench, "sync --check --columns key,state").code(1).prints("Undo\tstale\n");
    tulk(&bench, "sync").code(0);
    assert!(bench.read("de.po").ends_with("\nmsgid \"Undo\"\nmsgstr \"UNDO\"\n"));
}
