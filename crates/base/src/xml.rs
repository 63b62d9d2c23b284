//! Decodes XML references such as `&amp;` and `&#38;`.

/// Decodes a predefined entity or a character reference. `name` is without `&` and `;`.
pub fn referenced_char(name: &str) -> Option<char> {
    let number = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => name.strip_prefix('#')?,
    };
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |hex| (hex, 16));
    // `from_str_radix` also accepts a plus sign.
    let code = u32::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))?;
    char::from_u32(code)
}
