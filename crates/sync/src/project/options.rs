//! Translation options in a project file, and settings that are refused there. A project file comes with a repository,
//! so it is untrusted input: it may set how texts are translated, but not the server, the key, or other files to read.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tulk_base::error::Failure;
use tulk_base::limits::MEMORY_THRESHOLD_MAX;
use tulk_base::suggest::is_typo;
use tulk_base::toml_file::UnknownKey;

/// Options by name. `glossary`, `custom_instruction` and `protect` are lists, like their repeated flags.
pub type ProjectOptions = Map<String, Value>;

/// Words in names of settings that are refused in a project file, and the effect of such a setting.
const REFUSED_WORDS: [(&[&str], &str); 4] = [
    (
        &[
            "server", "servers", "service", "services", "endpoint", "url", "host", "address", "sandbox", "proxy",
            "proxies", "ca", "tls",
        ],
        "redirect your texts",
    ),
    (&["profile", "profiles", "key", "auth", "token", "secret", "password", "command", "env"], "choose your key"),
    (
        &["file", "input", "output", "out", "dir", "config", "log", "trace"],
        "choose which other files are read or written",
    ),
    (
        &[
            "param",
            "params",
            "header",
            "headers",
            "reporting",
            "timeout",
            "retries",
            "wait",
            "concurrency",
            "rate",
            "cache",
        ],
        "change how requests are sent",
    ),
];

/// Defines a table of the project file that has translation options in addition to its own settings.
macro_rules! table_with_options {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $kind:ty,)* }) => {
        #[derive(Deserialize)]
        $(#[$meta])*
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_meta])* $field: $kind,)*
            formality: Option<toml::Spanned<tulk_client::OpenValue<tulk_client::api::translate::Formality>>>,
            model_type: Option<toml::Spanned<tulk_client::OpenValue<tulk_client::api::translate::ModelType>>>,
            glossary: Option<$crate::project::options::Texts>,
            style: Option<$crate::project::options::FilledText>,
            style_profile: Option<$crate::project::options::FilledText>,
            custom_instruction: Option<$crate::project::options::Texts>,
            translation_memory: Option<$crate::project::options::FilledText>,
            translation_memory_threshold: Option<$crate::project::options::Threshold>,
            preserve_formatting: Option<bool>,
            protect: Option<$crate::project::options::Texts>,
            max_characters: Option<$crate::project::options::Characters>,
        }

        impl $name {
            /// Returns an error for each unknown enum value. `path` is the name of the table.
            pub fn unknown_words(
                &self,
                text: $crate::project::project_text::ProjectText<'_>,
                path: &str,
            ) -> Vec<tulk_base::error::Failure> {
                let formality = self.formality.as_ref().and_then(|value| {
                    let (word, known) = value.get_ref().unknown()?;
                    Some(text.unknown_word(value, &format!("{path}.formality"), word, &known))
                });
                let model_type = self.model_type.as_ref().and_then(|value| {
                    let (word, known) = value.get_ref().unknown()?;
                    Some(text.unknown_word(value, &format!("{path}.model_type"), word, &known))
                });
                formality.into_iter().chain(model_type).collect()
            }

            pub fn options(&self) -> $crate::project::options::ProjectOptions {
                let options = serde_json::json!({
                    "formality": self.formality,
                    "model_type": self.model_type,
                    "glossary": self.glossary,
                    "style": self.style,
                    "style_profile": self.style_profile,
                    "custom_instruction": self.custom_instruction,
                    "translation_memory": self.translation_memory,
                    "translation_memory_threshold": self.translation_memory_threshold,
                    "preserve_formatting": self.preserve_formatting,
                    "protect": self.protect,
                    "max_characters": self.max_characters,
                });
                let options = options.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
                options.map(|(name, value)| (name.clone(), value.clone())).collect()
            }
        }
    };
}
pub(super) use table_with_options;

#[derive(Deserialize, Serialize)]
#[serde(try_from = "String")]
pub struct FilledText(String);

impl TryFrom<String> for FilledText {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.trim().is_empty() { Err("the text is empty") } else { Ok(Self(text)) }
    }
}

#[derive(Deserialize, Serialize)]
#[serde(try_from = "OneOrMany")]
pub struct Texts(Vec<FilledText>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected text in quotes or a list of texts")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl TryFrom<OneOrMany> for Texts {
    type Error = &'static str;

    fn try_from(texts: OneOrMany) -> Result<Self, Self::Error> {
        let texts = match texts {
            OneOrMany::One(text) => vec![text],
            OneOrMany::Many(texts) => texts,
        };
        Ok(Self(texts.into_iter().map(FilledText::try_from).collect::<Result<_, _>>()?))
    }
}

/// In percent.
#[derive(Deserialize, Serialize)]
#[serde(try_from = "i64")]
pub struct Threshold(i64);

impl TryFrom<i64> for Threshold {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        let range = 0..=i64::from(MEMORY_THRESHOLD_MAX);
        let wrong = || format!("`{number}` is not between 0 and {}", range.end());
        range.contains(&number).then_some(Self(number)).ok_or_else(wrong)
    }
}

/// At least 1.
#[derive(Deserialize, Serialize)]
#[serde(try_from = "i64")]
pub struct Characters(i64);

impl TryFrom<i64> for Characters {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        if number < 1 { Err(format!("`{number}` is less than 1")) } else { Ok(Self(number)) }
    }
}

/// Explains why a setting is refused in a project file; `None` if the name looks like a typo of an allowed one.
pub fn refusal(unknown: &UnknownKey) -> Option<Failure> {
    let key = unknown.key.to_ascii_lowercase();
    let (_, what) = REFUSED_WORDS.iter().find(|(words, _)| key.split(['_', '-']).any(|word| words.contains(&word)))?;
    let is_refused = !unknown.known.iter().any(|name| is_typo(&key, name));
    is_refused.then(|| {
        Failure::usage(format!("{}: not allowed in a project file: it would {what}", unknown.path))
            .hint("set it on the command line, or in your own settings: `tulk config set`")
    })
}
