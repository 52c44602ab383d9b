//! The algorithms, a file or a folder each.

pub mod box_pruning;
pub mod brute_force;
pub mod bsp;
pub mod kd_tree;
mod plane_tree;
pub mod sap_matrix;
pub mod sweep_grid;
