//! Writes `--json`: all results in one JSON document.

use std::io::{self, Write};

use tulk_base::json::escape_into;

use super::{TargetOutput, input_field};
use crate::{ResultRow, ResultWriter};

pub(super) struct JsonDocumentWriter {
    /// Field name of the list of results.
    list: &'static str,
    targets: Vec<TargetOutput>,
    /// Whether each result has the name of its input.
    inputs: bool,
    started: bool,
}

impl JsonDocumentWriter {
    pub(super) fn new(list: &'static str, targets: Vec<TargetOutput>, inputs: bool) -> Self {
        Self { list, targets, inputs, started: false }
    }

    fn head(&self, target: usize) -> String {
        let list = self.list;
        if self.targets.len() == 1 {
            return format!("{{\"{list}\":[");
        }
        let mut name = Vec::new();
        escape_into(&mut name, self.targets.get(target).map(|t| t.target.as_bytes()).unwrap_or_default());
        let open = if target == 0 { "[" } else { "," };
        format!("{open}{{\"target_lang\":\"{}\",\"{list}\":[", String::from_utf8_lossy(&name))
    }

    fn write_start(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::replace(&mut self.started, true) { Ok(()) } else { out.write_all(self.head(0).as_bytes()) }
    }
}

impl ResultWriter for JsonDocumentWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        self.write_start(out)?;
        let first = if self.inputs { input_field(&row.record) } else { String::new() };
        for (target, output) in self.targets.iter_mut().enumerate() {
            if row.results.get(target).is_some_and(Option::is_some) {
                output.write_items(row, target, &first, out)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.write_start(out)?;
        for target in 0..self.targets.len() {
            let head = self.head(target);
            let Some(output) = self.targets.get_mut(target) else { continue };
            if target > 0 {
                out.write_all(head.as_bytes())?;
                output.spool.empty_into(out)?;
            }
            if output.joined.is_unfinished {
                output.joined.close_object(out)?;
            }
            out.write_all(b"]}")?;
        }
        out.write_all(if self.targets.len() == 1 { b"\n" } else { b"]\n" })
    }

    fn is_resumable_here(&self) -> bool {
        self.is_resumable() && !self.targets.iter().any(|output| output.joined.is_unfinished)
    }

    /// With several targets, the results of all but the first are not in the output yet.
    fn is_resumable(&self) -> bool {
        self.targets.len() == 1
    }

    fn resume_after(&mut self, bytes: u64) {
        self.started = bytes > 0;
        let head = self.head(0).len() as u64;
        if let Some(output) = self.targets.first_mut() {
            output.results = u64::from(bytes > head);
        }
    }
}
