//! The narrow phases.

use super::ByParts;
use super::gjk::{gjk, gjk_cached};
use super::sat::{AxisSearch, sat, sat_cached, sat_naive};
use super::triangles::triangles;
use crate::answer::NarrowPhase;
use crate::pair::BAND;
use crate::registry::{self, MethodEntry};

/// A narrow phase, or a variant of one.
pub type NarrowPhaseKind = MethodEntry<NarrowProperties>;

/// Properties of a narrow phase.
#[derive(Clone, Copy, Debug)]
pub struct NarrowProperties {
    /// The growth of a test's time with the features of a part.
    pub cost: &'static str,
    /// Whether its work depends on the last test of the pair, which the cache keeps.
    pub keeps_state: bool,
    /// Either answer is accepted where the gap is at most this fraction of the pair's size: 1e-9 for our methods. A
    /// peer's is what was measured, with a margin.
    pub band: f64,
    /// Creates an instance.
    pub build: fn() -> Box<dyn NarrowPhase + Send>,
}

const SAT: NarrowPhaseKind = NarrowPhaseKind {
    id: "sat",
    name: "Separating axes",
    summary: "projects both on face normals and cross products of edges, until an axis separates",
    source: "000 §2.2-2.4, 002 §6.2; edges by arcs of normals: Gregorius, GDC 2013",
    properties: NarrowProperties {
        cost: "faces x vertices, and edges x edges",
        keeps_state: false,
        band: BAND,
        build: || ByParts::boxed(AxisSearch::default(), sat),
    },
};

const GJK: NarrowPhaseKind = NarrowPhaseKind {
    id: "gjk",
    name: "GJK",
    summary: "moves a simplex of the difference towards the origin until gap or overlap is proven",
    source: "002 §6.3; Gilbert, Johnson, Keerthi 1988",
    properties: NarrowProperties {
        cost: "a few times the vertices",
        build: || ByParts::boxed((), |(), pair, _, steps| gjk(pair, steps)),
        ..SAT.properties
    },
};

/// Every narrow phase. Variants follow their family.
pub static NARROW_PHASES: &[NarrowPhaseKind] = &[
    SAT,
    NarrowPhaseKind {
        id: "sat+naive",
        name: "Separating axes (naive)",
        summary: "projects all vertices of both on every normal and every product of edges",
        source: "000 §2.3-2.4, algorithms 2.6, 2.7 and 2.10",
        properties: NarrowProperties {
            cost: "edges x edges x vertices",
            build: || ByParts::boxed(AxisSearch::default(), sat_naive),
            ..SAT.properties
        },
    },
    NarrowPhaseKind {
        id: "sat+climbing",
        name: "Separating axes (climbing)",
        summary: "like sat, but climbs along edges to the extreme vertices of each axis",
        source: "000 §2.2",
        properties: NarrowProperties {
            cost: "faces x log vertices, and edges x edges",
            build: || ByParts::boxed(AxisSearch::climbing(), sat),
            ..SAT.properties
        },
    },
    NarrowPhaseKind {
        id: "sat+cached",
        name: "Separating axes (cached)",
        summary: "like sat, but tests the axis first that separated the pair last",
        source: "000 §2.2",
        properties: NarrowProperties {
            keeps_state: true,
            build: || ByParts::boxed(AxisSearch::default(), sat_cached),
            ..SAT.properties
        },
    },
    GJK,
    NarrowPhaseKind {
        id: "gjk+cached",
        name: "GJK (cached)",
        summary: "like gjk, but starts in the direction in which the pair's last test ended",
        source: "002 §6.3; van den Bergen 1999",
        properties: NarrowProperties {
            keeps_state: true,
            build: || ByParts::boxed((), |(), pair, axis, steps| gjk_cached(pair, axis, steps)),
            ..GJK.properties
        },
    },
    NarrowPhaseKind {
        id: "triangles",
        name: "Triangles",
        summary: "tests edges of each surface against triangles of the other, then vertices inside",
        source: "002 §6.1",
        properties: NarrowProperties {
            cost: "edges x triangles",
            build: || ByParts::boxed(Default::default(), triangles),
            ..SAT.properties
        },
    },
];

/// The narrow phase with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static NarrowPhaseKind> {
    registry::find(NARROW_PHASES, id)
}
