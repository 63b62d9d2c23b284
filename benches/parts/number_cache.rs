//! A cache of results whose entries are derived from numbers.

use std::path::Path;
use std::time::Duration;

use serde_json::value::RawValue;
use tulk_store::results::{CachedResult, KeyScope, ResultCache, ResultKey};

pub struct NumberCache {
    cache: ResultCache,
    scope: KeyScope,
}

impl NumberCache {
    pub fn at(dir: &Path) -> Self {
        Self { cache: ResultCache::at(dir, true), scope: KeyScope::new(["service", "options"]) }
    }

    /// Waits until the results are written.
    pub fn store(&self, numbers: std::ops::Range<u64>) {
        let result = |number: u64| {
            let object =
                format!(r#"{{"detected_source_language":"EN","text":"Dies ist Zeile {number} eines Textes"}}"#);
            let object = RawValue::from_string(object).ok()?;
            Some((self.key(number), CachedResult::from_object(&object)?))
        };
        self.cache.store(numbers.filter_map(result).collect());
        self.cache.finish(Duration::from_secs(60));
    }

    /// Looks up numbers as one batch. Returns how many were found.
    pub fn find(&self, numbers: impl IntoIterator<Item = u64>) -> usize {
        let keys: Vec<ResultKey> = numbers.into_iter().map(|number| self.key(number)).collect();
        self.cache.find(&keys).iter().flatten().count()
    }

    fn key(&self, number: u64) -> ResultKey {
        self.scope.key("", &format!("This is line {number} of a text"))
    }
}
