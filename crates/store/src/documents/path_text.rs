//! Serde format of paths: text, or an object with the bytes if the path is not UTF-8.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredPath<'a> {
    Text(Cow<'a, str>),
    /// Hexadecimal digits.
    Bytes {
        bytes: String,
    },
}

impl<'a> StoredPath<'a> {
    fn new(path: &'a Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.into()),
            None => Self::Bytes { bytes: HEXLOWER.encode(path.as_os_str().as_encoded_bytes()) },
        }
    }

    fn path<E: de::Error>(self) -> Result<PathBuf, E> {
        match self {
            Self::Text(text) => Ok(PathBuf::from(text.into_owned())),
            Self::Bytes { bytes } => HEXLOWER.decode(bytes.as_bytes()).map(from_bytes).map_err(de::Error::custom),
        }
    }
}

fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    #[cfg(unix)]
    let path: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    let path = String::from_utf8_lossy(&bytes).into_owned();
    path.into()
}

pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    StoredPath::new(path).serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    StoredPath::deserialize(deserializer)?.path()
}

pub mod optional {
    use super::{Deserialize, Deserializer, PathBuf, Serialize, Serializer, StoredPath};

    #[allow(clippy::ref_option)] // serde passes the field
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_deref().map(StoredPath::new).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
        Option::<StoredPath<'_>>::deserialize(deserializer)?.map(StoredPath::path).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Paths {
        #[serde(with = "super")]
        one: PathBuf,
        #[serde(with = "super::optional", default)]
        other: Option<PathBuf>,
    }

    #[test]
    fn utf8_paths_are_stored_as_text() {
        let paths = Paths { one: "/a/ü.txt".into(), other: None };
        let text = serde_json::to_string(&paths).unwrap();
        assert_eq!(text, r#"{"one":"/a/ü.txt","other":null}"#);
        assert_eq!(serde_json::from_str::<Paths>(&text).unwrap(), paths);
        assert_eq!(serde_json::from_str::<Paths>(r#"{"one":"/a/ü.txt"}"#).unwrap(), paths);
    }

    #[cfg(unix)]
    #[test]
    fn other_paths_are_stored_as_hexadecimal_bytes() {
        let paths = Paths { one: from_bytes(b"/a/\xff.txt".to_vec()), other: Some(from_bytes(b"\xfe".to_vec())) };
        let text = serde_json::to_string(&paths).unwrap();
        assert_eq!(text, r#"{"one":{"bytes":"2f612fff2e747874"},"other":{"bytes":"fe"}}"#);
        assert_eq!(serde_json::from_str::<Paths>(&text).unwrap(), paths);
        assert!(serde_json::from_str::<Paths>(r#"{"one":{"bytes":"xy"}}"#).is_err());
    }
}
