//! Commands inside messages: `` `tulk doc resume` `` gets the flags that choose server, key and profile.

use std::borrow::Cow;

/// How a command begins in a message.
const START: &str = "`tulk ";

/// Returns a message whose commands have these flags, which are quoted for a shell. Commands that begin with a flag have their
/// own and stay as they are.
pub fn with_flags<'a>(message: &'a str, flags: &str) -> Cow<'a, str> {
    if flags.is_empty() || !message.contains(START) {
        return Cow::Borrowed(message);
    }
    let mut parts = message.split(START);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(START);
        if part.starts_with(|c: char| c.is_ascii_lowercase()) {
            text.push_str(flags);
            text.push(' ');
        }
        text.push_str(part);
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_gets_the_flags_unless_it_has_its_own() {
        let message = "run `tulk auth login`, or `tulk --sandbox usage`; see `tulk langs check --to de`";
        assert_eq!(
            with_flags(message, "-p 'my work'"),
            "run `tulk -p 'my work' auth login`, or `tulk --sandbox usage`; see `tulk -p 'my work' langs check --to de`"
        );
        assert_eq!(with_flags(message, ""), message);
        assert_eq!(with_flags("`tulk <b>`, tulk usage", "-p x"), "`tulk <b>`, tulk usage");
    }
}
