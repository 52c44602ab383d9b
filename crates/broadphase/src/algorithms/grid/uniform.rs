//! A uniform grid: equal cells in a bounded block of space.
//!
//! The grid is rebuilt every frame, over the place of most centres. An object is listed in every cell that
//! it touches; the objects of a cell are tested against each other. Objects outside of the block are listed
//! in the nearest border cell. Clamped coordinates keep their order, so the search stays exact.
//!
//! Described by Ericson, "Real-Time Collision Detection" (2005), section 7.1, where the cell is also chosen
//! from the size of the objects.

use super::for_each_of_few;
use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::{Caption, Inspect, Mark, Overlay};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::outliers::Bulk;
use crate::regions::{Cell, CellRange, Lattice, Regions};
use crate::{Aabb, Counters, Frame, Pair};

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "Uniform grid",
    summary: "a bounded grid of equal cells; objects in the same cell are compared with each other",
    source: "Ericson 2005, Real-Time Collision Detection, section 7.1",
    cost: "n + tests",
    watch_for: "cells much fuller than the mean: each costs the square of its objects",
    overlays: &[Caption::CELLS],
    memory: |n| n * 49,
    vectorised: true,
    parameters: &[CELL_SIDE, OBJECTS_PER_CELL],
    ..Algorithm::new("grid-uniform", Kind::Grid, |settings| {
        Managed::boxed(UniformGrid::new(settings))
    })
};

const CELL_SIDE: Parameter = Parameter::number(
    "cell-side",
    1.5,
    [0.5, 32.0],
    "Least side of a cell, in sides of most objects",
);

const OBJECTS_PER_CELL: Parameter =
    Parameter::count("objects-per-cell", 4, [1, 64], "Least number of objects for each cell");

/// How far from the bulk of the objects the grid may reach, in extents of the bulk.
const REACH: f32 = 0.5;

/// A uniform grid. Time O(n + c + Σ mᵢ²) for c cells with mᵢ objects each: linear where the objects
/// spread evenly, quadratic where all are in few cells, as with two dense clusters far apart.
/// Memory O(n + c), c at most n divided by the least number of objects for each cell, a quarter of n by default.
#[derive(Clone, Debug, Default)]
pub(crate) struct UniformGrid {
    cell_side: f64,
    objects_per_cell: usize,
    grid: Option<Block>,
    present: Vec<u32>,
    cells: Regions,
}

memory!(UniformGrid: present, cells);

impl UniformGrid {
    /// A grid without objects.
    fn new(settings: &Settings) -> Self {
        Self {
            cell_side: settings.value(&CELL_SIDE),
            objects_per_cell: settings.count(&OBJECTS_PER_CELL),
            ..Self::default()
        }
    }
}

/// A block of a lattice.
#[derive(Clone, Copy, Debug)]
struct Block {
    lattice: Lattice,
    /// Cells along each axis.
    cells: [i32; 3],
}

impl Block {
    /// A block of at most `most` cells, whose sides are at least `cell_side` of most objects.
    fn new(bulk: &Bulk, cell_side: f64, most: usize) -> Self {
        let most = most.max(1) as f64;
        let span = bulk.span();
        let size = bulk.size.to_array();
        let mut sides: [f64; 3] =
            std::array::from_fn(|axis| (cell_side * f64::from(size[axis])).max(span[axis] / most));
        let cells = loop {
            // At least one, also where a side or a span is zero.
            let along = |axis: usize| (span[axis] / sides[axis]).floor().max(1.0);
            let cells = [along(0), along(1), along(2)];
            let product: f64 = cells.iter().product();
            if product <= most {
                break cells;
            }
            // All sides grow by the same factor. Axes with one cell keep it.
            let growth = (product / most).cbrt().max(1.01);
            sides = sides.map(|side| side * growth);
        };
        let sides = std::array::from_fn(|axis| span[axis] / cells[axis]);
        let lattice = Lattice::new(bulk.centers.min, sides);
        Self { lattice, cells: cells.map(|cells| cells as i32) }
    }

    /// The cells that a box touches. Border cells include all space beyond them.
    #[inline]
    fn range(&self, b: &Aabb) -> CellRange {
        let CellRange { low, high } = self.lattice.range(b);
        let inside = |cell: Cell| -> Cell {
            std::array::from_fn(|axis| cell[axis].clamp(0, self.cells[axis] - 1))
        };
        CellRange { low: inside(low), high: inside(high) }
    }

    /// The number of a cell of the block.
    #[inline]
    fn number(&self, [x, y, z]: Cell) -> u32 {
        ((z * self.cells[1] + y) * self.cells[0] + x) as u32
    }

    /// The space of a cell.
    fn bounds(&self, number: usize) -> Aabb {
        let [x, y, _] = self.cells.map(|cells| cells as usize);
        self.lattice.bounds([number % x, number / x % y, number / (x * y)].map(|c| c as i32))
    }
}

impl Structure for UniformGrid {
    fn update(&mut self, frame: &Frame<'_>) {
        let bulk = Bulk::of(frame.boxes, REACH, &mut self.present);
        let most = self.present.len() / self.objects_per_cell;
        self.grid = bulk.map(|bulk| Block::new(&bulk, self.cell_side, most));
        self.cells.clear();
        if let Some(grid) = self.grid {
            for object in &self.present {
                let range = grid.range(&frame.boxes[*object as usize]);
                self.cells.list(*object, |list| {
                    let enter = |cell, begins| list(grid.number(cell), begins);
                    for_each_of_few(&range, enter);
                });
            }
        }
        let cells = self.grid.map_or(0, |grid| grid.cells.iter().product::<i32>()) as usize;
        self.cells.sort(cells, frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.cells.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.cells.counters()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.cells.validate(frame.boxes, |_, b, visit| {
            let grid = self.grid.expect("there are objects, but no grid");
            for_each_of_few(&grid.range(b), |cell, begins| visit(grid.number(cell), begins));
        });
        let (cells, objects) = (self.cells.len(), frame.boxes.len());
        assert!(cells <= objects.max(1), "{cells} cells for {objects} objects");
    }
}

impl Inspect for UniformGrid {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if let Some(grid) = self.grid.filter(|_| overlay == Overlay::Regions) {
            self.cells.visit_occupied(|cell| (grid.bounds(cell), 0, None, None), visit);
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        self.cells.tests(None, visit);
    }
}
