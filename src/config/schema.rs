//! The settings that exist, and the values that they accept.
//!
//! A setting is a default for a flag, so it takes its name and values from the flag: `--model-type` becomes `model_type`.
//! Commands pass their flags as [`SettingFlags`]; only settings without a flag are defined here.

use std::cell::OnceCell;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args as _, Command};
use tulk_base::error::Failure;
use tulk_base::shell;
use tulk_base::suggest::closest;

use super::GlobalArgs;
use super::service::normalized_address;
use super::setting::Setting;

/// The endpoints of a service, each with the key in `[services.NAME]` that sets its address.
pub const ENDPOINTS: [(&str, &str); 4] =
    [("paid", "base_url"), ("free", "base_url_free"), ("us", "base_url_us"), ("jp", "base_url_jp")];

/// Functions that add the flags whose defaults can be set. They are called only when a table of settings is needed.
#[derive(Clone, Copy, Debug)]
pub struct SettingFlags {
    /// Adds the flags of `tulk translate` that can have defaults in a profile.
    pub profile: fn(Command) -> Command,
    /// Adds the flags of the embedded sandbox. `None` in a build without it.
    pub sandbox: Option<fn(Command) -> Command>,
}

/// Global flags that can have defaults in a profile.
const GLOBAL_FLAGS: [&str; 8] =
    ["reporting_tag", "timeout", "retries", "max_wait", "concurrency", "rate", "proxy", "ca_file"];

/// The only key outside of a table.
pub const DEFAULT_PROFILE: &str = "default_profile";

const TOP_LEVEL: [&str; 4] = [DEFAULT_PROFILE, "profiles", "services", "sandbox"];

/// The settings by table. Each table is built at its first use.
pub struct SettingSchema {
    flags: SettingFlags,
    top: Setting,
    profile: OnceCell<Vec<Setting>>,
    service: OnceCell<Vec<Setting>>,
    sandbox: OnceCell<Vec<Setting>>,
}

impl SettingSchema {
    /// Creates the schema without building any flags.
    pub fn new(flags: SettingFlags) -> Self {
        let top = Setting::text(DEFAULT_PROFILE, "Profile to use without --profile");
        Self { flags, top, profile: OnceCell::new(), service: OnceCell::new(), sandbox: OnceCell::new() }
    }

    /// Returns whether the keys of a table can be checked in this build.
    pub fn knows_table(&self, table: &str) -> bool {
        table != "sandbox" || self.flags.sandbox.is_some()
    }

    /// Returns the setting with a key such as `["profiles", "work", "formality"]`. Fails with a suggestion if the key is unknown.
    pub fn find(&self, path: &[String]) -> Result<&Setting, Failure> {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        if let Some(failure) = key_as_setting(&words) {
            return Err(failure);
        }
        let (settings, key) = match words.as_slice() {
            [DEFAULT_PROFILE] => return Ok(&self.top),
            ["profiles", _, key] => (self.profile(), key),
            ["services", _, key] => (self.service(), key),
            ["sandbox", key] => (self.sandbox(), key),
            ["profiles" | "services" | "sandbox"] | ["profiles" | "services", _] => {
                return Err(Failure::usage(format!("`{}` is a table", path.join(".")))
                    .hint("use a setting in it, such as profiles.work.target_lang"));
            }
            [name] if self.profile().iter().any(|setting| setting.name() == *name) => {
                return Err(Failure::usage(format!("unknown setting `{name}`"))
                    .hint(format!("it is a setting of a profile, such as profiles.work.{name}")));
            }
            [first, ..] => return Err(unknown_setting(&path.join("."), first, TOP_LEVEL)),
            [] => return Err(Failure::usage("the setting name is empty")),
        };
        let found = settings.iter().find(|setting| setting.name() == *key);
        found.ok_or_else(|| unknown_setting(&path.join("."), key, settings.iter().map(Setting::name)))
    }

