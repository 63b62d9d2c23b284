//! Escapes text for a JSON string, and measures the result without writing it.

/// Length of `text` in bytes once escaped.
pub fn escaped_len(text: &[u8]) -> usize {
    text.iter().map(|&byte| usize::from(COST[usize::from(byte)])).sum()
}

/// Appends `text`, escaped.
pub fn escape_into(out: &mut Vec<u8>, text: &[u8]) {
    let mut plain = 0;
    for (i, &byte) in text.iter().enumerate() {
        if COST[usize::from(byte)] == 1 {
            continue;
        }
        out.extend_from_slice(text.get(plain..i).unwrap_or_default());
        plain = i + 1;
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            _ => {
                let hex = |nibble: u8| b"0123456789abcdef"[usize::from(nibble & 15)];
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', hex(byte >> 4), hex(byte)]);
            }
        }
    }
    out.extend_from_slice(text.get(plain..).unwrap_or_default());
}

/// Escaped length of each byte.
const COST: [u8; 256] = {
    let mut cost = [1; 256];
    let mut i = 0;
    while i < 0x20 {
        cost[i] = 6;
        i += 1;
    }
    cost[0x08] = 2;
    cost[0x09] = 2;
    cost[0x0a] = 2;
    cost[0x0c] = 2;
    cost[0x0d] = 2;
    cost[b'"' as usize] = 2;
    cost[b'\\' as usize] = 2;
    cost
};

/// Returns whether a terminal could take a character for a command: C0, DEL, C1, and characters that turn the direction
/// of text.
pub fn controls_terminal(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_as_serde_does_and_measures_what_it_writes() {
        let mut text: String = (0u8..0x80).map(char::from).collect();
        text.push_str("é漢🙂\u{2028}\u{feff}");
        let mut out = Vec::new();
        escape_into(&mut out, text.as_bytes());
        assert_eq!(out.len(), escaped_len(text.as_bytes()));
        assert_eq!(format!("\"{}\"", String::from_utf8(out).unwrap()), serde_json::to_string(&text).unwrap());
    }
}
