//! Commands printed in messages work as printed, in the same shell.

use crate::common::{Bench, Run};

/// Returns the command in backticks in a hint.
fn command(run: &Run) -> &str {
    run.stderr.split('`').nth(1).unwrap_or_else(|| panic!("no command\n{run}"))
}

#[test]
fn printed_commands_keep_flags_for_profile_and_settings() {
    let bench = Bench::new();
    bench.write("my settings/c.toml", "[profiles.\"my work\"]\nformality = \"prefer_more\"\n");
    let global = ["--config", "my settings/c.toml", "-p", "my work"];
    let run = bench.run(global.iter().chain(&["translate", "--to", "xx", "Hi"])).code(5);
    assert_eq!(command(&run), "tulk --config 'my settings/c.toml' -p 'my work' langs list --target");
    bench.bash(command(&run)).code(0);
    let json = bench.run(global.iter().chain(&["translate", "--to", "xx", "--json", "Hi"])).code(5);
    assert_eq!(command(&json), command(&run));
    let run = bench.run(["translate", "--to", "xx", "Hi"]).code(5);
    assert_eq!(command(&run), "tulk langs list --target", "variables apply to the next command too");
    let run = Bench::bare().run(["--sandbox", "translate", "--to", "xx", "Hi"]).code(5);
    assert_eq!(run.stderr.split('`').nth(1), Some("tulk --sandbox langs list --target"));
}

#[test]
fn printed_commands_for_spoken_terms_work() {
    let bench = Bench::new();
    bench.write("my settings/c.toml", "[profiles.\"my work\"]\n");
    bench.write("my terms.txt", "Ljubljana\n");
    bench.write("twice.txt", "Bled\nBled\nBled\n");
    let global = ["--config", "my settings/c.toml", "-p", "my work"];
    let terms = |args: &[&str]| bench.run([&global[..], &["voice", "terms"], args].concat());
    let id = terms(&["create", "Talk", "en=my terms.txt", "--columns", "spoken_terms_id"]).code(0).out().to_owned();
    let flags = "tulk --config 'my settings/c.toml' -p 'my work' voice terms";
    let unknown = terms(&["show", "Tlak"]).code(4);
    assert_eq!(unknown.stderr.split('`').nth(5), Some(format!("{flags} list").as_str()), "{unknown}");
    let unknown = terms(&["entries", "Talk", "de"]).code(4);
    assert_eq!(command(&unknown), format!("{flags} show {}", id.trim()));
    bench.bash(command(&unknown)).code(0).says_not("error");
    let refused = terms(&["set", "Talk", "en", "twice.txt"]).code(2);
    let lint = refused.stderr.lines().last().unwrap().split('`').nth(1).unwrap().to_owned();
    assert_eq!(lint, format!("{flags} lint twice.txt"), "{refused}");
    bench.bash(&lint).code(1);
}

#[test]
fn a_stopped_translation_prints_the_command_that_resumes_it() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("c.toml", "[profiles.\"my work\"]\n");
    let input: String = (0..200).map(|i| format!("line {i}\n")).collect();
    bench.write("my in.txt", &input);
    let global = ["-p", "my work", "--config", "c.toml"];
    let args = ["translate", "--to", "de", "--lines", "-i", "my in.txt", "-o", "{stem}.{lang}{ext}", "--force"];
    let run = bench.run(global.iter().chain(&args).chain(&["--stats", "--max-characters", "1000"])).code(6);
    let next = command(&run).to_owned();
    assert_eq!(
        next,
        "tulk -p 'my work' --config c.toml translate --to de --lines -i 'my in.txt' -o '{stem}.{lang}{ext}' --stats \
         --max-characters 1000 --resume"
    );
    bench.bash(&next).code(0).says("texts 200");
    assert_eq!(bench.read("my in.de.txt"), input.to_uppercase());
}
