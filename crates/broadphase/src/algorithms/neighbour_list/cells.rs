//! A grid of the inflated boxes that is kept while they stand, for objects that look for new
//! neighbours.

use crate::Aabb;
use crate::scratch::resize_roomy;
use glam::Vec3;

/// No object, or the end of a list.
const NONE: u32 = u32::MAX;

/// Cells for each object, at most.
const CELLS_PER_OBJECT: f32 = 1.0;

/// One in so many objects may stand beyond the cells on each side: in the outermost ones.
const TAIL: usize = 64;

/// Each object in the one cell of its lowest corner; those of a cell form a doubly linked list.
///
/// A cell is as large as most of the boxes, so that a box meets those that begin in its own cells
/// and in the ones before. Larger boxes stand in a list of their own.
#[derive(Debug, Default)]
pub(super) struct Cells {
    origin: Vec3,
    per_unit: Vec3,
    counts: [i32; 3],
    /// The largest box in a cell.
    reach: Vec3,
    heads: Vec<u32>,
    /// The next object in the list of a cell; the place among the large ones of one of those.
    next: Vec<u32>,
    previous: Vec<u32>,
    cell_of: Vec<u32>,
    large: Vec<u32>,
    values: Vec<f32>,
    is_made: bool,
}

/// The cell of an object that stands in the list of the large ones.
const LARGE: u32 = u32::MAX;
/// The cell of an object that is absent.
const ABSENT: u32 = u32::MAX - 1;

impl Cells {
    /// Sorts all boxes in, unless that is done. Cells leave `room` for boxes to grow, units.
    pub(super) fn make(&mut self, boxes: &[Aabb], room: f32) {
        if std::mem::replace(&mut self.is_made, true) {
            return;
        }
        self.lay(boxes, room);
        let cells = self.counts.iter().map(|count| *count as usize).product();
        self.heads.clear();
        // There are never more cells than objects.
        self.heads.reserve(boxes.len() + 1);
        self.heads.resize(cells, NONE);
        for list in [&mut self.next, &mut self.previous, &mut self.cell_of] {
            list.clear();
            resize_roomy(list, boxes.len(), ABSENT);
        }
        self.large.clear();
        self.large.reserve(boxes.len() / 4 + 1);
        for (object, b) in (0..).zip(boxes) {
            self.insert(object, b);
        }
    }

    /// Chooses the cells.
    fn lay(&mut self, boxes: &[Aabb], room: f32) {
        self.reach = Vec3::ZERO;
        (self.origin, self.per_unit, self.counts) = (Vec3::ZERO, Vec3::ZERO, [1; 3]);
        for axis in 0..3 {
            self.values.clear();
            let present = boxes.iter().filter(|b| !b.is_empty());
            self.values.extend(present.map(|b| b.size()[axis]));
            if self.values.is_empty() {
                return;
            }
            let usual = self.values.len() * 19 / 20;
            let (_, usual, _) = self.values.select_nth_unstable_by(usual, f32::total_cmp);
            // One number up: a size is rounded, and compared with this.
            self.reach[axis] = (*usual + room).next_up().min(f32::MAX);
        }
        let mut extent = Vec3::ZERO;
        for axis in 0..3 {
            self.values.clear();
            let usual = boxes.iter().filter(|b| !b.is_empty() && b.size().cmplt(self.reach).all());
            self.values.extend(usual.map(|b| b.min[axis]));
            let Some(last) = self.values.len().checked_sub(1) else { return };
            // Where nearly all are: one that flew far away must not make all cells wide.
            let tail = last / TAIL;
            let low = *self.values.select_nth_unstable_by(tail, f32::total_cmp).1;
            let high = *self.values.select_nth_unstable_by(last - tail, f32::total_cmp).1;
            (self.origin[axis], extent[axis]) = (low, high - low);
        }
        // Cells as large as the boxes, but no more of them than objects.
        let mut counts =
            [0, 1, 2].map(|axis| (extent[axis] / self.reach[axis]).clamp(1.0, 1024.0).floor());
        let most = (boxes.len() as f32 * CELLS_PER_OBJECT).max(1.0);
        while counts.iter().product::<f32>() > most {
            let shrink = most / counts.iter().product::<f32>();
            let divided = counts.iter().filter(|count| **count > 1.0).count() as f32;
            // An axis that is not divided any more leaves more to shrink to the others.
            counts = counts.map(|count| (count * shrink.powf(1.0 / divided)).floor().max(1.0));
        }
        for axis in 0..3 {
            let per_unit = counts[axis] / extent[axis];
            if counts[axis] > 1.0 && per_unit.is_finite() {
                (self.counts[axis], self.per_unit[axis]) = (counts[axis] as i32, per_unit);
            }
        }
    }

    /// Says that the boxes were all replaced.
    pub(super) fn forget(&mut self) {
        self.is_made = false;
    }

    pub(super) fn is_made(&self) -> bool {
        self.is_made
    }

    #[inline]
    fn place(&self, point: Vec3) -> [i32; 3] {
        let place = (point - self.origin) * self.per_unit;
        std::array::from_fn(|axis| {
            // A cast saturates, and makes 0 of NaN.
            (place[axis] as i32).clamp(0, self.counts[axis] - 1)
        })
    }

    #[inline]
    fn index(&self, [x, y, z]: [i32; 3]) -> usize {
        ((z * self.counts[1] + y) * self.counts[0] + x) as usize
    }

    fn insert(&mut self, object: u32, b: &Aabb) {
        let cell = if b.is_empty() {
            ABSENT
        } else if b.size().cmplt(self.reach).all() {
            self.index(self.place(b.min)) as u32
        } else {
            self.next[object as usize] = self.large.len() as u32;
            self.large.push(object);
            LARGE
        };
        self.cell_of[object as usize] = cell;
        if let Some(head) = self.heads.get_mut(cell as usize) {
            let next = std::mem::replace(head, object);
            if next != NONE {
                self.previous[next as usize] = object;
            }
            self.next[object as usize] = next;
            self.previous[object as usize] = NONE;
        }
    }

    /// Takes over an object's new box.
    pub(super) fn replace(&mut self, object: u32, b: &Aabb) {
        let cell = self.cell_of[object as usize];
        if cell == LARGE {
            let at = self.next[object as usize];
            self.large.swap_remove(at as usize);
            if let Some(moved) = self.large.get(at as usize) {
                self.next[*moved as usize] = at;
            }
        } else if cell != ABSENT {
            let (next, previous) = (self.next[object as usize], self.previous[object as usize]);
            if next != NONE {
                self.previous[next as usize] = previous;
            }
            match previous {
                NONE => self.heads[cell as usize] = next,
                _ => self.next[previous as usize] = next,
            }
        }
        self.insert(object, b);
    }

    /// Calls `visit` with every object whose box may share a point with `b`.
    #[inline]
    pub(super) fn for_each_near(&self, b: &Aabb, mut visit: impl FnMut(u32)) {
        // One number down, since the difference is rounded: no box in a cell begins before this and
        // ends in `b`.
        let low = self.place(Vec3::from((b.min - self.reach).to_array().map(f32::next_down)));
        let high = self.place(b.max);
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                for x in low[0]..=high[0] {
                    let mut object = self.heads[self.index([x, y, z])];
                    while object != NONE {
                        visit(object);
                        object = self.next[object as usize];
                    }
                }
            }
        }
        self.large.iter().for_each(|object| visit(*object));
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let words = self.heads.capacity()
            + self.next.capacity()
            + self.previous.capacity()
            + self.cell_of.capacity()
            + self.large.capacity()
            + self.values.capacity();
        words * size_of::<u32>()
    }
}
