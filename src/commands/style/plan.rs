//! Plans the requests with which `apply` makes a style rule list match a file: as few as possible, none if it already
//! does.
//!
//! Performs no I/O: the caller reads the list, prints the steps and sends them.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::style::{
    ConfiguredRules, CreateCustomInstruction, CreateStyleRule, CustomInstruction, DeleteCustomInstruction,
    InstructionText, RenameStyleRule, ReplaceConfiguredRules, ReplaceCustomInstruction, StyleRule,
};

use super::file::{FileInstruction, StyleListFile};
use super::lists::rule_options;
use crate::output::{Column, Row};
use crate::reports::plan;

/// One request of a plan.
#[derive(Clone, Debug)]
pub enum StylePlanStep {
    CreateList(CreateStyleRule),
    RenameList(RenameStyleRule),
    /// Replaces the rules of the list. The strings name the rules that this removes.
    SetRules(ReplaceConfiguredRules, Vec<String>),
    /// Removes an instruction. The string is its label, for the row.
    RemoveInstruction(DeleteCustomInstruction, String),
    EditInstruction(ReplaceCustomInstruction),
    AddInstruction(CreateCustomInstruction),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct StylePlanRow {
    pub style_id: Option<String>,
    /// `create`, `rename`, `set`, `remove`, `edit` or `add`.
    pub action: String,
    /// `list`, `rules`, `rule` or `instruction`.
    pub object: String,
    /// Name of the list or rule, or label of the instruction; `None` for all rules.
    pub name: Option<String>,
    pub instruction_id: Option<String>,
}

impl Row for StylePlanRow {
    const COLUMNS: &'static [Column] = &[
        Column::id("style_id").header("STYLE"),
        Column::text("action").rank(0),
        Column::text("object").rank(0),
        Column::name("name"),
        Column::id("instruction_id").header("INSTRUCTION").rank(1),
    ];
}

impl StylePlanRow {
    pub fn in_words(&self) -> String {
        [Some(&self.action), Some(&self.object), self.name.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<_>>()
            .join(" ")
    }
}

impl StylePlanStep {
    pub fn language(&self) -> Option<&LangCode> {
        match self {
            Self::CreateList(request) => Some(&request.language),
            Self::EditInstruction(request) => request.text.source_language.as_ref(),
            Self::AddInstruction(request) => request.text.source_language.as_ref(),
            Self::RenameList(_) | Self::SetRules(..) | Self::RemoveInstruction(..) => None,
        }
    }

