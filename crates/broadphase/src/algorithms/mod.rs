//! The algorithms, one file or folder each.

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
