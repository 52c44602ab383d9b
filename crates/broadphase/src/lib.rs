#![doc = include_str!("../README.md")]
//!
//! # Contents
//!
//! | to | use |
//! |---|---|
//! | find pairs | [`Auto`], or another of the [`algorithms`], by the trait [`BroadPhase`] |
//! | pass boxes in | [`Aabb`], [`Frame`]; [`check_boxes`] if they come from outside |
//! | exclude pairs | [`Layer`]: groups, masks and static objects |
//! | find boxes that touch while they move | [`swept_pairs`] |
//! | find pairs between two sets | [`join`], [`Join`] |
//! | react when contact begins or ends | [`PairEvents`] |
//! | ask for boxes touched by a box, hit by a ray, nearest to a point | [`Query`], [`Scan`], [`Ray`] |
//! | let a user choose an algorithm by its name | [`registry`] |
//! | draw a structure, or see its leaves and cells | [`inspect`] |
//! | test or measure an algorithm of one's own | [`benchmark`] |

mod aabb;
pub mod algorithms;
mod axis;
pub mod benchmark;
mod box_set;
mod broad_phase;
mod caching;
mod columns;
mod entry;
mod frame;
pub mod inspect;
mod join;
mod layer;
mod lists;
mod memory;
mod mix;
mod outliers;
mod pair;
mod pair_events;
mod parallel;
mod query;
mod radix_sort;
pub mod registry;
mod sample;
mod scratch;
mod simd;
mod sweep;
mod swept;

pub use aabb::{Aabb, BadBox, BoxFault, check_boxes};
#[doc(inline)]
pub use algorithms::auto::Auto;
pub use axis::Axis;
pub use broad_phase::{BroadPhase, Counters};
pub use frame::Frame;
/// The vectors of the boxes.
pub use glam;
pub use join::{Join, JoinPair, join, join_by_definition};
pub use layer::Layer;
pub use pair::Pair;
pub use pair_events::PairEvents;
pub use query::{Nearest, Query, Ray, RayHit, Scan};
pub use swept::{BadSweep, swept_boxes, swept_pairs, swept_pairs_by_definition};
