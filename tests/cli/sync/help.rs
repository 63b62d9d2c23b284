//! `tulk sync --help` explains the project file.

use super::tulk;
use crate::common::Bench;

#[test]
fn the_example_project_file_is_valid_and_has_every_setting() {
    let bench = Bench::bare();
    let help = tulk(&bench, "sync --help").code(0);
    let help = help.out();
    let start = help.find("\n  [sync]\n").unwrap();
    let end = start + help[start..].find("\n\nOnly").unwrap();
    let config: String = help[start..end].lines().map(|line| format!("{}\n", line.trim_start())).collect();
    assert_eq!(bench.run(["help", "sync"]).out(), help);
    assert!(help.lines().all(|line| !line.starts_with("  [") || line.len() <= 72), "{help}");
    bench.write("tulk.toml", &config);
    bench.write("locales/en/app/a.json", "{\"cart\": {\"add\": \"Add\"}, \"debug\": {\"x\": \"Not sent\"}}\n");
    let rows = tulk(&bench, "sync -n").code(0);
    let row = |lang: &str| {
        format!("locales/en/app/a.json\t{lang}\tmissing\t1\t3\t1\nlocales/en/app/a.json\t{lang}\tskipped\t1\t0\t0\n")
    };
    rows.prints([row("de"), row("pt-BR")].concat());
    // A wrong setting lists the valid ones, and the help has all of them.
    for (header, table) in
        [("[sync]\n", "sync.qqq"), ("[[sync.files]]", "sync.files.qqq"), ("[sync.langs.pt-BR]", "sync.langs.pt-BR.qqq")]
    {
        let at = config.find(header).unwrap();
        let line = at + config[at..].find('\n').unwrap() + 1;
        bench.write("tulk.toml", format!("{}qqq = 1\n{}", &config[..line], &config[line..]));
        let refused = tulk(&bench, "sync -n").code(2).says(&format!("unknown setting `{table}`"));
        let (_, settings) = refused.stderr.split_once("valid settings: ").unwrap();
        for setting in settings.trim().split(", ") {
            assert!(help.contains(setting), "{setting}\n{help}");
        }
    }
}

#[test]
fn the_help_names_the_formats_of_a_check() {
    let bench = Bench::bare();
    tulk(&bench, "sync init").code(2).says("write tulk.toml by hand: `tulk help sync`");
    let help = tulk(&bench, "sync --help").code(0);
    let words = help.out().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("tsv, text, github"), "{help}");
}
