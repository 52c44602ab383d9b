//! Outliers: the bulk of the objects, without the few that are far away or far larger, and a list
//! that tests oversized objects against all others.

mod bulk;
mod oversized;

pub(crate) use bulk::Bulk;
pub(crate) use oversized::Oversized;
