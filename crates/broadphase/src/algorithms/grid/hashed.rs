//! A hashed grid: an unbounded lattice of equal cells, of which only those with objects exist.
//!
//! A hash table numbers the cells that objects touch, in the order of their first use. The rest is as in a
//! uniform grid. There is no block of space to cover, so cells may be small in a wide world: empty space
//! costs nothing.
//!
//! In the original, different cells with the same hash share their objects, and time stamps mark old
//! entries. Here cells are identified by their coordinates, since a shared list could not own a pair. The
//! time stamps are the same.
//!
//! Teschner, Heidelberger, Müller, Pomeranets, Gross, "Optimized Spatial Hashing for Collision
//! Detection of Deformable Objects" (2003); Mirtich, "Impulse-based Dynamic Simulation of Rigid
//! Body Systems" (1996).

use super::{CellKey, CellTable, Content, Lattice};
use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::{Caption, Inspect, Mark, Overlay};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::outliers::Bulk;
use crate::regions::PAIR_MEMORY;
use crate::{Aabb, Counters, Frame, Pair};

/// Its entry in the registry.
pub const ENTRY: Algorithm =
    Algorithm::new("grid-hashed", Kind::Grid, |settings| Managed::boxed(HashedGrid::new(settings)))
        .name("Hashed grid")
        .summary("an endless grid, whose occupied cells are in a hash table; objects in the same cell are compared with each other")
        .source("Teschner et al. 2003, Optimized Spatial Hashing; after Mirtich 1996")
        .cost("n + tests")
        .watch_for("crowds: all cells are equally large, so a crowd fills one, which costs the square of its objects")
        .overlays(&[Caption::CELLS])
        .memory(|n| n * 300)
        .pair_memory(PAIR_MEMORY)
        .vectorised(true)
        .parameters(&[CELL_SIDE]);

const CELL_SIDE: Parameter =
    Parameter::number("cell-side", 4.0, [0.5, 32.0], "Side of a cell, in sides of most objects");

/// Most cells along the place of most objects. It bounds the cells where objects have no size.
const MAX_CELLS_ALONG: f64 = (1 << 20) as f64;

/// A hashed grid. Time O(n + Σ mᵢ²) expected, for mᵢ objects in cell i: linear wherever the objects
/// are, as long as they have similar sizes and are not crowded. Memory O(n).
#[derive(Clone, Debug)]
pub(crate) struct HashedGrid {
    cell_side: f64,
    lattice: Option<Lattice>,
    table: CellTable,
    content: Content,
}

memory!(HashedGrid: table, content);

impl HashedGrid {
    /// A grid without objects.
    fn new(settings: &Settings) -> Self {
        Self {
            cell_side: settings.value(&CELL_SIDE),
            lattice: None,
            table: CellTable::default(),
            content: Content::default(),
        }
    }
}

impl Default for HashedGrid {
    fn default() -> Self {
        Self::new(&Settings::new(0))
    }
}

/// Side of the cells, `cell_side` in sides of most objects.
fn side(bulk: &Bulk, cell_side: f64) -> f64 {
    let span = bulk.span().into_iter().fold(0.0, f64::max);
    (cell_side * f64::from(bulk.size.max_element())).max(span / MAX_CELLS_ALONG)
}

impl Structure for HashedGrid {
    fn update(&mut self, frame: &Frame<'_>) {
        let bulk = self.content.begin(frame.boxes, 0.0);
        let cell_side = self.cell_side;
        self.lattice = bulk.map(|bulk| Lattice::new(bulk.centers.min, [side(&bulk, cell_side); 3]));
        self.table.renew(frame.boxes.len());
        if let Some(lattice) = self.lattice {
            let number = |cell| self.table.insert(CellKey { cell, level: 0 });
            self.content.list(frame.boxes, |b| lattice.range(b), number);
        }
        self.content.sort(self.table.keys().len(), frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.content.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.content.counters()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.table.validate();
        let range = |b: &Aabb| self.lattice.expect("there are objects, but no grid").range(b);
        let number = |cell| self.table.find(CellKey { cell, level: 0 });
        self.content.validate(frame.boxes, range, number);
        self.table.validate_cells(self.content.cells());
    }
}

impl Inspect for HashedGrid {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if let Some(lattice) = self.lattice.filter(|_| overlay == Overlay::Regions) {
            let place = |cell: usize| {
                let slot = self.table.slot_of(cell);
                (lattice.bounds(slot.cell), 0, Some(slot))
            };
            self.content.cells().visit_occupied(place, visit);
        }
    }

    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        self.content.replay(visit);
    }
}
