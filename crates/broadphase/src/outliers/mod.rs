//! Outliers: describes the bulk of the objects without a few distant or large ones, and tests oversized
//! objects against all others.

mod bulk;
mod oversized;

pub(crate) use bulk::Bulk;
pub(crate) use oversized::Oversized;
