//! Screens of completion: what the Tab key offers in bash.

use super::tmux::Terminal;
use super::{WIDTHS, compare, section};
use crate::common::tools::has;
use crate::common::{Bench, wait_until};

#[test]
fn what_tab_offers() {
    if !has("tmux") {
        return;
    }
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    bench.write("terms.tsv", "kettle\tWasserkocher\n");
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=terms.tsv"]).code(0);
    bench.run(["glossary", "list"]).code(0);
    let script = bench.run(["completions", "bash"]).code(0);
    bench.write("tulk.bash", script.stdout);
    let start = "PS1='$ '; source tulk.bash; bind 'set bell-style none'; bind 'set page-completions off'";
    bench.write("bashrc", start);
    let mut screens = String::new();
    for width in WIDTHS {
        let terminal =
            Terminal::start(&bench, &format!("tab-{width}"), (width, 60), "exec bash --noprofile --rcfile bashrc -i");
        let prompts = || terminal.capture(false).lines().filter(|line| line.trim_end() == "$").count();
        wait_until("the prompt", || prompts() > 0);
        for (typed, offered) in
            [("tulk ", "completions"), ("tulk glossary show ", "Kitchen"), ("tulk translate --to e", "en-US")]
        {
            terminal.press(&[typed, "Tab", "Tab"]);
            terminal.wait_for(offered);
            let before = prompts();
            terminal.press(&["C-u", "Enter"]);
            wait_until("the next prompt", || prompts() >= before + 2); // and the emptied line
        }
        terminal.settle();
        screens.push_str(&section(&format!("{width} columns"), &terminal));
    }
    compare("completion", &screens);
}
