//! How far the work has come: bars on a terminal, else a plain line now and then; on stderr only.
//!
//! Not for notices, which are lines (`screen.rs`). Spec: command line, "Streams and formats".

mod gauge;
mod shown;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

pub use self::shown::{Setting, Shown, shown};

use self::gauge::{Face, Gauge};
use super::screen::Screen;
use super::{crash, escape};

/// All meters of a run, and the thread that draws them while there are any.
#[derive(Clone)]
pub struct Board {
    shown: Shown,
    screen: Arc<Screen>,
    live: Arc<Mutex<Live>>,
}

#[derive(Default)]
struct Live {
    meters: Vec<Weak<Gauge>>,
    drawing: bool,
}

impl Board {
    /// A board on a screen.
    pub fn new(shown: Shown, screen: Arc<Screen>) -> Self {
        Self { shown, screen, live: Arc::default() }
    }

    /// Starts a meter; `total` in the unit that it will be moved by.
    pub fn start(&self, label: &str, total: Option<u64>, group: Option<&Meter>) -> Meter {
        let gauge = Arc::new(Gauge {
            label: escape::cell(label, true).into_owned(),
            total: Mutex::new(total),
            done: AtomicU64::new(0),
            bytes: AtomicBool::new(false),
            note: Mutex::default(),
            started: Instant::now(),
            group: group.map(|meter| Arc::clone(&meter.gauge)),
            face: Mutex::new(Face::Waiting { lines: 0 }),
            screen: Arc::clone(&self.screen),
        });
        if self.shown != Shown::Nothing {
            self.draw(&gauge);
        }
        Meter { gauge }
    }

    /// Takes every bar off the terminal for good.
    pub fn clear(&self) {
        let meters = std::mem::take(&mut lock(&self.live).meters);
        for gauge in meters.iter().filter_map(Weak::upgrade) {
            gauge.end();
        }
    }

    fn draw(&self, gauge: &Arc<Gauge>) {
        let mut live = lock(&self.live);
        live.meters.push(Arc::downgrade(gauge));
        if live.drawing {
            return;
        }
        let board = self.clone();
        live.drawing = std::thread::Builder::new().name("progress".into()).spawn(move || board.run()).is_ok();
    }

    fn run(&self) {
        let pause = match self.shown {
            Shown::Lines => Duration::from_secs(1),
            Shown::Bars | Shown::Nothing => Duration::from_millis(100),
        };
        loop {
            std::thread::sleep(pause);
            let gauges: Vec<_> = {
                let mut live = lock(&self.live);
                live.meters.retain(|meter| meter.strong_count() > 0);
                if live.meters.is_empty() {
                    live.drawing = false;
                    return;
                }
                live.meters.iter().filter_map(Weak::upgrade).collect()
            };
            if crash::is_ending() {
                return;
            }
            for gauge in gauges {
                match self.shown {
                    Shown::Lines => gauge.line_if_due(gauge.started.elapsed()),
                    Shown::Bars | Shown::Nothing => gauge.bar_if_due(gauge.started.elapsed()),
                }
            }
        }
    }
}

/// One piece of work under way. Cheap to clone; its bar goes when the last clone does.
#[derive(Clone)]
pub struct Meter {
    gauge: Arc<Gauge>,
}

impl Meter {
    /// Counts bytes, so numbers are written as `1.20 MiB`.
    #[must_use]
    pub fn in_bytes(self) -> Self {
        self.gauge.bytes.store(true, Ordering::Relaxed);
        self
    }

    /// Sets how much is done.
    pub fn set(&self, done: u64) {
        self.gauge.done.store(done, Ordering::Relaxed);
    }

    /// Adds to what is done.
    pub fn inc(&self, more: u64) {
        self.gauge.done.fetch_add(more, Ordering::Relaxed);
    }

    /// Sets how much there is in all, when it becomes known.
    pub fn set_total(&self, total: Option<u64>) {
        *lock(&self.gauge.total) = total;
    }

    /// Says what is going on, such as `translating, 12 s left`.
    pub fn note(&self, note: &str) {
        *lock(&self.gauge.note) = escape::cell(note, true).into_owned();
    }

