#![doc = include_str!("../README.md")]
//!
//! # Contents
//!
//! | to | use |
//! |---|---|
//! | find pairs | [`Auto`], or another of the [`algorithms`], by the trait [`BroadPhase`] |
//! | pass boxes in | [`Aabb`], [`Frame`]; [`check_boxes`] if they come from outside; [`Aabb::from_f64`] |
//! | insert, move and remove objects by handle | [`Space`] |
//! | exclude pairs | [`Layer`]: groups, masks and static objects |
//! | find boxes that touch while they move | [`swept_pairs`] |
//! | end a search early, or bound its pairs | [`Limits`], [`PairLimit`] |
//! | find pairs between two sets | [`join`], [`Join`] |
//! | find the pairs of thousands of small worlds in one call | [`Worlds`] |
//! | react when contact begins or ends | [`PairEvents`] |
//! | get pairs in the same order on every machine | [`PairSort`], [`sort_pairs`] |
//! | ask for boxes that a box, sphere, ray, moving box or frustum meets, or the nearest | [`query`]: [`QueryTree`](query::QueryTree) |
//!
//! With the feature `families`, whose interface any version may change:
//!
//! | to | use |
//! |---|---|
//! | let a user choose an algorithm by its name, and compare | `registry` |
//! | draw a structure, or see its leaves and cells | `inspect` |
//! | test or measure an algorithm of one's own | `benchmark` |

// Used by families, their registry or their inspection alone.
#![cfg_attr(not(feature = "families"), allow(dead_code, unreachable_pub, unused_imports))]

/// The code of the page.
#[cfg(doctest)]
#[doc = include_str!("../FROM_OTHERS.md")]
mod from_others {}

mod aabb;
pub mod algorithms;
mod axis;
#[cfg(any(test, feature = "families"))]
pub mod benchmark;
mod box_set;
mod broad_phase;
mod caching;
mod columns;
mod curve;
mod entry;
mod frame;
#[cfg(not(feature = "families"))]
mod inspect;
#[cfg(feature = "families")]
pub mod inspect;
mod join;
mod layer;
mod limits;
mod managed;
mod memory;
mod mix;
#[cfg(feature = "families")]
mod outliers;
mod pair;
mod pair_events;
mod pair_sort;
mod parallel;
pub mod query;
mod radix_sort;
#[cfg(feature = "families")]
mod regions;
#[cfg(feature = "families")]
pub mod registry;
mod sample;
mod simd;
mod space;
mod spread;
mod sweep;
mod swept;
mod worlds;

pub use aabb::{Aabb, BoxError, BoxFault, check_boxes};
#[doc(inline)]
pub use algorithms::Auto;
pub use axis::Axis;
pub use broad_phase::{BroadPhase, Counters};
pub use frame::Frame;
/// The vectors of the boxes.
pub use glam;
pub use join::{Join, join, join_by_definition};
pub use layer::Layer;
pub use limits::{Limits, PairLimit};
pub use managed::Managed;
pub use pair::{JoinPair, Pair};
pub use pair_events::PairEvents;
pub use pair_sort::{PairSort, sort_pairs};
pub use space::{ObjectId, ObjectPair, Space, SpaceError, Step};
pub use swept::{
    SweptError, swept_boxes, swept_pairs, swept_pairs_by_definition, swept_pairs_within,
};
pub use worlds::{WorldBoxes, WorldPairs, Worlds, WorldsError};
