//! Screens of help: the overview, a command, a group, the options of every command.

use super::check;
use crate::common::Bench;

#[test]
fn overview() {
    check(&Bench::bare(), "help-overview", &["tulk"]);
}

#[test]
fn help_of_a_command() {
    check(&Bench::bare(), "help-translate", &["tulk translate -h"]);
}

#[test]
fn help_of_a_group() {
    check(&Bench::bare(), "help-glossary", &["tulk glossary -h", "tulk glossary create -h"]);
}

#[test]
fn help_topics() {
    check(&Bench::bare(), "help-topics", &["tulk help options", "tulk help exit-codes"]);
}
