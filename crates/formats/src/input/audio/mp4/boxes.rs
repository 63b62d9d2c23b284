//! Parser for boxes, the syntax of MP4.

use crate::input::audio::detected::big_endian;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxHeader {
    pub kind: [u8; 4],
    pub bytes: usize,
    /// Size of the content in bytes; `u64::MAX` if it extends to the end of the file.
    pub content: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxStart {
    Box(BoxHeader),
    Incomplete,
    Invalid,
}

pub const HEADER_MAX_BYTES: usize = 16;

pub fn header(bytes: &[u8]) -> BoxStart {
    let (Some(size), Some(kind)) = (big_endian(bytes, 0, 4), bytes.get(4..8)) else { return BoxStart::Incomplete };
    let Ok(kind) = kind.try_into() else { return BoxStart::Invalid };
    let (size, bytes) = match size {
        0 => return BoxStart::Box(BoxHeader { kind, bytes: 8, content: u64::MAX }),
        1 => match big_endian(bytes, 8, 8) {
            Some(size) => (size, HEADER_MAX_BYTES),
            None => return BoxStart::Incomplete,
        },
        size => (size, 8),
    };
    match size.checked_sub(bytes as u64) {
        Some(content) => BoxStart::Box(BoxHeader { kind, bytes, content }),
        None => BoxStart::Invalid,
    }
}

/// Ends at the first incomplete box.
pub fn children(content: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    let mut rest = content;
    std::iter::from_fn(move || {
        let BoxStart::Box(found) = header(rest) else { return None };
        let after = rest.get(found.bytes..)?;
        let size = if found.content == u64::MAX { after.len() } else { usize::try_from(found.content).ok()? };
        let (inner, next) = after.split_at_checked(size)?;
        rest = next;
        Some((found.kind, inner))
    })
}

/// Returns the content of a nested box, by the kinds on its path.
pub fn find<'a>(content: &'a [u8], path: &[&[u8; 4]]) -> Option<&'a [u8]> {
    path.iter().try_fold(content, |content, kind| children(content).find(|(k, _)| k == *kind).map(|(_, inner)| inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_headers_of_each_form() {
        let found = |bytes, content| BoxStart::Box(BoxHeader { kind: *b"moov", bytes, content });
        assert_eq!(header(b"\0\0\0\x0Cmoovabcd"), found(8, 4));
        assert_eq!(header(b"\0\0\0\x01moov\0\0\0\x01\0\0\0\0"), found(16, 0xFFFF_FFF0));
        assert_eq!(header(b"\0\0\0\0moov"), found(8, u64::MAX));
        assert_eq!(header(b"\0\0\0\x07moov"), BoxStart::Invalid);
        assert_eq!(header(b"\0\0\0\x01moov\0\0\0\0\0\0\0\x0F"), BoxStart::Invalid);
        assert_eq!(header(b"\0\0\0\x0Cmoo"), BoxStart::Incomplete);
    }

    #[test]
    fn finds_boxes_inside_boxes() {
        let inner = b"\0\0\0\x09freex\0\0\0\x0Amdiayz";
        let mut outer = b"\0\0\0\x1Btrak".to_vec();
        outer.extend(inner);
        assert_eq!(find(&outer, &[b"trak", b"mdia"]), Some(b"yz".as_slice()));
        assert_eq!(find(&outer, &[b"trak", b"moov"]), None);
        assert_eq!(children(b"\0\0\0\xFFfree").count(), 0);
    }
}
