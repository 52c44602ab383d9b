//! The algorithms, a file or a folder each.

pub mod brute_force;
pub mod bsp;
pub mod grid;
pub mod kd_tree;
pub mod octree_loose;
mod plane_tree;
pub mod sap_matrix;
