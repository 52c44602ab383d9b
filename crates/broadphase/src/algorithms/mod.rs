//! The algorithms, one file or folder each: a structure, of which [`Managed`](crate::Managed) makes an algorithm.
//!
//! Programs use [`Auto`], which chooses, [`SweepGrid`], [`RestGrid`], [`NeighbourList`], which caches pairs, [`BoxPruning`], and
//! [`BruteForce`], the reference. With the feature `families`, `registry` creates all, by their ids.
//!
//! - Sorting: `sap_1_axis`, `sap_incremental`, `sap_matrix`.
//! - Grids: `areas`, `grid`.
//! - Trees of space: `bsp`, `bsp_semi_adjusting`, `kd_tree`, `kd_sap`, `octree_loose`.
//! - Trees of boxes: `bvh`.

#[cfg(feature = "families")]
pub mod areas;
pub(crate) mod auto;
pub(crate) mod box_pruning;
pub(crate) mod brute_force;
#[cfg(feature = "families")]
pub mod bsp;
#[cfg(feature = "families")]
pub mod bsp_semi_adjusting;
#[cfg(feature = "families")]
pub mod bvh;
#[cfg(feature = "families")]
pub mod grid;
#[cfg(feature = "families")]
pub mod kd_sap;
#[cfg(feature = "families")]
pub mod kd_tree;
pub(crate) mod neighbour_list;
#[cfg(feature = "families")]
pub mod octree_loose;
pub(crate) mod rest_grid;
#[cfg(feature = "families")]
pub mod sap_1_axis;
#[cfg(feature = "families")]
pub mod sap_incremental;
#[cfg(feature = "families")]
pub mod sap_matrix;
pub(crate) mod sweep_grid;

pub use auto::Auto;
pub use box_pruning::BoxPruning;
pub use brute_force::BruteForce;
pub use neighbour_list::NeighbourList;
pub use rest_grid::RestGrid;
pub use sweep_grid::SweepGrid;
