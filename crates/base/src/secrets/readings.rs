//! Decodes every position of a text in all possible ways: as written, and as an escape that starts there.
//!
//! An escape may itself consist of escaped characters, in any mixture: `\u0053`, `%5Cu0053`, `&#x5c;u0053`, `%2553`.

/// Maximum number of readings per position. A character that is escaped more often than this is not found.
const MAX_READINGS: usize = 16;

/// HTML character references for ASCII characters other than control characters.
const CHARACTER_REFERENCES: [(&str, u8); 39] = [
    ("amp", b'&'),
    ("apos", b'\''),
    ("ast", b'*'),
    ("bsol", b'\\'),
    ("colon", b':'),
    ("comma", b','),
    ("commat", b'@'),
    ("dollar", b'$'),
    ("equals", b'='),
    ("excl", b'!'),
    ("grave", b'`'),
    ("gt", b'>'),
    ("GT", b'>'),
    ("hat", b'^'),
    ("Hat", b'^'),
    ("lbrace", b'{'),
    ("lbrack", b'['),
    ("lcub", b'{'),
    ("lowbar", b'_'),
    ("lpar", b'('),
    ("lsqb", b'['),
    ("lt", b'<'),
    ("LT", b'<'),
    ("midast", b'*'),
    ("num", b'#'),
    ("percnt", b'%'),
    ("period", b'.'),
    ("plus", b'+'),
    ("quest", b'?'),
    ("quot", b'"'),
    ("QUOT", b'"'),
    ("rbrace", b'}'),
    ("rbrack", b']'),
    ("rcub", b'}'),
    ("rpar", b')'),
    ("rsqb", b']'),
    ("semi", b';'),
    ("sol", b'/'),
    ("vert", b'|'),
];

/// One way to read a position: the decoded byte, and the position after it.
pub(super) type Reading = (u8, usize);

pub(super) struct Readings<'a> {
    text: &'a [u8],
    /// Readings of each position. Empty if the position can only be read as written.
    found: Vec<Vec<Reading>>,
    /// Readings that skip the backslashes before a character: `/` for `\/`.
    bare: Vec<Vec<Reading>>,
}