    /// Ends it: the bar goes, no further line comes.
    pub fn finish(&self) {
        self.gauge.end();
    }
}

/// Several pieces of work, each with its own bar, and one for all of them below.
///
/// As plain lines only the last is shown.
#[derive(Clone)]
pub struct Meters {
    board: Board,
    overall: Meter,
}

impl Meters {
    /// Starts a group.
    pub fn new(board: &Board, label: &str, total: Option<u64>) -> Self {
        Self { board: board.clone(), overall: board.start(label, total, None) }
    }

    /// Starts one piece of work of the group.
    pub fn add(&self, label: &str, total: Option<u64>) -> Meter {
        self.board.start(label, total, Some(&self.overall))
    }

    /// The meter for all of them; whoever ends a piece of work moves it.
    pub fn overall(&self) -> &Meter {
        &self.overall
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::{Shared, screen};

    fn board(shown: Shown) -> (Board, Shared) {
        let err = Shared::default();
        (Board::new(shown, screen(&err)), err)
    }

    #[test]
    fn a_plain_line_comes_every_ten_seconds() {
        let (board, err) = board(Shown::Nothing);
        let meter = board.start("translating", Some(200), None);
        meter.set(50);
        for seconds in [0, 9, 10, 11, 19, 20] {
            meter.gauge.line_if_due(Duration::from_secs(seconds));
        }
        meter.inc(100);
        meter.note("waiting");
        meter.finish();
        meter.gauge.line_if_due(Duration::from_secs(30));
        assert_eq!(
            err.text(),
            "translating: 50 of 200 (25%), 10 s so far\ntranslating: 50 of 200 (25%), 20 s so far\n"
        );
    }

    #[test]
    fn a_line_says_what_is_known() {
        let (board, _) = board(Shown::Nothing);
        let at = |meter: &Meter| meter.gauge.describe(Duration::from_secs(12));
        let meter = board.start("a.docx", None, None).in_bytes();
        assert_eq!(at(&meter), "a.docx: 12 s so far");
        meter.set(2048);
        meter.note("uploading");
        assert_eq!(at(&meter), "a.docx: 2.00 KiB, uploading, 12 s so far");
        meter.set_total(Some(0));
        assert_eq!(at(&meter), "a.docx: 2.00 KiB of 0 B, uploading, 12 s so far");
    }

    #[test]
    fn a_group_writes_lines_for_all_of_it_only() {
        let (board, err) = board(Shown::Nothing);
        let group = Meters::new(&board, "documents", Some(2));
        let first = group.add("a.docx", None);
        group.overall().inc(1);
        first.gauge.line_if_due(Duration::from_secs(10));
        group.overall().gauge.line_if_due(Duration::from_secs(10));
        assert_eq!(err.text(), "documents: 1 of 2 (50%), 10 s so far\n");
    }

    #[test]
    fn a_bar_comes_late_and_goes_at_the_end() {
        let (board, _) = board(Shown::Nothing);
        let group = Meters::new(&board, "documents", Some(2));
        let one = group.add("a.docx", None);
        one.gauge.bar_if_due(Duration::from_millis(249));
        assert_eq!(board.screen.shown.load(Ordering::SeqCst), 0);
        group.overall().gauge.bar_if_due(Duration::from_millis(250));
        one.gauge.bar_if_due(Duration::from_millis(250));
        assert_eq!(board.screen.shown.load(Ordering::SeqCst), 2);
        drop(one);
        assert_eq!(board.screen.shown.load(Ordering::SeqCst), 1);
        group.overall().finish();
        group.overall().gauge.bar_if_due(Duration::from_secs(1));
        assert_eq!(board.screen.shown.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn clearing_the_board_ends_every_meter() {
        let (board, _) = board(Shown::Bars);
        let meter = board.start("x", None, None);
        meter.gauge.bar_if_due(Duration::from_secs(1));
        board.clear();
        assert_eq!(board.screen.shown.load(Ordering::SeqCst), 0);
        assert!(matches!(*lock(&meter.gauge.face), Face::Ended));
    }
}
