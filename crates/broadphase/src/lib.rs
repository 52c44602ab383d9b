//! Exact broad-phase collision detection: of n moving boxes, every pair that overlaps.
//!
//! [`ALGORITHMS`] lists the implementations of the one trait, [`BroadPhase`]. All give the same pairs on
//! the same boxes, each pair once. `brute-force` is the reference of the tests.
//!
//! ```
//! use broadphase::{Aabb, Frame, Pair, Settings};
//! use glam::Vec3;
//!
//! let boxes = [
//!     Aabb::around_sphere(Vec3::ZERO, 1.0),
//!     Aabb::around_sphere(Vec3::X, 1.0),
//!     Aabb::around_sphere(Vec3::X * 9.0, 1.0),
//! ];
//! let frame = Frame::new(&boxes, 1.0 / 60.0);
//! let mut pairs = Vec::new();
//! let mut kd_tree = broadphase::find("kd-tree").unwrap().create(&Settings::new(boxes.len()))?;
//! kd_tree.update(&frame);
//! kd_tree.find_pairs(&frame, &mut pairs);
//! assert_eq!(pairs, [Pair::new(0, 1)]);
//! # Ok::<(), broadphase::CreateError>(())
//! ```
//!
//! The crate uses no clock, no screen and no file.

mod aabb;
pub mod algorithms;
mod box_set;
mod broad_phase;
mod caching;
mod columns;
pub mod compare;
mod debug_draw;
mod inspect;
mod kind;
mod layer;
mod lists;
mod outliers;
mod pair;
mod pair_events;
mod parallel;
mod query;
mod radix_sort;
mod registry;
mod sample;
mod scratch;
mod simd;
mod sweep;

pub use aabb::{Aabb, BadBox, BoxFault, check_boxes};
pub use broad_phase::{BroadPhase, Counters, Frame};
pub use debug_draw::{Axis, DebugDraw, Endpoint, Overlay, SplitPlane, TreeBox};
pub use inspect::{Inspect, NO_REGION, Region};
pub use kind::Kind;
pub use layer::Layer;
pub use pair::{Pair, checksum, mix};
pub use pair_events::PairEvents;
pub use query::{Nearest, Query, Ray, RayHit, Scan, distance_squared};
pub use registry::{ALGORITHMS, Algorithm, CreateError, Settings, families, find};
pub use simd::{SimdLimit, limit_simd, simd_name};

// The walk-through of CONTRIBUTING.md is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
struct Contributing;
