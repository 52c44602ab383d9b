//! The bounding volumes.

use super::dop::{dop14, dop18, dop26};
use super::hull::Hulls;
use super::oriented_box::OrientedBoxes;
use super::sphere::Spheres;
use super::{NoVolumes, Volume};
use crate::registry::{self, MethodEntry};
use crate::shape::Shape;

/// A kind of bounding volume.
pub type VolumeKind = MethodEntry<VolumeProperties>;

/// Properties of a kind of bounding volume.
#[derive(Clone, Copy, Debug)]
pub struct VolumeProperties {
    /// Whether it contains the body. A volume that does not may reject bodies that touch.
    pub exact: bool,
    /// Fits one volume to each shape, for bodies that move in space, or for bodies that stay in their x-z plane and
    /// rotate about y only (`true`).
    pub fit: fn(&[Shape], bool) -> Box<dyn Volume>,
}

/// All kinds, by growing work of a test.
pub static VOLUMES: &[VolumeKind] = &[
    VolumeKind {
        id: "none",
        name: "None",
        summary: "All candidates pass.",
        source: "The broad phase alone.",
        properties: VolumeProperties { exact: true, fit: |_, _| Box::new(NoVolumes) },
    },
    VolumeKind {
        id: "sphere",
        name: "Smallest sphere",
        summary: "The smallest sphere that contains the body.",
        source: "Welzl 1991; Gärtner 1999.",
        properties: VolumeProperties { exact: true, fit: Spheres::smallest },
    },
    VolumeKind {
        id: "sphere-mean",
        name: "Sphere about the mean",
        summary: "The sphere about the mean of the vertices that contains the body.",
        source: "Master's thesis, algorithm 5.1.",
        properties: VolumeProperties { exact: true, fit: Spheres::about_mean },
    },
    VolumeKind {
        id: "sphere-inside",
        name: "Inscribed sphere",
        summary: "The largest sphere about the centre of mass inside the body: corners are missed.",
        source: "Lab text \"Zajęcia VI\".",
        properties: VolumeProperties { exact: false, fit: Spheres::inscribed },
    },
    VolumeKind {
        id: "sphere-between",
        name: "Sphere between",
        summary: "A sphere with the mean of inner and outer radius: some corners are missed.",
        source: "Lab text \"Zajęcia VI\".",
        properties: VolumeProperties { exact: false, fit: Spheres::between },
    },
    VolumeKind {
        id: "obb",
        name: "Oriented box",
        summary: "A small box that rotates with the body, tested on 15 axes.",
        source: "Gottschalk, Lin, Manocha 1996; O'Rourke 1985.",
        properties: VolumeProperties {
            exact: true,
            fit: |shapes, _| Box::new(OrientedBoxes::new(shapes)),
        },
    },
    VolumeKind {
        id: "dop14",
        name: "14-DOP",
        summary: "Slabs on 7 fixed axes: x, y, z and the diagonals of a cube.",
        source: DOPS,
        properties: VolumeProperties { exact: true, fit: |shapes, _| dop14(shapes) },
    },
    VolumeKind {
        id: "dop18",
        name: "18-DOP",
        summary: "Slabs on 9 fixed axes: x, y, z and the diagonals of a cube's faces.",
        source: DOPS,
        properties: VolumeProperties { exact: true, fit: |shapes, _| dop18(shapes) },
    },
    VolumeKind {
        id: "dop26",
        name: "26-DOP",
        summary: "Slabs on 13 fixed axes: those of the 14-DOP and of the 18-DOP.",
        source: DOPS,
        properties: VolumeProperties { exact: true, fit: |shapes, _| dop26(shapes) },
    },
    VolumeKind {
        id: "hull",
        name: "Convex hull",
        summary: "The convex hull of a compound, tested by GJK; pairs of convex bodies pass.",
        source: "Master's thesis, section 5.2.3; Barber, Dobkin, Huhdanpaa 1996.",
        properties: VolumeProperties { exact: true, fit: |shapes, _| Box::new(Hulls::new(shapes)) },
    },
];

const DOPS: &str = "Klosowski, Held, Mitchell, Sowizral, Zikan 1998.";

/// The kind with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static VolumeKind> {
    registry::find(VOLUMES, id)
}
