//! What must be sent so that a style rule list matches a file: as little as possible, and nothing if it does already.
//!
//! Pure: the caller reads the list, sends the steps, prints them.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::file::{Entry, StyleFile};
use crate::api::language_code::LangCode;
use crate::api::style::{
    ConfiguredRules, CreateCustomInstruction, CreateStyleRule, CustomInstruction, DeleteCustomInstruction,
    InstructionText, RenameStyleRule, ReplaceConfiguredRules, ReplaceCustomInstruction, StyleRule,
};
use crate::error::Failure;

/// One request.
#[derive(Clone, Debug)]
pub enum Step {
    /// Make the list with all that is in it.
    Create(CreateStyleRule),
    /// Give it its name.
    Rename(RenameStyleRule),
    /// Give it its rules.
    Rules(ReplaceConfiguredRules),
    /// Remove an instruction; the label is for people.
    Remove(DeleteCustomInstruction, String),
    /// Change an instruction.
    Edit(ReplaceCustomInstruction),
    /// Add an instruction.
    Add(CreateCustomInstruction),
}

/// A step as it is printed.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct StepRow {
    /// The list; empty for one that is not made yet.
    pub style_id: String,
    /// `create`, `rename`, `set`, `remove`, `edit` or `add`.
    pub action: String,
    /// `list`, `rules` or `instruction`.
    pub object: String,
    /// The name of the list, or the label of the instruction.
    pub name: String,
    /// The instruction, if it exists.
    pub instruction_id: String,
}

impl Step {
    /// The step as it is printed.
    pub fn row(&self) -> StepRow {
        let row = |style_id: &str, action: &str, object: &str, name: &str, instruction_id: &str| StepRow {
            style_id: style_id.to_owned(),
            action: action.to_owned(),
            object: object.to_owned(),
            name: name.to_owned(),
            instruction_id: instruction_id.to_owned(),
        };
        match self {
            Self::Create(r) => row("", "create", "list", &r.name, ""),
            Self::Rename(r) => row(&r.style_id, "rename", "list", &r.name, ""),
            Self::Rules(r) => row(&r.style_id, "set", "rules", "", ""),
            Self::Remove(r, label) => row(&r.style_id, "remove", "instruction", label, &r.instruction_id),
            Self::Edit(r) => row(&r.style_id, "edit", "instruction", &r.text.label, &r.instruction_id),
            Self::Add(r) => row(&r.style_id, "add", "instruction", &r.text.label, ""),
        }
    }
}

/// The steps from what the service has to what the file says. `list` is the full view, or nothing.
///
/// Removals come first, so that a full list has room. Refuses another language, which no request can change.
pub fn plan(file: &StyleFile, list: Option<&StyleRule>) -> Result<Vec<Step>, Failure> {
    let Some(list) = list else { return Ok(vec![Step::Create(create(file)?)]) };
    if let Some(language) = &file.language
        && !language.bcp47().eq_ignore_ascii_case(&list.language)
    {
        return Err(Failure::usage(format!(
            "the file says language {language}, the style rule list `{}` is in {}",
            list.name, list.language
        ))
        .hint("a list keeps its language: give the file another name and no style_id to make a new one"));
    }
    let style_id = &list.style_id;
    let mut steps = Vec::new();
    if let Some(name) = file.name.as_ref().filter(|name| **name != list.name) {
        steps.push(Step::Rename(RenameStyleRule { style_id: style_id.clone(), name: name.clone() }));
    }
    let rules = list.configured_rules.clone().unwrap_or_default();
    if !same_rules(&file.configured_rules, &rules) {
        let rules = file.configured_rules.clone();
        steps.push(Step::Rules(ReplaceConfiguredRules { style_id: style_id.clone(), rules }));
    }
    instructions(&mut steps, file, list)?;
    Ok(steps)
}

fn create(file: &StyleFile) -> Result<CreateStyleRule, Failure> {
    let name = file.name.clone().ok_or_else(|| Failure::usage("the file has neither style_id nor name"))?;
    let language = file.language.clone().ok_or_else(|| {
        Failure::usage(format!("there is no style rule list `{name}`, and the file names no language to make it in"))
            .hint("add a line such as language = \"en\"")
    })?;
    let texts: Vec<_> = file.custom_instructions.iter().map(|entry| entry.text.clone()).collect();
    Ok(CreateStyleRule {
        name,
        language,
        configured_rules: Some(file.configured_rules.clone()).filter(|rules| !rules.is_empty()),
        custom_instructions: Some(texts).filter(|texts| !texts.is_empty()),
    })
}

/// Whether two sets of rules mean the same: a category without rules means nothing.
fn same_rules(a: &ConfiguredRules, b: &ConfiguredRules) -> bool {
    let full = |rules: &ConfiguredRules| {
        let mut rules = rules.clone();
        rules.retain(|_, inner| inner.as_object().is_none_or(|inner| !inner.is_empty()));
        rules
    };
    full(a) == full(b)
}

fn instructions(steps: &mut Vec<Step>, file: &StyleFile, list: &StyleRule) -> Result<(), Failure> {
    let style_id = &list.style_id;
    let pairs = pairs(file, list)?;
    let used: HashSet<usize> = pairs.iter().flatten().copied().collect();
    for (_, old) in list.instructions().iter().enumerate().filter(|(at, _)| !used.contains(at)) {
        let request = DeleteCustomInstruction { style_id: style_id.clone(), instruction_id: old.id.clone() };
        steps.push(Step::Remove(request, old.label.clone()));
    }
    let mut added = Vec::new();
    for (entry, pair) in file.custom_instructions.iter().zip(pairs) {
        match pair.and_then(|at| list.instructions().get(at)) {
            Some(old) if says(old, &entry.text, &list.language) => {}
            Some(old) => steps.push(Step::Edit(ReplaceCustomInstruction {
                style_id: style_id.clone(),
                instruction_id: old.id.clone(),
                text: entry.text.clone(),
            })),
            None => {
                added.push(Step::Add(CreateCustomInstruction { style_id: style_id.clone(), text: entry.text.clone() }));
            }
        }
    }
    steps.extend(added);
    Ok(())
}

