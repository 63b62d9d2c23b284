//! Targets for texts and files with texts.

use super::FuzzTarget;
use crate::parts::PartFormat;

pub const TARGETS: &[FuzzTarget] = &[FuzzTarget { name: "lines", check: lines }];

fn lines(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let format = PartFormat::named("lines");
    assert!(format.and_then(|format| format.rewrite(text)).is_some_and(|out| out.len() >= text.len()), "text is lost");
}
