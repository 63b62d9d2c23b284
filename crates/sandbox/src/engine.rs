//! The engines that stand in for translation.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a text becomes its "translation".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Accented letters, different for each target language
    #[default]
    Pseudo,
    /// The text itself, byte for byte
    Echo,
    /// Capital letters
    Upper,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Pseudo => "pseudo",
            Self::Echo => "echo",
            Self::Upper => "upper",
        })
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "pseudo" => Ok(Self::Pseudo),
            "echo" => Ok(Self::Echo),
            "upper" => Ok(Self::Upper),
            _ => Err(format!("unknown engine '{text}': must be pseudo, echo or upper")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_names_it_prints() {
        for name in ["pseudo", "echo", "upper"] {
            assert_eq!(name.parse::<Engine>().unwrap().to_string(), name);
        }
        assert!("Echo".parse::<Engine>().is_err());
    }
}
