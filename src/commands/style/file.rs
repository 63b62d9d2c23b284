//! A style rule list as a TOML file: what `export` prints, what `apply` and `create --file` read.
//!
//! Read strictly: a misspelt table would otherwise empty a list. Everything is checked with its place in the file.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Map;
use toml::Spanned;

use crate::api::language_code::LangCode;
use crate::api::style::{ConfiguredRules, InstructionText, StyleRule, catalogue, check_count, check_name};
use crate::context::Context;
use crate::error::{Failure, Origin, io_message};

/// A list as a file says it.
#[derive(Clone, Debug, Default)]
pub struct StyleFile {
    /// The list it is about; without one the name decides.
    pub style_id: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// Its language.
    pub language: Option<LangCode>,
    /// Its rules, all of them.
    pub configured_rules: ConfiguredRules,
    /// Its instructions, all of them.
    pub custom_instructions: Vec<Entry>,
}

/// One instruction of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The instruction it is about; without one the label decides.
    pub id: Option<String>,
    /// What it says.
    pub text: InstructionText,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    style_id: Option<String>,
    name: Option<Spanned<String>>,
    language: Option<LangCode>,
    #[serde(default)]
    configured_rules: ConfiguredRules,
    #[serde(default)]
    custom_instructions: Vec<Spanned<WrittenEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEntry {
    id: Option<String>,
    label: Spanned<String>,
    prompt: Spanned<String>,
    source_language: Option<LangCode>,
}

#[derive(Serialize)]
struct Printed<'a> {
    style_id: &'a str,
    name: &'a str,
    language: &'a str,
    configured_rules: &'a ConfiguredRules,
    custom_instructions: Vec<PrintedEntry<'a>>,
}

#[derive(Serialize)]
struct PrintedEntry<'a> {
    id: &'a str,
    label: &'a str,
    prompt: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_language: Option<&'a str>,
}

/// A list on its way into a file.
pub struct Export<'a>(Printed<'a>);

impl Export<'_> {
    /// The file's text.
    pub fn to_toml(&self) -> Result<String, Failure> {
        toml::to_string_pretty(&self.0).map_err(|e| Failure::internal(format!("this list does not fit into TOML: {e}")))
    }
}

impl StyleFile {
    /// The file that says what a list is.
    pub fn of(list: &StyleRule) -> Result<Export<'_>, Failure> {
        let rules = list.configured_rules.as_ref();
        let rules = rules.ok_or_else(|| Failure::internal("the service sent the list without its rules"))?;
        let custom_instructions = list
            .instructions()
            .iter()
            .map(|i| PrintedEntry {
                id: &i.id,
                label: &i.label,
                prompt: &i.prompt,
                source_language: i.source_language.as_deref(),
            })
            .collect();
        Ok(Export(Printed {
            style_id: &list.style_id,
            name: &list.name,
            language: &list.language,
            configured_rules: rules,
            custom_instructions,
        }))
    }

    /// Reads a file, `-` for stdin; limits are checked unless `--no-check`.
    pub fn read(ctx: &Context, path: &Path) -> Result<Self, Failure> {
        let (source, text) = read_text(ctx, path)?;
        Self::parse(&source, &text, !ctx.args.no_check)
    }

    /// Reads a file's text. All that is wrong is named with its place.
    pub fn parse(source: &str, text: &str, check: bool) -> Result<Self, Failure> {
        let written: Written = toml::from_str(text).map_err(|e| wrong_toml(source, text, &e))?;
        if let Some(why) = catalogue::shape_error(&written.configured_rules) {
            return Err(Failure::usage(format!("configured_rules: {why}"))
                .at(Origin::of(source))
                .hint("write [configured_rules.CATEGORY] and lines of rule = \"option\""));
        }
        let at = |offset: usize| {
            let (line, column) = place(text, offset);
            Origin::at(source, line, column)
        };
        let name = written.name;
        if check && let Some(name) = &name {
            check_name(name.get_ref()).map_err(|f| f.at(at(name.span().start)))?;
        }
        if check {
            let first_over = written.custom_instructions.get(crate::limits::STYLE_INSTRUCTIONS);
            check_count(written.custom_instructions.len())
                .map_err(|f| f.at(first_over.map_or_else(|| Origin::of(source), |entry| at(entry.span().start))))?;
        }
        let mut entries = Vec::with_capacity(written.custom_instructions.len());
        for entry in written.custom_instructions {
            let WrittenEntry { id, label, prompt, source_language } = entry.into_inner();
            let (label_at, prompt_at) = (label.span().start, prompt.span().start);
            let text = InstructionText { label: label.into_inner(), prompt: prompt.into_inner(), source_language };
            if check {
                let about_label = |f: &Failure| f.what.starts_with("the label");
                text.check().map_err(|f| {
                    let offset = if about_label(&f) { label_at } else { prompt_at };
                    f.at(at(offset))
                })?;
            }
            entries.push(Entry { id, text });
        }
        Ok(Self {
            style_id: written.style_id,
            name: name.map(Spanned::into_inner),
            language: written.language,
            configured_rules: written.configured_rules,
            custom_instructions: entries,
        })
    }
}

/// Reads rules alone: TOML or JSON, bare or under `configured_rules`, `-` for stdin.
pub fn read_rules(ctx: &Context, path: &Path) -> Result<ConfiguredRules, Failure> {
    let (source, text) = read_text(ctx, path)?;
    parse_rules(&source, &text)
}

