//! The algorithms, one file or folder each.
//!
//! Each is created by `default`, `Bvh` by the name of its builder; those that divide a fixed space also by `new`.
//! [`registry`](crate::registry) has their variants.
//!
//! - All pairs: [`BruteForce`](brute_force::BruteForce), the reference.
//! - Sorting: [`Sap1Axis`](sap_1_axis::Sap1Axis), [`BoxPruning`](box_pruning::BoxPruning),
//!   [`SapIncremental`](sap_incremental::SapIncremental), [`SapMatrix`](sap_matrix::SapMatrix).
//! - Grids: [`Areas`](areas::Areas), [`UniformGrid`](grid::uniform::UniformGrid),
//!   [`HashedGrid`](grid::hashed::HashedGrid), [`HierarchicalGrid`](grid::hierarchical::HierarchicalGrid),
//!   [`SweepGrid`](sweep_grid::SweepGrid), [`RestGrid`](rest_grid::RestGrid).
//! - Trees of space: [`Bsp`](bsp::Bsp), [`BspSemiAdjusting`](bsp_semi_adjusting::BspSemiAdjusting),
//!   [`KdTree`](kd_tree::KdTree), [`KdSap`](kd_sap::KdSap), [`LooseOctree`](octree_loose::LooseOctree).
//! - Trees of boxes, whose nodes also answer queries: [`Bvh`](bvh::Bvh), [`IncrementalBvh`](bvh::IncrementalBvh).
//! - Others: [`NeighbourList`](neighbour_list::NeighbourList), which caches pairs, and [`Auto`](auto::Auto), which
//!   chooses.

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
mod plane_tree;
pub mod rest_grid;
pub mod sap_1_axis;
pub mod sap_incremental;
pub mod sap_matrix;
pub mod sweep_grid;
