//! The TOML file of a style rule list, which `export` writes and `apply` and `create --file` read.
//!
//! Unknown fields and tables are refused, because a misspelt table would otherwise be ignored silently.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Map;
use toml::Spanned;
use tulk_base::error::{ErrorReport, Failure, Kind, Origin};
use tulk_base::limits::STYLE_FILE;
use tulk_base::toml_file;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::style::{
    ConfiguredRules, CreateStyleRule, InstructionText, StyleRule, catalogue, catalogue::UnknownName, check_count,
    check_name,
};
use tulk_formats::input::whole;

use crate::context::Context;
use crate::inputs::keyed_files::display_name;

#[derive(Clone, Debug, Default)]
pub struct StyleListFile {
    /// Without it, the list is found by name.
    pub style_id: Option<String>,
    pub name: Option<String>,
    pub language: Option<LangCode>,
    /// All rules of the categories in the file; `None` if it has no rules table.
    pub configured_rules: Option<ConfiguredRules>,
    /// All instructions of the list; `None` if the file has no instructions table.
    pub custom_instructions: Option<Vec<FileInstruction>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInstruction {
    /// Without it, the instruction is found by content or label.
    pub id: Option<String>,
    pub text: InstructionText,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StyleListFields {
    style_id: Option<String>,
    name: Option<Spanned<String>>,
    language: Option<LangCode>,
    configured_rules: Option<ConfiguredRules>,
    custom_instructions: Option<Vec<Spanned<InstructionFields>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InstructionFields {
    id: Option<String>,
    label: Spanned<String>,
    prompt: Spanned<String>,
    source_language: Option<LangCode>,
}

impl StyleListFile {
    /// Reads a file, `-` for stdin. Checks limits unless `--no-check` is given.
    pub fn read(ctx: &Context, path: &Path) -> Result<Self, Failure> {
        let (source, text) = read_text(ctx, path)?;
        Self::parse(&source, &text, !ctx.args.no_check)
    }

    /// `source` is the name of the file in messages.
    pub fn parse(source: &str, text: &str, check: bool) -> Result<Self, Failure> {
        let fields: StyleListFields = toml_file::read(source, text, "field")?;
        if let Some(error) = fields.configured_rules.as_ref().and_then(catalogue::shape_error) {
            return Err(Failure::usage(format!("configured_rules: {error}"))
                .at(Origin::whole(source))
                .hint("write [configured_rules.CATEGORY] and lines of rule = \"option\""));
        }
        if check {
            fields.check(|offset| Origin::of_byte(source, text, offset))?;
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
    /// Checks the limits of the service. `origin` converts a byte offset to a position.
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

/// Reads rules from a TOML or JSON file, `-` for stdin.
pub fn read_rules(ctx: &Context, path: &Path) -> Result<ConfiguredRules, Failure> {
    let (source, text) = read_text(ctx, path)?;
    parse_rules(&source, &text)
}

fn parse_rules(source: &str, text: &str) -> Result<ConfiguredRules, Failure> {
    let mut rules: ConfiguredRules = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|e| {
            let (line, column) = (e.line() as u64, e.column() as u64);
            Failure::usage(format!("invalid JSON: {e}")).at(Origin::at(source, line, column))
        })?
    } else {
        toml_file::read(source, text, "field")?
    };
    if let Some(inner) = rules.remove("configured_rules") {
        // The file is an exported list: use only its rules.
        rules = inner.as_object().cloned().unwrap_or_else(Map::new);
    }
    match catalogue::shape_error(&rules) {
        None => Ok(rules),
        Some(error) => Err(Failure::usage(error)
            .at(Origin::whole(source))
            .hint("write [CATEGORY] and lines of rule = \"option\", or the same as JSON")),
    }
}

/// Refuses rules and options that are not in the catalogue. `--no-check` sends them, because the service may know more.
pub fn refuse_unknown(ctx: &Context, rules: &ConfiguredRules, path: Option<&Path>) -> Result<(), Failure> {
    let unknown = if ctx.args.no_check { Vec::new() } else { catalogue::unknown_names(rules) };
    let mut failures = unknown.into_iter().map(|UnknownName { unknown, known }| {
        let failure = Failure::usage(unknown).hint(format!("{known}; --no-check sends the rules as they are"));
        match path {
            Some(path) => failure.at(Origin::whole(&display_name(path))),
            None => failure,
        }
    });
    let Some(last) = failures.next_back() else { return Ok(()) };
    for failure in failures {
        ctx.out.item_error(&ErrorReport::new(&failure.into()));
    }
    Err(last)
}

/// Reads a file, `-` for stdin. Returns its name in messages and its text without a byte-order mark.
pub fn read_text(ctx: &Context, path: &Path) -> Result<(String, String), Failure> {
    let is_stdin = path == Path::new("-");
    if is_stdin && ctx.args.key_file.as_deref() == Some(path) {
        return Err(Failure::usage("--key-file and the file cannot both be read from stdin")
            .hint("read one of them from a file"));
    }
    let source = display_name(path);
    let text = String::from_utf8(whole::read_bytes(path, STYLE_FILE)?).map_err(|e| {
        let offset = e.utf8_error().valid_up_to();
        Failure::usage(format!("invalid UTF-8 at byte offset {offset}")).at(Origin::whole(&source))
    })?;
    Ok((source, text.trim_start_matches('\u{feff}').to_owned()))
}

/// The fields are written in this order.
#[derive(Serialize)]
pub struct StyleListToml<'a> {
    style_id: &'a str,
    name: &'a str,
    language: &'a str,
    configured_rules: &'a ConfiguredRules,
    custom_instructions: Vec<InstructionToml<'a>>,
}

#[derive(Serialize)]
struct InstructionToml<'a> {
    id: &'a str,
    label: &'a str,
    prompt: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_language: Option<&'a str>,
}

impl<'a> StyleListToml<'a> {
    /// Fails if the list comes without its rules.
    pub fn new(list: &'a StyleRule) -> Result<Self, Failure> {
        let rules = list.configured_rules.as_ref();
        let configured_rules = rules.ok_or_else(|| {
            Failure::new(Kind::Network, "unexpected response from the service: the list comes without its rules")
                .hint("check that the server address is correct (--server, `tulk auth status`)")
        })?;
        let custom_instructions = list
            .instructions()
            .iter()
            .map(|i| InstructionToml {
                id: &i.id,
                label: &i.label,
                prompt: &i.prompt,
                source_language: i.source_language.as_deref(),
            })
            .collect();
        let (style_id, name, language) = (&*list.style_id, &*list.name, &*list.language);
        Ok(Self { style_id, name, language, configured_rules, custom_instructions })
    }

    pub fn to_text(&self) -> Result<String, Failure> {
        toml::to_string_pretty(self).map_err(|e| Failure::internal(format!("cannot write the list as TOML: {e}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tulk_client::api::style::StyleRule;

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
    fn an_exported_empty_list_has_empty_tables() {
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

    #[test]
    fn reads_rules_from_toml_and_json_at_the_top_level_or_nested() {
        let expected: ConfiguredRules = serde_json::from_str(r#"{"punctuation":{"serial_comma":"use"}}"#).unwrap();
        for text in [
            "[punctuation]\nserial_comma = \"use\"\n",
            "name = \"x\"\n[configured_rules.punctuation]\nserial_comma = \"use\"\n",
            r#"{"punctuation":{"serial_comma":"use"}}"#,
            r#"{"style_id":"s","configured_rules":{"punctuation":{"serial_comma":"use"}}}"#,
        ] {
            assert_eq!(parse_rules("f", text).unwrap(), expected, "{text}");
        }
        assert!(parse_rules("f", "[punctuation]\nserial_comma = 3\n").is_err());
        assert!(parse_rules("f", "punctuation = \"use\"\n").is_err());
    }
}
