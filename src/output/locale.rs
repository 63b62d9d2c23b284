//! Whether the terminal shows characters outside ASCII, from the variables of the locale.

/// Variables that choose the character set; the first one that is set and not empty decides.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];

/// Returns whether the locale of the process uses UTF-8.
pub fn is_utf8() -> bool {
    let value = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    uses_utf8(VARIABLES.iter().filter_map(|name| value(name)))
}

/// Decides by the values of the variables, in their order.
///
/// Windows and macOS use UTF-8 even if no variable is set.
fn uses_utf8(mut values: impl Iterator<Item = String>) -> bool {
    let unset = cfg!(any(windows, target_os = "macos"));
    values.find(|value| !value.is_empty()).map_or(unset, |value| {
        let value = value.to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_not_empty_decides() {
        let decide = |values: &[&str]| uses_utf8(values.iter().map(|value| (*value).to_owned()));
        assert!(decide(&["en_US.UTF-8"]));
        assert!(decide(&["", "de_DE.utf8", "C"]));
        assert!(!decide(&["C", "en_US.UTF-8"]));
        assert!(!decide(&["de_DE@euro"]));
        assert_eq!(decide(&[]), cfg!(any(windows, target_os = "macos")));
    }
}