fn parse_rules(source: &str, text: &str) -> Result<ConfiguredRules, Failure> {
    let mut rules: ConfiguredRules = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|e| {
            let (line, column) = (e.line() as u64, e.column() as u64);
            Failure::usage(format!("the rules are no JSON object: {e}")).at(Origin::at(source, line, column))
        })?
    } else {
        toml::from_str(text).map_err(|e| wrong_toml(source, text, &e))?
    };
    if let Some(inner) = rules.remove("configured_rules") {
        // A whole exported file is taken as well: only its rules are meant.
        rules = inner.as_object().cloned().unwrap_or_else(Map::new);
    }
    match catalogue::shape_error(&rules) {
        None => Ok(rules),
        Some(why) => Err(Failure::usage(why)
            .at(Origin::of(source))
            .hint("write [CATEGORY] and lines of rule = \"option\", or the same as JSON")),
    }
}

/// Warns about rules and options that are not known; the service decides.
pub fn warn_unknown(ctx: &Context, rules: &ConfiguredRules) {
    if !ctx.args.no_check {
        for warning in catalogue::unknown_names(rules) {
            ctx.out.warn(&warning);
        }
    }
}

fn read_text(ctx: &Context, path: &Path) -> Result<(String, String), Failure> {
    let from_stdin = path == Path::new("-");
    if from_stdin && ctx.args.key_file.as_deref() == Some(path) {
        return Err(Failure::usage("--key-file - and the file both read stdin").hint("put one of them into a file"));
    }
    let source = if from_stdin { "stdin".to_owned() } else { path.display().to_string() };
    let bytes = if from_stdin {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)
            .map_err(|e| Failure::internal(format!("cannot read stdin: {}", io_message(&e))))?;
        bytes
    } else {
        std::fs::read(path).map_err(|e| Failure::file("read", path, &e))?
    };
    let text = String::from_utf8(bytes).map_err(|e| {
        Failure::usage(format!("invalid UTF-8 at byte {}", e.utf8_error().valid_up_to())).at(Origin::of(&source))
    })?;
    Ok((source, text.trim_start_matches('\u{feff}').to_owned()))
}

fn wrong_toml(source: &str, text: &str, error: &toml::de::Error) -> Failure {
    let (line, column) = place(text, error.span().map_or(0, |span| span.start));
    Failure::usage(error.message().trim_end_matches('.').to_owned()).at(Origin::at(source, line, column))
}

/// Line and column in characters, from 1, of a byte offset.
fn place(text: &str, offset: usize) -> (u64, u64) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line as u64, column as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        StyleFile::parse("f.toml", text, true).unwrap_err().to_string()
    }

    #[test]
    fn an_exported_list_reads_as_it_was() {
        let list: StyleRule = serde_json::from_str(
            r#"{"style_id":"s","name":"Ä \"shop\"","language":"en","version":3,
                "configured_rules":{"punctuation":{"serial_comma":"use"},"vocabulary":{}},
                "custom_instructions":[{"id":"i","label":"v","prompt":"two\nlines"},
                                       {"id":"j","label":"w","prompt":"p","source_language":"de"}]}"#,
        )
        .unwrap();
        let text = StyleFile::of(&list).unwrap().to_toml().unwrap();
        let file = StyleFile::parse("f", &text, true).unwrap();
        assert_eq!(file.name.as_deref(), Some("Ä \"shop\""));
        assert_eq!(file.configured_rules, list.configured_rules.unwrap());
        assert_eq!(file.custom_instructions[0].text.prompt, "two\nlines");
        assert_eq!(file.custom_instructions[1].text.source_language, Some("de".parse().unwrap()));
        assert_eq!(file.custom_instructions[1].id.as_deref(), Some("j"));
    }

    #[test]
    fn names_the_place_of_what_is_wrong() {
        let long = "x".repeat(301);
        let text = format!("name = \"n\"\n[[custom_instructions]]\nlabel = \"ä\"\nprompt = \"{long}\"\n");
        assert_eq!(
            wrong(&text),
            "f.toml:4:10: the prompt of the custom instruction `ä` has 301 characters, the limit is 300"
        );
        assert!(wrong("name = \"n\"\nlabels = 3\n").starts_with("f.toml:2:1: unknown field `labels`"));
        assert!(wrong(&format!("name = \"{}\"", "n".repeat(1025))).starts_with("f.toml:1:8: the name"));
        let entry = "[[custom_instructions]]\nlabel = \"l\"\nprompt = \"p\"\n";
        assert!(StyleFile::parse("f", &entry.repeat(200), true).is_ok());
        assert!(wrong(&entry.repeat(201)).starts_with("f.toml:601:"), "{}", wrong(&entry.repeat(201)));
        assert!(StyleFile::parse("f", &entry.repeat(201), false).is_ok());
    }

    #[test]
    fn rules_come_as_toml_or_json_bare_or_wrapped() {
        let want: ConfiguredRules = serde_json::from_str(r#"{"punctuation":{"serial_comma":"use"}}"#).unwrap();
        for text in [
            "[punctuation]\nserial_comma = \"use\"\n",
            "name = \"x\"\n[configured_rules.punctuation]\nserial_comma = \"use\"\n",
            r#"{"punctuation":{"serial_comma":"use"}}"#,
            r#"{"style_id":"s","configured_rules":{"punctuation":{"serial_comma":"use"}}}"#,
        ] {
            assert_eq!(parse_rules("f", text).unwrap(), want, "{text}");
        }
        assert!(parse_rules("f", "[punctuation]\nserial_comma = 3\n").is_err());
        assert!(parse_rules("f", "punctuation = \"use\"\n").is_err());
    }
}
