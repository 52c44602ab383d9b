//! Narrow phases by id: command lines, panels, tests and documentation iterate over this list.

use super::{Gjk, Parry, Sat, Triangles};
use crate::NarrowPhase;
use crate::oracle::BAND;

/// A narrow phase, or a variant of one.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NarrowPhaseKind {
    /// Its name on command lines and in tables: that of its family, or the family, a `+` and the
    /// variant.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The growth of a test's time with the features of a part.
    pub cost: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Whether it is an adapter to another library, measured for comparison.
    pub peer: bool,
    /// Whether its work depends on the last test of the pair, which the cache keeps.
    pub keeps_state: bool,
    /// Whether its answer for separated convex bodies has an axis.
    pub has_axis: bool,
    /// Whether its answer for touching bodies has a point.
    pub has_point: bool,
    /// Either answer is accepted where the gap is at most this fraction of the pair's size: 1e-9
    /// for our methods. A peer's is what was measured, with a margin.
    pub band: f64,
    /// Creates an instance.
    pub build: fn() -> Box<dyn NarrowPhase + Send>,
}

impl NarrowPhaseKind {
    /// Id of the first entry of its family: `sat` of `sat+naive`.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.id.split_once('+').map_or(self.id, |(family, _)| family)
    }

    /// The difference from the first entry of its family: `naive` of `sat+naive`.
    #[must_use]
    pub fn variant(&self) -> Option<&'static str> {
        self.id.split_once('+').map(|(_, variant)| variant)
    }
}

const SAT: NarrowPhaseKind = NarrowPhaseKind {
    id: "sat",
    name: "Separating axes",
    summary: "projects both on face normals and cross products of edges, until an axis separates",
    cost: "faces x vertices, and edges x edges",
    source: "000 §2.2-2.4, 002 §6.2; edges by arcs of normals: Gregorius, GDC 2013",
    peer: false,
    keeps_state: false,
    has_axis: true,
    has_point: false,
    band: BAND,
    build: || Box::new(Sat::new()),
};

const GJK: NarrowPhaseKind = NarrowPhaseKind {
    id: "gjk",
    name: "GJK",
    summary: "moves a simplex of the difference towards the origin until gap or overlap is proven",
    cost: "a few times the vertices",
    source: "002 §6.3; Gilbert, Johnson, Keerthi 1988",
    peer: false,
    keeps_state: false,
    has_axis: true,
    has_point: true,
    band: BAND,
    build: || Box::new(Gjk::new()),
};

/// Every narrow phase. Variants follow their family.
pub static NARROW_PHASES: &[NarrowPhaseKind] = &[
    SAT,
    NarrowPhaseKind {
        id: "sat+naive",
        name: "Separating axes (naive)",
        summary: "projects all vertices of both on every normal and every product of edges",
        cost: "edges x edges x vertices",
        source: "000 §2.3-2.4, algorithms 2.6, 2.7 and 2.10",
        build: || Box::new(Sat::naive()),
        ..SAT
    },
    NarrowPhaseKind {
        id: "sat+climbing",
        name: "Separating axes (climbing)",
        summary: "like sat, but climbs along edges to the extreme vertices of each axis",
        cost: "faces x log vertices, and edges x edges",
        source: "000 §2.2",
        build: || Box::new(Sat::climbing()),
        ..SAT
    },
    NarrowPhaseKind {
        id: "sat+cached",
        name: "Separating axes (cached)",
        summary: "like sat, but tests the axis first that separated the pair last",
        source: "000 §2.2",
        keeps_state: true,
        build: || Box::new(Sat::cached()),
        ..SAT
    },
    GJK,
    NarrowPhaseKind {
        id: "gjk+cached",
        name: "GJK (cached)",
        summary: "like gjk, but starts in the direction in which the pair's last test ended",
        source: "002 §6.3; van den Bergen 1999",
        keeps_state: true,
        build: || Box::new(Gjk::cached()),
        ..GJK
    },
    NarrowPhaseKind {
        id: "parry",
        name: "parry3d-f64",
        summary: "a library's intersection test: separating axes for cuboids, GJK for the rest",
        cost: "a few times the vertices",
        source: "parry3d-f64 0.31, query::intersection_test",
        peer: true,
        keeps_state: false,
        has_axis: false,
        has_point: false,
        band: 1e-7,
        build: || Box::new(Parry::new()),
    },
    NarrowPhaseKind {
        id: "triangles",
        name: "Triangles",
        summary: "tests edges of each surface against triangles of the other, then vertices inside",
        cost: "edges x triangles",
        source: "002 §6.1",
        peer: false,
        keeps_state: false,
        has_axis: false,
        has_point: true,
        band: BAND,
        build: || Box::new(Triangles::new()),
    },
];

/// The narrow phase with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static NarrowPhaseKind> {
    NARROW_PHASES.iter().find(|entry| entry.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_described_and_follow_their_family() {
        for (i, entry) in NARROW_PHASES.iter().enumerate() {
            let texts = [entry.name, entry.summary, entry.cost, entry.source];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", entry.id);
            let is_first = !NARROW_PHASES[..i].iter().any(|other| other.family() == entry.family());
            assert_eq!(is_first, entry.variant().is_none(), "{}", entry.id);
            assert!(std::ptr::eq(find(entry.id).unwrap(), entry), "{} is unique", entry.id);
        }
    }

    #[test]
    fn page_has_a_section_for_each_family_and_names_each_variant() {
        let page = include_str!("../../../../docs/narrow-phase.md");
        for kind in NARROW_PHASES {
            let section = format!("### `{}`\n", kind.family());
            assert!(page.contains(&section), "{section}");
            assert!(page.contains(&format!("`{}`", kind.id)), "{}", kind.id);
        }
    }
}
