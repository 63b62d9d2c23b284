//! Decodes UTF-8 from reads of any size: characters stay whole, and invalid bytes are reported or replaced.

/// The state of a decoder between two reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf8Decoder {
    carried: usize,
    offset: u64,
}

/// Offset of the first invalid byte, from the start of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidByte(pub u64);

impl Utf8Decoder {
    /// Returns the number of bytes at the start of the buffer that wait for the rest of their character.
    ///
    /// The next read goes behind them.
    pub fn carried(&self) -> usize {
        self.carried
    }

    /// Appends what is valid in the first `filled` bytes of `raw` to `out`.
    ///
    /// A character that is cut off at the end is carried to the start of `raw`, unless this is the `last` read. Invalid bytes
    /// become U+FFFD if `lossy`; else decoding stops at the first one, after the valid bytes before it were appended.
    pub fn decode(
        &mut self,
        raw: &mut [u8],
        filled: usize,
        last: bool,
        lossy: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), InvalidByte> {
        self.carried = 0;
        let mut start = 0;
        loop {
            let rest = raw.get(start..filled).unwrap_or_default();
            let Err(error) = std::str::from_utf8(rest) else {
                out.extend_from_slice(rest);
                self.offset += rest.len() as u64;
                return Ok(());
            };
            let valid = error.valid_up_to();
            out.extend_from_slice(rest.get(..valid).unwrap_or_default());
            start += valid;
            self.offset += valid as u64;
            let invalid = match error.error_len() {
                Some(len) => len,
                None if last => filled - start,
                None => {
                    raw.copy_within(start..filled, 0);
                    self.carried = filled - start;
                    return Ok(());
                }
            };
            if !lossy {
                return Err(InvalidByte(self.offset));
            }
            out.extend_from_slice("\u{FFFD}".as_bytes());
            start += invalid;
            self.offset += invalid as u64;
        }
    }
}
