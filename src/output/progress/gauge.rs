//! One meter's numbers, and its face on the terminal: a bar, or plain lines.
//!
//! When it is drawn is the board's business.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

use super::lock;
use crate::output::crash;
use crate::output::screen::{Line, Screen};

/// Work that is done sooner shows no bar.
const BAR_AFTER: Duration = Duration::from_millis(250);
/// Time between two plain lines, and before the first.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// What a meter counts and what of it is on the terminal.
pub(super) struct Gauge {
    pub(super) label: String,
    pub(super) total: Mutex<Option<u64>>,
    pub(super) done: AtomicU64,
    pub(super) bytes: AtomicBool,
    pub(super) note: Mutex<String>,
    pub(super) started: Instant,
    pub(super) group: Option<Arc<Gauge>>,
    pub(super) face: Mutex<Face>,
    pub(super) screen: Arc<Screen>,
}

pub(super) enum Face {
    /// No bar; so many plain lines were written.
    Waiting {
        lines: u64,
    },
    Bar(ProgressBar),
    Ended,
}

impl Gauge {
    /// Shows or moves the bar, once the work is `age` old enough for one.
    pub(super) fn bar_if_due(&self, age: Duration) {
        let mut face = lock(&self.face);
        match &*face {
            Face::Waiting { .. } if age >= BAR_AFTER => *face = Face::Bar(self.hang()),
            Face::Bar(bar) => self.update(bar),
            Face::Waiting { .. } | Face::Ended => {}
        }
    }

    /// Puts a bar on the terminal: above its group's, else below all others.
    fn hang(&self) -> ProgressBar {
        let bar = ProgressBar::no_length();
        let bar = match self.group.as_ref().map(|group| lock(&group.face)).as_deref() {
            Some(Face::Bar(overall)) => self.screen.bars.insert_before(overall, bar),
            _ => self.screen.bars.add(bar),
        };
        self.screen.shown.fetch_add(1, Ordering::SeqCst);
        crash::bars_changed(1);
        bar.set_style(self.style(false));
        bar.set_prefix(self.label.clone());
        self.update(&bar);
        bar
    }

    fn update(&self, bar: &ProgressBar) {
        let total = *lock(&self.total);
        if bar.length() != total {
            bar.set_style(self.style(total.is_some()));
        }
        match total {
            Some(total) => bar.set_length(total),
            None => bar.unset_length(),
        }
        bar.set_position(self.done.load(Ordering::Relaxed));
        bar.set_message(lock(&self.note).clone());
        bar.tick();
    }

    fn style(&self, has_total: bool) -> ProgressStyle {
        let template = match (has_total, self.bytes.load(Ordering::Relaxed)) {
            (true, true) => "{prefix} {bar:24} {bytes}/{total_bytes} {wide_msg}",
            (true, false) => "{prefix} {bar:24} {pos}/{len} {wide_msg}",
            (false, true) => "{spinner} {prefix} {bytes} {elapsed} {wide_msg}",
            (false, false) => "{spinner} {prefix} {pos} {elapsed} {wide_msg}",
        };
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
    }

    /// Writes a line, if one is due at this age.
    pub(super) fn line_if_due(&self, age: Duration) {
        if self.group.is_some() {
            return;
        }
        {
            let mut face = lock(&self.face);
            let Face::Waiting { lines } = &mut *face else { return };
            let due = age.as_secs() / LINE_EVERY.as_secs();
            if due <= *lines {
                return;
            }
            *lines = due;
        }
        self.screen.say(Line::Status, &self.describe(age));
    }

    pub(super) fn describe(&self, age: Duration) -> String {
        let (done, total) = (self.done.load(Ordering::Relaxed), *lock(&self.total));
        let bytes = self.bytes.load(Ordering::Relaxed);
        let amount = |n: u64| if bytes { HumanBytes(n).to_string() } else { n.to_string() };
        let mut line = format!("{}: ", self.label);
        match total {
            Some(total) => {
                let _ = write!(line, "{} of {}", amount(done), amount(total));
                if let Some(percent) = done.saturating_mul(100).checked_div(total) {
                    let _ = write!(line, " ({percent}%)");
                }
                line.push_str(", ");
            }
            None if done > 0 => {
                let _ = write!(line, "{}, ", amount(done));
            }
            None => {}
        }
        let note = lock(&self.note);
        if !note.is_empty() {
            let _ = write!(line, "{note}, ");
        }
        let _ = write!(line, "{} s so far", age.as_secs());
        line
    }

    /// Takes the bar away for good.
    pub(super) fn end(&self) {
        let face = std::mem::replace(&mut *lock(&self.face), Face::Ended);
        if let Face::Bar(bar) = face {
            bar.finish_and_clear();
            self.screen.bars.remove(&bar);
            self.screen.shown.fetch_sub(1, Ordering::SeqCst);
            crash::bars_changed(-1);
        }
    }
}

impl Drop for Gauge {
    fn drop(&mut self) {
        self.end();
    }
}
