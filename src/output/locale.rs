//! The character set of the terminal.

use std::env;

/// Returns whether terminals show UTF-8 here: by the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set. Always on Windows.
pub fn is_utf8() -> bool {
    let set = |name: &&str| env::var_os(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    cfg!(windows) || locale.is_some_and(|locale| names_utf8(&locale.to_string_lossy()))
}

fn names_utf8(locale: &str) -> bool {
    let charset = locale.split_once('.').map_or("", |(_, charset)| charset);
    let charset = charset.split('@').next().unwrap_or_default();
    ["utf8", "utf-8"].iter().any(|name| charset.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::names_utf8;

    #[test]
    fn the_character_set_is_part_of_the_locale() {
        let utf8 = ["en_US.UTF-8", "C.utf8", "de_DE.utf-8@euro"];
        assert!(utf8.iter().all(|locale| names_utf8(locale)));
        let other = ["", "C", "POSIX", "de_DE@euro", "ru_RU.KOI8-R", "UTF-8"];
        assert!(other.iter().all(|locale| !names_utf8(locale)));
    }
}