/// A way to tell that an instruction of the file is about one on the service.
type Way<'a> = &'a dyn Fn(&Entry, &CustomInstruction) -> bool;

/// For each instruction of the file the one on the service that it is about: by id, else the equal one, else by label.
fn pairs(file: &StyleFile, list: &StyleRule) -> Result<Vec<Option<usize>>, Failure> {
    let mut pairs: Vec<Option<usize>> = vec![None; file.custom_instructions.len()];
    let mut used = HashSet::new();
    let by_id =
        |entry: &Entry, old: &CustomInstruction| entry.id.as_ref().is_some_and(|id| id.eq_ignore_ascii_case(&old.id));
    let equal = |entry: &Entry, old: &CustomInstruction| says(old, &entry.text, &list.language);
    let by_label = |entry: &Entry, old: &CustomInstruction| entry.text.label == old.label;
    let ways: [Way; 3] = [&by_id, &equal, &by_label];
    for (number, fits) in ways.iter().enumerate() {
        for (entry, pair) in file.custom_instructions.iter().zip(&mut pairs).filter(|(_, pair)| pair.is_none()) {
            let found =
                list.instructions().iter().enumerate().position(|(at, old)| fits(entry, old) && !used.contains(&at));
            let Some(at) = found else {
                let twice = number == 0 && list.instructions().iter().any(|old| fits(entry, old));
                if twice {
                    let id = entry.id.as_deref().unwrap_or_default();
                    return Err(Failure::usage(format!("the file names the instruction {id} twice")));
                }
                continue;
            };
            used.insert(at);
            *pair = Some(at);
        }
    }
    Ok(pairs)
}

/// Whether an instruction says what a text says. A missing source language may come back as the list's own.
fn says(old: &CustomInstruction, text: &InstructionText, language: &str) -> bool {
    let same = match (&text.source_language, &old.source_language) {
        (None, None) => true,
        (None, Some(old)) => old.eq_ignore_ascii_case(language),
        (Some(new), Some(old)) => old.parse::<LangCode>().is_ok_and(|old| old == *new),
        (Some(_), None) => false,
    };
    same && old.label == text.label && old.prompt == text.prompt
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"{"style_id":"s","name":"Shop","language":"en","version":1,
        "configured_rules":{"punctuation":{"serial_comma":"use"}},
        "custom_instructions":[{"id":"i1","label":"voice","prompt":"be kind","source_language":"en"},
                               {"id":"i2","label":"voice","prompt":"be brief"},
                               {"id":"i3","label":"old","prompt":"gone"}]}"#;

    const SAME: &str = "name = 'Shop'\nlanguage = 'en'\n[configured_rules.punctuation]\nserial_comma = 'use'\n\
        [[custom_instructions]]\nlabel = 'voice'\nprompt = 'be brief'\n\
        [[custom_instructions]]\nlabel = 'voice'\nprompt = 'be kind'\n\
        [[custom_instructions]]\nid = 'i3'\nlabel = 'old'\nprompt = 'gone'\n";

    fn steps(text: &str) -> Vec<String> {
        let list: StyleRule = serde_json::from_str(LIST).unwrap();
        let file = StyleFile::parse("f", text, true).unwrap();
        let rows = plan(&file, Some(&list)).unwrap().into_iter().map(|s| s.row());
        rows.map(|r| format!("{} {} {} {}", r.action, r.object, r.name, r.instruction_id).trim_end().to_owned())
            .collect()
    }

    #[test]
    fn nothing_is_sent_for_the_same_list_in_another_order() {
        assert_eq!(steps(SAME), [""; 0]);
    }

    #[test]
    fn each_difference_is_one_request() {
        assert_eq!(steps(&SAME.replace("'Shop'", "'Store'")), ["rename list Store"]);
        assert_eq!(steps(&SAME.replace("= 'use'", "= 'do_not_use'")), ["set rules"]);
        assert_eq!(steps(&SAME.replace("'gone'", "'back'")), ["edit instruction old i3"]);
        assert_eq!(steps(&SAME.replace("label = 'old'", "label = 'new'")), ["edit instruction new i3"]);
        assert_eq!(steps(&SAME.replace("'be kind'", "'be nice'")), ["edit instruction voice i1"]);
        let other = SAME.replace("id = 'i3'\nlabel = 'old'", "label = 'new'");
        assert_eq!(steps(&other), ["remove instruction old i3", "add instruction new"]);
    }

    #[test]
    fn a_file_without_rules_and_instructions_clears_them() {
        assert_eq!(
            steps("style_id = 's'\n"),
            ["set rules", "remove instruction voice i1", "remove instruction voice i2", "remove instruction old i3"]
        );
    }

    #[test]
    fn another_language_is_refused() {
        let list: StyleRule = serde_json::from_str(LIST).unwrap();
        let file = StyleFile::parse("f", &SAME.replace("'en'", "'de'"), true).unwrap();
        assert!(plan(&file, Some(&list)).unwrap_err().what.contains("language de"));
        let file = StyleFile::parse("f", "name = 'New'\n", true).unwrap();
        assert!(plan(&file, None).unwrap_err().what.contains("names no language"));
    }
}