impl<'a> Readings<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        let mut readings = Self { text, found: Vec::new(), bare: Vec::new() };
        if text.iter().any(|byte| is_lead(*byte)) {
            readings.found.resize_with(text.len(), Vec::new);
            readings.bare.resize_with(text.len(), Vec::new);
            // Backwards, because an escape consists of the characters after it.
            (0..text.len()).rev().for_each(|at| readings.read(at));
        }
        readings
    }

    /// Returns the readings of a position, including those that skip a backslash before a character.
    pub(super) fn all_at(&self, at: usize) -> impl Iterator<Item = Reading> {
        self.at(at).chain(self.bare.get(at).into_iter().flatten().copied())
    }

    /// Returns the readings of a position, starting with the character as written.
    fn at(&self, at: usize) -> impl Iterator<Item = Reading> {
        let found = self.found.get(at).map(Vec::as_slice).unwrap_or_default();
        let plain = self.text.get(at).filter(|_| found.is_empty()).map(|byte| (*byte, at + 1));
        plain.into_iter().chain(found.iter().copied())
    }

    /// Returns the byte of a position that has no other reading.
    pub(super) fn only_byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).filter(|_| self.found.get(at).is_none_or(Vec::is_empty)).copied()
    }

    /// Returns whether an escape for an ASCII character other than a letter or digit ends at a position.
    pub(super) fn is_after_break(&self, at: usize) -> bool {
        let is_break = |&(byte, end): &Reading| end == at && byte.is_ascii() && !byte.is_ascii_alphanumeric();
        self.found.iter().take(at).rev().take(64).flatten().any(is_break)
    }

    /// Finds the readings of a position where an escape may start.
    fn read(&mut self, at: usize) {
        let Some(mut plain) = self.at(at).next().filter(|(byte, _)| is_lead(*byte)) else { return };
        // A run of backslashes counts as one: JSON doubles it, and JSON inside JSON doubles it again.
        if plain.0 == b'\\' && self.text.get(plain.1) == Some(&b'\\') {
            plain.1 = self.at(plain.1).next().map_or(plain.1, |(_, end)| end);
        }
        let (mut found, mut bare) = (vec![plain], Vec::new());
        let mut next = 0;
        while let Some(&(lead, after)) = found.get(next) {
            next += 1;
            let mut readings = self.escape(lead, after);
            if lead == b'\\' {
                let (run, others): (Vec<_>, Vec<_>) = self.at(after).partition(|(byte, _)| *byte == lead);
                readings.extend(run);
                bare.extend(others.into_iter().take(MAX_READINGS));
            }
            for reading in readings {
                if found.len() < MAX_READINGS && !found.contains(&reading) {
                    found.push(reading);
                }
            }
        }
        bare.truncate(MAX_READINGS);
        if let Some(place) = self.found.get_mut(at) {
            *place = found;
        }
        if let Some(place) = self.bare.get_mut(at) {
            *place = bare;
        }
    }

    /// Returns the readings of an escape that starts with `lead` and continues at `after`.
    fn escape(&self, lead: u8, after: usize) -> Vec<Reading> {
        let codes = |from, radix, least, most| {
            let codes = self.number(from, radix, least, most).into_iter();
            codes.filter_map(|(code, end)| Some((u8::try_from(code).ok()?, end)))
        };
        match lead {
            // `%2F`, `%u002f`; `=2F` of quoted-printable
            b'%' => {
                let long = self.ends(after, b"u").into_iter().flat_map(|from| codes(from, 16, 4, 4));
                codes(after, 16, 2, 2).chain(long).collect()
            }
            b'=' => codes(after, 16, 2, 2).collect(),
            b'\\' => {
                let mut found = Vec::new();
                for (byte, end) in self.at(after) {
                    match byte {
                        b'u' => {
                            found.extend(codes(end, 16, 4, 4));
                            let braced = self.ends(end, b"{").into_iter().flat_map(|from| codes(from, 16, 1, 6));
                            found.extend(
                                braced.flat_map(|(byte, end)| {
                                    self.ends(end, b"}").into_iter().map(move |end| (byte, end))
                                }),
                            );
                        }
                        b'U' => found.extend(codes(end, 16, 8, 8)),
                        b'x' => found.extend(codes(end, 16, 2, 2)),
                        b'0'..=b'3' => found.extend(codes(after, 8, 3, 3)),
                        b'n' | b'r' | b't' | b'b' | b'f' => found.push((b'\n', end)),
                        _ => {}
                    }
                }
                found
            }
            // `&#47;`, `&#x2f;`, `&sol;`; browsers do not need the semicolon
            b'&' => {
                let numbers = self.ends(after, b"#").into_iter().flat_map(|from| {
                    let hex = self.ends(from, b"xX").into_iter().flat_map(|from| codes(from, 16, 1, 8));
                    codes(from, 10, 1, 10).chain(hex).collect::<Vec<_>>()
                });
                let letters: Vec<u8> = self.at(after).map(|(byte, _)| byte).collect();
                let is_start = |name: &str| name.bytes().next().is_some_and(|letter| letters.contains(&letter));
                let names = CHARACTER_REFERENCES.iter().filter(|(name, _)| is_start(name)).flat_map(|(name, byte)| {
                    let ends = name.bytes().fold(vec![after], |starts, letter| {
                        starts.into_iter().flat_map(|start| self.ends(start, &[letter])).collect()
                    });
                    ends.into_iter().map(|end| (*byte, end))
                });
                let all = numbers.chain(names).flat_map(|(byte, end)| {
                    let closed = self.ends(end, b";");
                    let ends = if closed.is_empty() { vec![end] } else { closed };
                    ends.into_iter().map(move |end| (byte, end))
                });
                all.collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the end positions of all readings of a character in `bytes`.
    fn ends(&self, at: usize, bytes: &[u8]) -> Vec<usize> {
        self.at(at).filter(|(byte, _)| bytes.contains(byte)).map(|(_, end)| end).collect()
    }

    /// Returns the numbers that start at a position, each with its end, with `least` to `most` digits.
    fn number(&self, at: usize, radix: u32, least: usize, most: usize) -> Vec<(u32, usize)> {
        let (mut open, mut done) = (vec![(0_u32, at)], Vec::new());
        for count in 0..most {
            let mut longer = Vec::new();
            for (value, end) in open {
                let before = longer.len();
                longer.extend(self.at(end).filter_map(|(digit, end)| {
                    let digit = char::from(digit).to_digit(radix)?;
                    Some((value.checked_mul(radix)?.checked_add(digit)?, end))
                }));
                if longer.len() == before && count >= least {
                    done.push((value, end));
                }
            }
            longer.truncate(MAX_READINGS);
            open = longer;
        }
        done.extend(open);
        done
    }
}

/// Returns whether an escape can start with this byte.
fn is_lead(byte: u8) -> bool {
    matches!(byte, b'\\' | b'%' | b'&' | b'=')
}
