//! Bounding volumes by id: the one list of them.

use super::Volume;
use super::circle::Circles;
use super::dop::{dop14, dop18, dop26};
use super::hull::Hulls;
use super::none::NoVolumes;
use super::oriented_box::OrientedBoxes;
use super::sphere::Spheres;
use crate::Shape;

/// Fits one volume to each shape.
pub type Fit = fn(&[Shape]) -> Box<dyn Volume>;

/// A kind of bounding volume.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct VolumeKind {
    /// Its name on command lines and in tables.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Whether it contains the body. A volume that does not may reject bodies that touch.
    pub exact: bool,
    /// Fits one volume to each shape.
    pub fit: Fit,
    /// Fits volumes of a plane, where they differ: for bodies that stay in their x-z plane and rotate about y only.
    pub fit_flat: Option<Fit>,
}

impl VolumeKind {
    /// Fits one volume to each shape of a scene, whose bodies move in space, or each in its x-z plane.
    #[must_use]
    pub fn fit_to(&self, shapes: &[Shape], is_flat: bool) -> Box<dyn Volume> {
        let fit = self.fit_flat.filter(|_| is_flat).unwrap_or(self.fit);
        fit(shapes)
    }
}

/// All kinds, by growing work of a test.
pub static VOLUMES: &[VolumeKind] = &[
    VolumeKind {
        id: "none",
        name: "None",
        summary: "All candidates pass.",
        source: "The broad phase alone.",
        exact: true,
        fit: |_| Box::new(NoVolumes),
        fit_flat: None,
    },
    VolumeKind {
        id: "sphere",
        name: "Smallest sphere",
        summary: "The smallest sphere that contains the body.",
        source: "Welzl 1991; Gärtner 1999.",
        exact: true,
        fit: |shapes| Box::new(Spheres::smallest(shapes)),
        fit_flat: Some(|shapes| Box::new(Circles::smallest(shapes))),
    },
    VolumeKind {
        id: "sphere-mean",
        name: "Sphere about the mean",
        summary: "The sphere about the mean of the vertices that contains the body.",
        source: "Master's thesis, algorithm 5.1.",
        exact: true,
        fit: |shapes| Box::new(Spheres::about_mean(shapes)),
        fit_flat: Some(|shapes| Box::new(Circles::about_mean(shapes))),
    },
    VolumeKind {
        id: "sphere-inside",
        name: "Inscribed sphere",
        summary: "The largest sphere about the centre of mass inside the body: corners are missed.",
        source: "Lab text \"Zajęcia VI\".",
        exact: false,
        fit: |shapes| Box::new(Spheres::inscribed(shapes)),
        fit_flat: Some(|shapes| Box::new(Circles::inscribed(shapes))),
    },
    VolumeKind {
        id: "sphere-between",
        name: "Sphere between",
        summary: "A sphere with the mean of inner and outer radius: some corners are missed.",
        source: "Lab text \"Zajęcia VI\".",
        exact: false,
        fit: |shapes| Box::new(Spheres::between(shapes)),
        fit_flat: Some(|shapes| Box::new(Circles::between(shapes))),
    },
    VolumeKind {
        id: "obb",
        name: "Oriented box",
        summary: "A small box that rotates with the body, tested on 15 axes.",
        source: "Gottschalk, Lin, Manocha 1996; O'Rourke 1985.",
        exact: true,
        fit: |shapes| Box::new(OrientedBoxes::new(shapes)),
        fit_flat: None,
    },
    VolumeKind {
        id: "dop14",
        name: "14-DOP",
        summary: "Slabs on 7 fixed axes: x, y, z and the diagonals of a cube.",
        source: "Klosowski, Held, Mitchell, Sowizral, Zikan 1998.",
        exact: true,
        fit: dop14,
        fit_flat: None,
    },
    VolumeKind {
        id: "dop18",
        name: "18-DOP",
        summary: "Slabs on 9 fixed axes: x, y, z and the diagonals of a cube's faces.",
        source: "Klosowski, Held, Mitchell, Sowizral, Zikan 1998.",
        exact: true,
        fit: dop18,
        fit_flat: None,
    },
    VolumeKind {
        id: "dop26",
        name: "26-DOP",
        summary: "Slabs on 13 fixed axes: those of the 14-DOP and of the 18-DOP.",
        source: "Klosowski, Held, Mitchell, Sowizral, Zikan 1998.",
        exact: true,
        fit: dop26,
        fit_flat: None,
    },
    VolumeKind {
        id: "hull",
        name: "Convex hull",
        summary: "The convex hull of a compound, tested by GJK; pairs of convex bodies pass.",
        source: "Master's thesis, section 5.2.3; Barber, Dobkin, Huhdanpaa 1996.",
        exact: true,
        fit: |shapes| Box::new(Hulls::new(shapes)),
        fit_flat: None,
    },
];

/// The kind with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static VolumeKind> {
    VOLUMES.iter().find(|kind| kind.id == id)
}
