//! What must outlive a crash: documents under way, results under way.

pub mod documents;
