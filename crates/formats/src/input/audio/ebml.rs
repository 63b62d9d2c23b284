//! EBML, the syntax of WebM and Matroska: the ID and the size of an element, and the numbers in it.

/// What stands at a place where an element should start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EbmlStart {
    /// An element.
    Element(EbmlHeader),
    /// Too few bytes to tell.
    Incomplete,
    /// No element.
    Invalid,
}

/// The start of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EbmlHeader {
    /// ID, with its length marker.
    pub id: u32,
    /// Bytes of ID and size.
    pub bytes: usize,
    /// Bytes of the content; `None` if the writer did not know it.
    pub size: Option<u64>,
}

/// Reads the start of an element.
pub fn header(bytes: &[u8]) -> EbmlStart {
    let Some(&first) = bytes.first() else { return EbmlStart::Incomplete };
    let id_bytes = first.leading_zeros() as usize + 1;
    if id_bytes > 4 {
        return EbmlStart::Invalid;
    }
    match bytes.get(id_bytes) {
        None => return EbmlStart::Incomplete,
        Some(0) => return EbmlStart::Invalid,
        Some(_) => {}
    }
    let (id, rest) = bytes.split_at(id_bytes);
    let Some((size, size_bytes)) = variable(rest) else { return EbmlStart::Incomplete };
    let id = id.iter().fold(0, |id, &byte| id << 8 | u32::from(byte));
    // All bits set means that the size is not known.
    let is_known = size != u64::MAX >> (64 - 7 * size_bytes);
    EbmlStart::Element(EbmlHeader { id, bytes: id_bytes + size_bytes, size: is_known.then_some(size) })
}

/// Reads a number of variable length, and returns it with its length. `None` if it is incomplete or invalid.
pub fn variable(bytes: &[u8]) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    let len = first.leading_zeros() as usize + 1;
    let rest = bytes.get(1..len).filter(|_| len <= 8)?;
    let start = u64::from(first) & (0x7F >> (len - 1));
    Some((rest.iter().fold(start, |number, &byte| number << 8 | u64::from(byte)), len))
}

/// Reads the content of an element as a number. More than eight bytes are no number.
pub fn number(content: &[u8]) -> u64 {
    if content.len() > 8 {
        return 0;
    }
    content.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ids_and_sizes() {
        let element = |id, bytes, size| EbmlStart::Element(EbmlHeader { id, bytes, size });
        for (bytes, expected) in [
            (&[0xA3, 0x81][..], element(0xA3, 2, Some(1))),
            (&[0x1F, 0x43, 0xB6, 0x75, 0xFF], element(0x1F43_B675, 5, None)),
            (&[0x18, 0x53, 0x80, 0x67, 1, 255, 255, 255, 255, 255, 255, 255], element(0x1853_8067, 12, None)),
            (&[0xE7, 1, 0, 0, 0, 0, 0, 0, 8], element(0xE7, 9, Some(8))),
            (&[0x42, 0x82, 0x40, 0x02], element(0x4282, 4, Some(2))),
            (&[0x42], EbmlStart::Incomplete),
            (&[0xA3, 0x40], EbmlStart::Incomplete),
            (&[], EbmlStart::Incomplete),
            (&[0x08, 0x81], EbmlStart::Invalid),
            (&[0xA3, 0], EbmlStart::Invalid),
        ] {
            assert_eq!(header(bytes), expected, "{bytes:x?}");
        }
    }
}
