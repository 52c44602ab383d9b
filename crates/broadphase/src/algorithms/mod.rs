//! The algorithms, one file or folder each: a structure, of which [`Managed`](crate::Managed) makes an algorithm.
//!
//! Programs use [`Auto`](auto::Auto), which chooses, [`SweepGrid`](sweep_grid::SweepGrid), [`RestGrid`](rest_grid::RestGrid),
//! [`NeighbourList`](neighbour_list::NeighbourList), [`BoxPruning`](box_pruning::BoxPruning), and
//! [`BruteForce`](brute_force::BruteForce), the reference. [`registry`](crate::registry) creates all, by their ids.
//!
//! - All pairs: [`brute_force`].
//! - Sorting: [`sap_1_axis`], [`box_pruning`], [`sap_incremental`], [`sap_matrix`].
//! - Grids: [`areas`], [`grid`], [`sweep_grid`], [`rest_grid`].
//! - Trees of space: [`bsp`], [`bsp_semi_adjusting`], [`kd_tree`], [`kd_sap`], [`octree_loose`].
//! - Trees of boxes: [`bvh`].
//! - Others: [`neighbour_list`], which caches pairs, and [`auto`].

pub mod areas;
pub mod auto;
pub mod box_pruning;
pub mod brute_force;
pub mod bsp;
pub mod bsp_semi_adjusting;
pub mod bvh;
pub mod grid;
pub mod kd_sap;
pub mod kd_tree;
pub mod neighbour_list;
pub mod octree_loose;
pub mod rest_grid;
pub mod sap_1_axis;
pub mod sap_incremental;
pub mod sap_matrix;
pub mod sweep_grid;
