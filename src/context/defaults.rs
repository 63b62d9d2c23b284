//! The profile's defaults: values of flags that were not given.
//!
//! An invalid value is a failure that names the settings file and the line.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tulk_base::error::Failure;
use tulk_client::Defaulted;
use tulk_client::api::assets::BrokenRule;

use crate::config::{Config, is_none};
use crate::context::Context;

pub struct ProfileDefaults<'a>(&'a Config);

impl<'a> ProfileDefaults<'a> {
    pub fn new(ctx: &'a Context) -> Result<Self, Failure> {
        Ok(Self(ctx.config()?))
    }

    /// Returns the default of a setting. Fails with file and line if the value does not have this type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Failure> {
        let Some(value) = self.0.defaults().get(name) else { return Ok(None) };
        self.0.check_default(name)?;
        serde_json::from_value(value.clone())
            .map(Some)
            .map_err(|e| self.at(name, Failure::usage(format!("{name}: {e}"))))
    }

    /// Returns the flag's value, or the default if the flag is not given. The flag value `none` drops the default.
    pub fn or<T: DeserializeOwned>(&self, flag: Option<Defaulted<T>>, name: &str) -> Result<Option<T>, Failure> {
        flag.map_or_else(|| self.get(name), |flag| Ok(flag.value()))
    }

    /// Returns the values of a repeatable flag, or the default if the flag is not given. The flag value `none` drops the default.
    pub fn or_list<T: DeserializeOwned + Clone>(&self, flags: &[Defaulted<T>], name: &str) -> Result<Vec<T>, Failure> {
        if flags.is_empty() {
            return Ok(self.get(name)?.unwrap_or_default());
        }
        Ok(flags.iter().cloned().filter_map(Defaulted::value).collect())
    }

    /// Returns `flags` with the profile's default for each option that was not given.
    ///
    /// Settings that are not fields of `T` are skipped, so one profile serves several commands.
    pub fn fill_in<T: Serialize + DeserializeOwned>(&self, flags: &T) -> Result<T, Failure> {
        let flags = object(flags)?;
        let mut fields = Map::new();
        for (name, value) in self.0.defaults() {
            let single = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
            let option: T =
                serde_json::from_value(single).map_err(|e| self.at(name, Failure::usage(format!("{name}: {e}"))))?;
            let option = object(&option)?;
            if option.keys().any(|field| !flags.contains_key(field)) {
                self.0.check_default(name)?;
            }
            fields.extend(option);
        }
        fields.extend(flags);
        // Remove flags set to `none`, which drop a default. In no field of `T` does `none` have another meaning.
        fields.retain(|_, value| !is_none(value));
        serde_json::from_value(Value::Object(fields)).map_err(|e| Failure::usage(e.to_string()))
    }

    /// Returns the failure for a broken rule.
    ///
    /// `is_flag` returns whether an option was given as a flag. If one of the rule's options comes from a default, the failure
    /// points to the line of that default in the settings file.
    pub fn refusal(&self, rule: BrokenRule, is_flag: impl Fn(&str) -> bool) -> Failure {
        let failure = Failure::usage(rule.problem).hint(rule.hint);
        let origin = rule.options.iter().filter(|name| !is_flag(name)).find_map(|name| self.0.default_origin(name));
        match origin {
            Some(origin) => failure.at(origin.clone()),
            None => failure,
        }
    }

    fn at(&self, name: &str, failure: Failure) -> Failure {
        match self.0.default_origin(name) {
            Some(origin) => failure.at(origin.clone()),
            None => failure,
        }
    }
}

/// Returns the options that are set, by name.
pub fn object(options: &impl Serialize) -> Result<Map<String, Value>, Failure> {
    match serde_json::to_value(options) {
        Ok(Value::Object(fields)) => Ok(fields),
        _ => Err(Failure::internal("the options are not a JSON object")),
    }
}