    /// Returns one row for the step, and one more for each rule that it removes.
    pub fn rows(&self) -> Vec<StylePlanRow> {
        let known = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let row = |style_id: &str, action: &str, object: &str, name: &str, instruction_id: &str| StylePlanRow {
            style_id: known(style_id),
            action: action.to_owned(),
            object: object.to_owned(),
            name: known(name),
            instruction_id: known(instruction_id),
        };
        let one = match self {
            Self::CreateList(r) => row("", "create", "list", &r.name, ""),
            Self::RenameList(r) => row(&r.style_id, "rename", "list", &r.name, ""),
            Self::SetRules(r, removed) => {
                let removed = removed.iter().map(|rule| row(&r.style_id, "remove", "rule", rule, ""));
                return std::iter::once(row(&r.style_id, "set", "rules", "", "")).chain(removed).collect();
            }
            Self::RemoveInstruction(r, label) => row(&r.style_id, "remove", "instruction", label, &r.instruction_id),
            Self::EditInstruction(r) => row(&r.style_id, "edit", "instruction", &r.text.label, &r.instruction_id),
            Self::AddInstruction(r) => row(&r.style_id, "add", "instruction", &r.text.label, ""),
        };
        vec![one]
    }
}

/// Counts what the steps remove, for a question; `None` if they remove nothing.
pub fn removals(steps: &[StylePlanStep]) -> Option<String> {
    let rules = steps.iter().map(|step| if let StylePlanStep::SetRules(_, removed) = step { removed.len() } else { 0 });
    let instructions = steps.iter().filter(|step| matches!(step, StylePlanStep::RemoveInstruction(..)));
    plan::removals([(rules.sum(), "rule"), (instructions.count(), "instruction")])
}

/// `list` must include rules and instructions; `None` creates the list.
///
/// The file replaces the rules of each category that it contains. If it contains instructions, it replaces all of them.
/// Everything else is kept, but an empty rules table removes all rules. Instructions are removed before others are added,
/// because the number per list is limited. Fails if the languages differ, because the language of a list cannot be changed.
pub fn plan(file: &StyleListFile, list: Option<&StyleRule>) -> Result<Vec<StylePlanStep>, Failure> {
    let Some(list) = list else { return Ok(vec![StylePlanStep::CreateList(create_request(file)?)]) };
    if let Some(language) = &file.language
        && !language.bcp47().eq_ignore_ascii_case(&list.language)
    {
        return Err(Failure::usage(format!(
            "the file has language {language}, but the style rule list `{}` is in {}",
            list.name, list.language
        ))
        .hint("the language of a list cannot change; use another name and no style_id to create a new list"));
    }
    let style_id = &list.style_id;
    let mut steps = Vec::new();
    if let Some(name) = file.name.as_ref().filter(|name| **name != list.name) {
        steps.push(StylePlanStep::RenameList(RenameStyleRule { style_id: style_id.clone(), name: name.clone() }));
    }
    if let Some(new) = &file.configured_rules {
        let old = list.configured_rules.clone().unwrap_or_default();
        // Keep categories that the file does not mention, unless its rules table is empty, which removes all rules.
        let mut rules = if new.is_empty() { ConfiguredRules::new() } else { old.clone() };
        rules.extend(new.clone());
        if !are_same_rules(&old, &rules) {
            let removed = removed_rules(&old, &rules);
            let request = ReplaceConfiguredRules { style_id: style_id.clone(), rules };
            steps.push(StylePlanStep::SetRules(request, removed));
        }
    }
    if let Some(instructions) = &file.custom_instructions {
        plan_instructions(&mut steps, instructions, list)?;
    }
    Ok(steps)
}

fn create_request(file: &StyleListFile) -> Result<CreateStyleRule, Failure> {
    let name = file.name.clone().ok_or_else(|| Failure::usage("the file has neither style_id nor name"))?;
    let language = file.language.clone().ok_or_else(|| {
        Failure::usage(format!("cannot create the style rule list `{name}`: the file has no language"))
            .hint("add a line such as language = \"en\"")
    })?;
    Ok(file.clone().into_create_request(name, language))
}

/// Returns whether two sets of rules have the same effect. An empty category has no effect.
fn are_same_rules(a: &ConfiguredRules, b: &ConfiguredRules) -> bool {
    let without_empty = |rules: &ConfiguredRules| {
        let mut rules = rules.clone();
        rules.retain(|_, inner| inner.as_object().is_none_or(|inner| !inner.is_empty()));
        rules
    };
    without_empty(a) == without_empty(b)
}

fn removed_rules(old: &ConfiguredRules, new: &ConfiguredRules) -> Vec<String> {
    let is_kept = |category: &str, rule: &str| new.get(category).and_then(|inner| inner.get(rule)).is_some();
    let removed = rule_options(old).into_iter().filter(|(category, rule, _)| !is_kept(category, rule));
    removed.map(|(category, rule, _)| format!("{category}.{rule}")).collect()
}

fn plan_instructions(
    steps: &mut Vec<StylePlanStep>,
    instructions: &[FileInstruction],
    list: &StyleRule,
) -> Result<(), Failure> {
    let style_id = &list.style_id;
    let matches = match_instructions(instructions, list)?;
    let used: HashSet<usize> = matches.iter().flatten().copied().collect();
    for (_, old) in list.instructions().iter().enumerate().filter(|(index, _)| !used.contains(index)) {
        let request = DeleteCustomInstruction { style_id: style_id.clone(), instruction_id: old.id.clone() };
        steps.push(StylePlanStep::RemoveInstruction(request, old.label.clone()));
    }
    let mut additions = Vec::new();
    for (new, index) in instructions.iter().zip(matches) {
        match index.and_then(|index| list.instructions().get(index)) {
            Some(old) if has_same_content(old, &new.text, &list.language) => {}
            Some(old) => steps.push(StylePlanStep::EditInstruction(ReplaceCustomInstruction {
                style_id: style_id.clone(),
                instruction_id: old.id.clone(),
                text: new.text.clone(),
            })),
            None => additions.push(StylePlanStep::AddInstruction(CreateCustomInstruction {
                style_id: style_id.clone(),
                text: new.text.clone(),
            })),
        }
    }
    steps.extend(additions);
    Ok(())
}

type InstructionMatch<'a> = &'a dyn Fn(&FileInstruction, &CustomInstruction) -> bool;

/// Returns, for each instruction of the file, the index of the instruction of the service with the same ID, or else with
/// the same content, or else with the same label.
fn match_instructions(file: &[FileInstruction], list: &StyleRule) -> Result<Vec<Option<usize>>, Failure> {
    let by_id = |new: &FileInstruction, old: &CustomInstruction| {
        new.id.as_ref().is_some_and(|id| id.eq_ignore_ascii_case(&old.id))
    };
    let by_content = |new: &FileInstruction, old: &CustomInstruction| has_same_content(old, &new.text, &list.language);
    let by_label = |new: &FileInstruction, old: &CustomInstruction| new.text.label == old.label;
    let mut ids = HashSet::new();
    for id in file.iter().filter_map(|new| new.id.as_ref()) {
        let is_known = list.instructions().iter().any(|old| id.eq_ignore_ascii_case(&old.id));
        if !ids.insert(id.to_ascii_lowercase()) && is_known {
            return Err(Failure::usage(format!("the file contains the instruction {id} twice")));
        }
    }
    let mut matches: Vec<Option<usize>> = vec![None; file.len()];
    let mut used = HashSet::new();
    let criteria: [InstructionMatch; 3] = [&by_id, &by_content, &by_label];
    for is_match in criteria {
        for (new, index) in file.iter().zip(&mut matches).filter(|(_, index)| index.is_none()) {
            let mut olds = list.instructions().iter().enumerate();
            *index = olds.position(|(i, old)| is_match(new, old) && !used.contains(&i));
            used.extend(*index);
        }
    }
    Ok(matches)
}

/// If the file has no source language, the language of the list matches too, because the service may fill it in.
fn has_same_content(old: &CustomInstruction, text: &InstructionText, list_language: &str) -> bool {
    let is_same_language = match (&text.source_language, &old.source_language) {
        (None, None) => true,
        (None, Some(old)) => old.eq_ignore_ascii_case(list_language),
        (Some(new), Some(old)) => old.parse::<LangCode>().is_ok_and(|old| old == *new),
        (Some(_), None) => false,
    };
    is_same_language && old.label == text.label && old.prompt == text.prompt
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
        let file = StyleListFile::parse("f", text, true).unwrap();
        let rows = plan(&file, Some(&list)).unwrap().into_iter().flat_map(|s| s.rows());
        let words = |r: StylePlanRow| [Some(r.action), Some(r.object), r.name, r.instruction_id];
        rows.map(|row| words(row).into_iter().flatten().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn sends_nothing_for_the_same_list_in_another_order() {
        assert_eq!(steps(SAME), [""; 0]);
    }

    #[test]
    fn sends_one_request_per_difference() {
        assert_eq!(steps(&SAME.replace("'Shop'", "'Store'")), ["rename list Store"]);
        assert_eq!(steps(&SAME.replace("= 'use'", "= 'do_not_use'")), ["set rules"]);
        assert_eq!(steps(&SAME.replace("'gone'", "'back'")), ["edit instruction old i3"]);
        assert_eq!(steps(&SAME.replace("label = 'old'", "label = 'new'")), ["edit instruction new i3"]);
        assert_eq!(steps(&SAME.replace("'be kind'", "'be nice'")), ["edit instruction voice i1"]);
        let other = SAME.replace("id = 'i3'\nlabel = 'old'", "label = 'new'");
        assert_eq!(steps(&other), ["remove instruction old i3", "add instruction new"]);
    }

    #[test]
    fn keeps_what_the_file_does_not_mention() {
        assert_eq!(steps("style_id = 's'\n"), [""; 0]);
        assert_eq!(steps("style_id = 's'\n[configured_rules.numbers]\nx = 'y'\n"), ["set rules"]);
    }

    #[test]
    fn an_empty_table_removes_its_content() {
        let rules = ["set rules", "remove rule punctuation.serial_comma"];
        assert_eq!(steps("style_id = 's'\n[configured_rules]\n"), rules);
        assert_eq!(
            steps("style_id = 's'\ncustom_instructions = []\n[configured_rules.punctuation]\n"),
            [
                "set rules",
                "remove rule punctuation.serial_comma",
                "remove instruction voice i1",
                "remove instruction voice i2",
                "remove instruction old i3"
            ]
        );
    }

    #[test]
    fn asks_only_about_removals() {
        let list: StyleRule = serde_json::from_str(LIST).unwrap();
        let removed = |text: &str| {
            let file = StyleListFile::parse("f", text, true).unwrap();
            removals(&plan(&file, Some(&list)).unwrap())
        };
        assert_eq!(removed(&SAME.replace("'use'", "'do_not_use'").replace("'gone'", "'back'")), None);
        assert_eq!(removed(&SAME.replace("serial_comma", "apostrophe")).as_deref(), Some("1 rule"));
        let nothing = "style_id = 's'\ncustom_instructions = []\n[configured_rules.punctuation]\n";
        assert_eq!(removed(nothing).as_deref(), Some("1 rule and 3 instructions"));
    }

    #[test]
    fn refuses_an_instruction_that_the_file_contains_twice() {
        let list: StyleRule = serde_json::from_str(LIST).unwrap();
        let twice = format!("{SAME}[[custom_instructions]]\nid = 'I3'\nlabel = 'other'\nprompt = 'x'\n");
        let file = StyleListFile::parse("f", &twice, true).unwrap();
        assert!(plan(&file, Some(&list)).unwrap_err().what.contains("I3 twice"));
    }

    #[test]
    fn refuses_another_language() {
        let list: StyleRule = serde_json::from_str(LIST).unwrap();
        let file = StyleListFile::parse("f", &SAME.replace("'en'", "'de'"), true).unwrap();
        assert!(plan(&file, Some(&list)).unwrap_err().what.contains("language de"));
        let file = StyleListFile::parse("f", "name = 'New'\n", true).unwrap();
        assert!(plan(&file, None).unwrap_err().what.contains("has no language"));
    }
}