    /// Returns the keys of a table (`profiles`, `services` or `sandbox`) with their help texts. Any other name means the top level.
    pub fn keys_of(&self, table: &str) -> Vec<(String, String)> {
        let settings = match table {
            "profiles" => self.profile(),
            "services" => self.service(),
            "sandbox" => self.sandbox(),
            _ => std::slice::from_ref(&self.top),
        };
        // Some fields have two names: list only the name of the flag.
        let has_own_name =
            |flag: &str| settings.iter().any(|other| other.flag() == flag && other.is_named_after_flag());
        let is_second = |s: &&Setting| s.is_negated() || (!s.is_named_after_flag() && has_own_name(s.flag()));
        settings.iter().filter(|s| !is_second(s)).map(|setting| (setting.name().to_owned(), setting.help())).collect()
    }

    /// Returns the settings of `[sandbox]`.
    pub fn sandbox(&self) -> &[Setting] {
        self.sandbox.get_or_init(|| {
            let Some(add_flags) = self.flags.sandbox else { return Vec::new() };
            add_flags(Command::new("sandbox")).get_arguments().cloned().map(Setting::of_flag).collect()
        })
    }

    fn service(&self) -> &[Setting] {
        self.service.get_or_init(|| {
            let addresses = ENDPOINTS.iter().map(|(endpoint, key)| {
                Setting::text(key, format!("Base URL of the endpoint {endpoint}")).parsed_by(parse_address)
            });
            let words = [
                ("auth_scheme", "Word before the key in a request"),
                ("reporting_tag_header", "Header of reporting tags"),
            ];
            addresses.chain(words.map(|(key, help)| Setting::text(key, help).parsed_by(header_word))).collect()
        })
    }

    fn profile(&self) -> &[Setting] {
        self.profile.get_or_init(|| {
            let endpoints = PossibleValuesParser::new(ENDPOINTS.map(|(endpoint, _)| endpoint));
            let mut settings = vec![
                Setting::text("service", "Name of the service: deepl or your own"),
                Setting::of_flag(
                    Arg::new("endpoint")
                        .long("endpoint")
                        .help("Which of its servers: paid, free, us or jp")
                        .value_parser(endpoints),
                ),
                Setting::text("server", "Base URL of the service").parsed_by(parse_address),
                Setting::text("key_command", "Command that prints the API key"),
                Setting::text("admin_key_command", "Command that prints the admin key"),
            ];
            let flags = (self.flags.profile)(Command::new("profile"));
            settings.extend(flags.get_arguments().flat_map(Setting::of_profile_flag));
            let global = GlobalArgs::augment_args(Command::new("global"));
            let has_default = |arg: &&Arg| GLOBAL_FLAGS.contains(&arg.get_id().as_str());
            settings.extend(global.get_arguments().filter(has_default).cloned().map(Setting::of_flag));
            settings
        })
    }
}

/// Returns the failure if a path looks like a setting for an API key.
fn key_as_setting(path: &[&str]) -> Option<Failure> {
    let (profile, name) = match path {
        [name] => (None, *name),
        ["profiles", profile, name] => (Some(*profile), *name),
        _ => return None,
    };
    let flag = match name {
        "key" | "api_key" | "auth_key" | "token" => "",
        "admin_key" => " --admin",
        _ => return None,
    };
    let profile = profile.map(|name| format!(" --profile {}", shell::quote(name))).unwrap_or_default();
    Some(Failure::usage("a key is not a setting").hint(format!(
        "`tulk auth login{flag}{profile}` asks for the key, checks it and stores it in a file that only you can read"
    )))
}

fn unknown_setting<'a>(path: &str, key: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Failure {
    let failure = Failure::usage(format!("unknown setting `{path}`"));
    match closest(key, known.clone()) {
        Some(name) => failure.hint(format!("did you mean `{name}`?")),
        None => failure.hint(format!("valid settings: {}", known.into_iter().collect::<Vec<_>>().join(", "))),
    }
}

fn parse_address(text: &str) -> Result<String, String> {
    normalized_address(text).map(|(base, _)| base).map_err(|failure| match failure.hint {
        Some(hint) => format!("{}; {hint}", failure.what),
        None => failure.what,
    })
}

/// Accepts one word that can be used in a header, or as the name of one.
fn header_word(text: &str) -> Result<String, String> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_token) {
        return Ok(text.to_owned());
    }
    Err(format!("`{text}` is not one word of letters, digits and hyphens"))
}
