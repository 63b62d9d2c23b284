//! Measures complete processes against their budgets and prints a table.
//!
//! Run `cargo bench --bench budgets`, optionally with the names of subjects to measure. Options:
//!
//! ```text
//! --list          print the subjects
//! --markdown      print the table in Markdown
//! --page          also write the table to docs/performance.md; subjects that are not measured keep their rows
//! --quick         measure fewer rounds, for a first look
//! --program FILE  measure another build of tulk
//! ```
//!
//! Most budgets are ratios, for example of two processes that ran in alternation, or amounts that hardly depend on the
//! machine. Linux only: memory is read from /proc.

#![allow(missing_docs, clippy::cast_precision_loss, clippy::expect_used, clippy::unwrap_used, clippy::panic)] // a program whose figures are only printed

mod cache;
mod correct_catalogs;
mod documents;
mod formats;
mod glossary;
mod growth;
mod inputs;
mod lines;
mod memory;
mod one_shot;
mod page;
mod process;
mod project;
mod setup;
mod start_up;
mod stub;
mod sync;
mod table;
mod voice;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use setup::Setup;
use table::{Figure, Layout};

struct Subject {
    name: &'static str,
    measure: fn(&Setup) -> Vec<Figure>,
}

const SUBJECTS: &[Subject] = &[
    Subject { name: "start-up", measure: start_up::measure },
    Subject { name: "one-shot", measure: one_shot::measure },
    Subject { name: "lines", measure: lines::measure },
    Subject { name: "memory", measure: memory::measure },
    Subject { name: "growth", measure: growth::measure },
    Subject { name: "documents", measure: documents::measure },
    Subject { name: "formats", measure: formats::measure },
    Subject { name: "glossary", measure: glossary::measure },
    Subject { name: "voice", measure: voice::measure },
    Subject { name: "cache", measure: cache::measure },
    Subject { name: "sync", measure: sync::measure },
];

fn main() -> ExitCode {
    let (mut layout, mut setup, mut names, mut to_page) = (Layout::Plain, Setup::new(), Vec::new(), false);
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.peek().is_none() {
        print_line("nothing is measured by `cargo test --benches`; use `cargo bench`");
        return ExitCode::SUCCESS;
    }
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => {} // from cargo
            "--markdown" => layout = Layout::Markdown,
            "--page" => to_page = true,
            "--quick" => setup.be_quick(),
            "--program" => match arguments.next().filter(|file| Path::new(file).is_file()) {
                Some(file) => setup.set_program(file.as_ref()),
                None => return usage_error("--program needs a file that exists"),
            },
            "--list" => {
                for subject in SUBJECTS {
                    print_line(subject.name);
                }
                return ExitCode::SUCCESS;
            }
            name if SUBJECTS.iter().any(|subject| subject.name == name) => names.push(argument),
            other => return usage_error(&format!("unknown subject or option `{other}`; --list prints the subjects")),
        }
    }
    let mut figures = Vec::new();
    for subject in SUBJECTS.iter().filter(|s| names.is_empty() || names.iter().any(|name| name == s.name)) {
        let _ = writeln!(std::io::stderr(), "measuring {}", subject.name);
        figures.extend((subject.measure)(&setup).into_iter().map(|figure| (subject.name, figure)));
    }
    print_line(table::render(&figures, layout).trim_end());
    if to_page {
        let subjects: Vec<&str> = SUBJECTS.iter().map(|subject| subject.name).collect();
        page::update(&table::render(&figures, Layout::Markdown), &subjects);
    }
    ExitCode::SUCCESS
}

fn usage_error(problem: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "error: {problem}");
    ExitCode::from(2)
}

fn print_line(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
