//! Keeps the message catalogues of a repository complete.

pub mod apply;
pub mod compare;
pub mod digest;
pub mod journal;
pub mod load;
pub mod lock;
pub mod moves;
pub mod plan;
pub mod project;
pub mod run;
pub mod state;
pub mod work;
