//! The copy of a body that is kept of a request: its beginning and its size.

use axum::body::{Body, Bytes};
use futures_util::{StreamExt as _, stream};

/// Largest part of a body that is kept, in bytes.
const KEPT_MAX: usize = 64 * 1024;

/// The beginning of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BodyCopy {
    /// At most 64 KiB; nothing of a body that was not kept.
    pub(super) bytes: Bytes,
    /// Size of the whole body, if it is known.
    pub(super) size: Option<u64>,
}

impl Default for BodyCopy {
    /// The copy of an empty body.
    fn default() -> Self {
        Self { bytes: Bytes::new(), size: Some(0) }
    }
}

impl BodyCopy {
    /// A body of which nothing is kept.
    pub(super) const fn unknown(size: Option<u64>) -> Self {
        Self { bytes: Bytes::new(), size }
    }

    /// Copies a body that is part of a larger buffer.
    pub(super) fn of(body: &Bytes) -> Self {
        let kept = body.get(..KEPT_MAX).unwrap_or(body);
        Self { bytes: Bytes::copy_from_slice(kept), size: Some(body.len() as u64) }
    }

    /// Shares a body that has a buffer of its own, unless it is large.
    pub(super) fn sharing(body: &Bytes) -> Self {
        if body.len() > KEPT_MAX { Self::of(body) } else { Self { bytes: body.clone(), size: Some(body.len() as u64) } }
    }

    /// Returns whether a part of the body is missing.
    pub(super) fn is_cut(&self) -> bool {
        self.size != Some(self.bytes.len() as u64)
    }
}

/// Keeps the beginning of a body while it is read, and reports it at the end or when reading stops.
pub(super) fn copy_stream(body: Body, report: impl FnOnce(BodyCopy) + Send + 'static) -> Body {
    let copying = StreamCopy { kept: Vec::new(), size: 0, is_whole: false, report: Some(Box::new(report)) };
    let parts = body.into_data_stream();
    Body::from_stream(stream::unfold((parts, copying), |(mut parts, mut copying)| async move {
        let part = parts.next().await;
        match &part {
            Some(Ok(bytes)) => copying.add(bytes),
            Some(Err(_)) => {}
            None => copying.is_whole = true,
        }
        part.map(|part| (part, (parts, copying)))
    }))
}

/// The copy of a body that is being read. Reports what it has when it is dropped.
struct StreamCopy {
    kept: Vec<u8>,
    size: u64,
    is_whole: bool,
    report: Option<Box<dyn FnOnce(BodyCopy) + Send>>,
}

impl StreamCopy {
    fn add(&mut self, part: &[u8]) {
        self.size += part.len() as u64;
        let free = KEPT_MAX - self.kept.len();
        self.kept.extend_from_slice(part.get(..free).unwrap_or(part));
    }
}

impl Drop for StreamCopy {
    fn drop(&mut self) {
        // Of a body that was not read to its end, the size is not known.
        let size = self.is_whole.then_some(self.size);
        if let Some(report) = self.report.take() {
            report(BodyCopy { bytes: std::mem::take(&mut self.kept).into(), size });
        }
    }
}
