//! Reads a whole list. Limits are checked with the place in the file.

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;
use tulk_base::error::{Failure, Origin};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::style::{ConfiguredRules, CreateStyleRule, InstructionText, catalogue, check_count, check_name};

use super::text::{origin_at, read_text, toml_failure};
use crate::context::Context;

/// A list as described by a file.
#[derive(Clone, Debug, Default)]
pub struct StyleListFile {
    /// ID of the list; without one the list is found by its name.
    pub style_id: Option<String>,
    /// Name of the list.
    pub name: Option<String>,
    /// Language of the list.
    pub language: Option<LangCode>,
    /// All rules of the categories that the file contains; `None` if it contains none.
    pub configured_rules: Option<ConfiguredRules>,
    /// All instructions of the list; `None` if the file does not contain them.
    pub custom_instructions: Option<Vec<FileInstruction>>,
}

/// An instruction as described by a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInstruction {
    /// ID of the instruction; without one the instruction is found by its label.
    pub id: Option<String>,
    /// Label, prompt and source language.
    pub text: InstructionText,
}

/// The fields of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StyleListFields {
    style_id: Option<String>,
    name: Option<Spanned<String>>,
    language: Option<LangCode>,
    configured_rules: Option<ConfiguredRules>,
    custom_instructions: Option<Vec<Spanned<InstructionFields>>>,
}

/// The fields of an instruction in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InstructionFields {
    id: Option<String>,
    label: Spanned<String>,
    prompt: Spanned<String>,
    source_language: Option<LangCode>,
}

impl StyleListFile {
    /// Reads a file, `-` for stdin. Limits are checked unless `--no-check` is given.
    pub fn read(ctx: &Context, path: &Path) -> Result<Self, Failure> {
        let (source, text) = read_text(ctx, path)?;
        Self::parse(&source, &text, !ctx.args.no_check)
    }

    /// Parses the text of a file. `source` is its name in messages.
    pub fn parse(source: &str, text: &str, check: bool) -> Result<Self, Failure> {
        let fields: StyleListFields = toml::from_str(text).map_err(|e| toml_failure(source, text, &e))?;
        if let Some(error) = fields.configured_rules.as_ref().and_then(catalogue::shape_error) {
            return Err(Failure::usage(format!("configured_rules: {error}"))
                .at(Origin::whole(source))
                .hint("write [configured_rules.CATEGORY] and lines of rule = \"option\""));
        }
        if check {
            fields.check(|offset| origin_at(source, text, offset))?;
        }
        let instruction = |fields: InstructionFields| FileInstruction { text: fields.text(), id: fields.id };
        Ok(Self {
            style_id: fields.style_id,
            name: fields.name.map(Spanned::into_inner),
            language: fields.language,
            configured_rules: fields.configured_rules,
            custom_instructions: fields
                .custom_instructions
                .map(|list| list.into_iter().map(|fields| instruction(fields.into_inner())).collect()),
        })
    }

    /// Returns the request that creates the list.
    pub fn into_create_request(self, name: String, language: LangCode) -> CreateStyleRule {
        let instructions = self.custom_instructions.filter(|list| !list.is_empty());
        CreateStyleRule {
            name,
            language,
            configured_rules: self.configured_rules.filter(|rules| !rules.is_empty()),
            custom_instructions: instructions
                .map(|list| list.into_iter().map(|instruction| instruction.text).collect()),
        }
    }
}

impl StyleListFields {
    /// Checks the limits of the service. `origin` returns the place of a byte offset.
    fn check(&self, origin: impl Fn(usize) -> Origin) -> Result<(), Failure> {
        if let Some(name) = &self.name {
            check_name(name.get_ref()).map_err(|f| f.at(origin(name.span().start)))?;
        }
        let instructions = self.custom_instructions.as_deref().unwrap_or_default();
        if let Some(first_over) = instructions.get(tulk_base::limits::STYLE_INSTRUCTIONS) {
            check_count(instructions.len()).map_err(|f| f.at(origin(first_over.span().start)))?;
        }
        for instruction in instructions {
            let fields = instruction.get_ref();
            let text = fields.text();
            text.check_label().map_err(|f| f.at(origin(fields.label.span().start)))?;
            text.check_prompt().map_err(|f| f.at(origin(fields.prompt.span().start)))?;
        }
        Ok(())
    }
}

impl InstructionFields {
    fn text(&self) -> InstructionText {
        InstructionText {
            label: self.label.get_ref().clone(),
            prompt: self.prompt.get_ref().clone(),
            source_language: self.source_language.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tulk_client::api::style::StyleRule;

    use super::super::StyleListToml;
    use super::*;

    fn error(text: &str) -> String {
        StyleListFile::parse("f.toml", text, true).unwrap_err().to_string()
    }

    #[test]
    fn an_exported_list_is_read_unchanged() {
        let list: StyleRule = serde_json::from_str(
            r#"{"style_id":"s","name":"Ä \"shop\"","language":"en","version":3,
                "configured_rules":{"punctuation":{"serial_comma":"use"},"vocabulary":{}},
                "custom_instructions":[{"id":"i","label":"v","prompt":"two\nlines"},
                                       {"id":"j","label":"w","prompt":"p","source_language":"de"}]}"#,
        )
        .unwrap();
        let text = StyleListToml::new(&list).unwrap().to_text().unwrap();
        let file = StyleListFile::parse("f", &text, true).unwrap();
        assert_eq!(file.name.as_deref(), Some("Ä \"shop\""));
        assert_eq!(file.configured_rules, list.configured_rules);
        let instructions = file.custom_instructions.unwrap();
        assert_eq!(instructions[0].text.prompt, "two\nlines");
        assert_eq!(instructions[1].text.source_language, Some("de".parse().unwrap()));
        assert_eq!(instructions[1].id.as_deref(), Some("j"));
    }

    #[test]
    fn an_exported_list_without_rules_and_instructions_says_so() {
        let list = r#"{"style_id":"s","name":"n","language":"en","configured_rules":{},"custom_instructions":[]}"#;
        let list: StyleRule = serde_json::from_str(list).unwrap();
        let text = StyleListToml::new(&list).unwrap().to_text().unwrap();
        let file = StyleListFile::parse("f", &text, true).unwrap();
        assert_eq!((file.configured_rules, file.custom_instructions), (Some(ConfiguredRules::new()), Some(vec![])));
        let file = StyleListFile::parse("f", "name = 'n'\n", true).unwrap();
        assert_eq!((file.configured_rules, file.custom_instructions), (None, None));
    }

    #[test]
    fn errors_have_line_and_column() {
        let long = "x".repeat(301);
        let text = format!("name = \"n\"\n[[custom_instructions]]\nlabel = \"ä\"\nprompt = \"{long}\"\n");
        assert!(error(&text).starts_with("f.toml:4:10: "), "{}", error(&text));
        assert!(error(&text.replace("\"ä\"", "\"\"")).starts_with("f.toml:3:9: "));
        assert!(error("name = \"n\"\nlabels = 3\n").starts_with("f.toml:2:1: unknown field `labels`"));
        assert!(error(&format!("name = \"{}\"", "n".repeat(1025))).starts_with("f.toml:1:8: the name"));
        let entry = "[[custom_instructions]]\nlabel = \"l\"\nprompt = \"p\"\n";
        assert!(StyleListFile::parse("f", &entry.repeat(200), true).is_ok());
        assert!(error(&entry.repeat(201)).starts_with("f.toml:601:"), "{}", error(&entry.repeat(201)));
        assert!(StyleListFile::parse("f", &entry.repeat(201), false).is_ok());
    }
}
