//! The boxes of each column, in input order.

use super::layout::{Columns, Span};
use crate::Aabb;
use crate::memory::scratch_memory;
use crate::sweep::{Away, axes_from, bounds_along};
use bytemuck::{Pod, Zeroable};
use fearless_simd::{Fallback, Simd};

/// Entries of a list that lie together.
pub(super) const CHUNK: usize = 32;

/// A box listed in a column.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C, align(32))]
pub(super) struct ListedBox {
    /// Lower bounds, that on the sweep axis first; never -0.
    pub(super) min: [f32; 3],
    /// Upper bounds, in the same order.
    pub(super) max: [f32; 3],
    pub(super) object: u32,
    /// The axes on which it begins in an earlier column.
    pub(super) away: Away,
}

impl ListedBox {
    const NONE: ListedBox =
        ListedBox { min: [0.0; 3], max: [0.0; 3], object: u32::MAX, away: Away::NONE };

    /// A box, seen along an axis.
    #[inline(always)]
    pub(super) fn new(b: &Aabb, object: u32, axis: usize) -> Self {
        let (min, max) = bounds_along(b, axes_from(axis));
        Self { min, max, object, away: Away::NONE }
    }

    /// The box.
    pub(super) fn bounds(&self, axis: usize) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        for (place, axis) in axes_from(axis).into_iter().enumerate() {
            (bounds.min[axis], bounds.max[axis]) = (self.min[place], self.max[place]);
        }
        bounds
    }

    /// Its bounds on the two axes across the columns: both lower ones, both upper ones.
    #[inline(always)]
    pub(super) fn across(&self) -> [f32; 4] {
        [self.min[1], self.min[2], self.max[1], self.max[2]]
    }
}

/// The list of a column: a chain of chunks.
#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    /// First chunk.
    first: u32,
    /// Place of the next entry; a multiple of [`CHUNK`] where the last chunk is full.
    next: u32,
    len: u32,
}

/// A list of boxes for each column, written by one thread.
///
/// The length of a list is known only after all boxes are listed. To count first would mean reading all
/// boxes twice. So each list is a chain of chunks, and all chunks lie in one array.
#[derive(Clone, Debug, Default)]
pub(super) struct Bins {
    entries: Vec<ListedBox>,
    /// For each chunk the next one of its chain.
    following: Vec<u32>,
    bins: Vec<Bin>,
    /// Boxes listed in more than one column.
    pub(super) straddlers: u64,
    pub(super) listings: u64,
    /// Whether the last [`fill`](Self::fill) listed all boxes.
    pub(super) is_complete: bool,
}

scratch_memory!(Bins: entries, following, bins);

impl Bins {
    /// Makes room for some objects, with a sixteenth to spare. The lists are lost.
    pub(super) fn reserve(&mut self, objects: usize, columns: usize) {
        let entries = (objects + columns * (CHUNK / 2)) * 17 / 16;
        if self.entries.len() < entries {
            // The old memory is freed first.
            self.entries = Vec::new();
            self.entries.resize(entries.next_multiple_of(CHUNK), ListedBox::NONE);
        }
    }

    /// Lists objects in the columns of their boxes, without the boxes that are not wanted. False, with unusable lists, if boxes in several
    /// columns bring the entries above `most`.
    #[inline(always)]
    pub(super) fn fill<'a, S: Simd>(
        &mut self,
        simd: S,
        columns: &Columns,
        objects: impl Iterator<Item = (u32, &'a Aabb)>,
        is_wanted: impl Fn(&Aabb) -> bool,
        most: u64,
    ) -> bool {
        // An axis that is known to the compiler saves a fifth of the time.
        match columns.axis {
            0 => self.fill_along::<S, 0>(simd, columns, objects, is_wanted, most),
            1 => self.fill_along::<S, 1>(simd, columns, objects, is_wanted, most),
            _ => self.fill_along::<S, 2>(simd, columns, objects, is_wanted, most),
        }
    }

    #[inline(always)]
    fn fill_along<'a, S: Simd, const AXIS: usize>(
        &mut self,
        simd: S,
        columns: &Columns,
        objects: impl Iterator<Item = (u32, &'a Aabb)>,
        is_wanted: impl Fn(&Aabb) -> bool,
        most: u64,
    ) -> bool {
        self.clear(columns.len());
        let finder = columns.finder(simd);
        // Counted in registers, not in the struct.
        let (mut straddlers, mut listings) = (0, 0);
        self.is_complete = true;
        for (object, b) in objects {
            // Not by a filter of the iterator: four times as slow.
            if b.is_empty() || !is_wanted(b) {
                continue;
            }
            let entry = ListedBox::new(b, object, AXIS);
            let span = finder.span(entry.across());
            if span.low == span.high {
                self.push(columns.index(span.low), entry);
                listings += 1;
            } else {
                straddlers += 1;
                listings += span.columns();
                if listings > most {
                    self.is_complete = false;
                    break;
                }
                self.push_all(columns, entry, &span);
            }
        }
        (self.straddlers, self.listings) = (straddlers, listings);
        self.is_complete
    }

    /// The lists of some objects, however many entries they take. Not compiled for each instruction set, nor for each
    /// kind of list: for checks and drawings.
    pub(super) fn of(columns: &Columns, objects: &mut dyn Iterator<Item = (u32, &Aabb)>) -> Self {
        let mut bins = Self::default();
        bins.fill(Fallback::new(), columns, objects, |_| true, u64::MAX);
        bins
    }

    /// Empties all lists, for a number of columns.
    pub(super) fn clear(&mut self, columns: usize) {
        self.following.clear();
        self.bins.clear();
        self.bins.resize(columns, Bin::default());
        (self.straddlers, self.listings) = (0, 0);
    }

    /// Lists a box in all columns that it touches.
    #[inline(always)]
    fn push_all(&mut self, columns: &Columns, entry: ListedBox, span: &Span) {
        for v in span.low[1]..=span.high[1] {
            for u in span.low[0]..=span.high[0] {
                let away = span.away([u, v]);
                self.push(columns.index([u, v]), ListedBox { away, ..entry });
            }
        }
    }

    /// Appends to a column's list.
    #[inline(always)]
    fn push(&mut self, column: usize, entry: ListedBox) {
        let bin = &mut self.bins[column];
        if (bin.next as usize).is_multiple_of(CHUNK) {
            grow(bin, &mut self.following, &mut self.entries);
        }
        self.entries[bin.next as usize] = entry;
        bin.next += 1;
        bin.len += 1;
    }

    /// Entries of a column.
    pub(super) fn len(&self, column: usize) -> usize {
        self.bins[column].len as usize
    }

    /// The entry at a place.
    #[inline(always)]
    pub(super) fn entry(&self, place: u32) -> &ListedBox {
        &self.entries[place as usize]
    }

    /// The entries of a column.
    pub(super) fn entries(&self, column: usize) -> impl Iterator<Item = &ListedBox> {
        self.chunks(column).flat_map(|(_, entries)| entries)
    }

    /// The entries of a column, chunk by chunk, each with the place of its first.
    pub(super) fn chunks(&self, column: usize) -> impl Iterator<Item = (u32, &[ListedBox])> {
        let bin = self.bins[column];
        let (mut chunk, mut left) = (bin.first as usize, bin.len as usize);
        std::iter::from_fn(move || {
            (left > 0).then(|| {
                let (start, len) = (chunk * CHUNK, left.min(CHUNK));
                left -= len;
                chunk = self.following[chunk] as usize;
                (start as u32, &self.entries[start..start + len])
            })
        })
    }
}

/// Appends a chunk to a list.
#[cold]
#[inline(never)]
fn grow(bin: &mut Bin, following: &mut Vec<u32>, entries: &mut Vec<ListedBox>) {
    let chunk = following.len();
    if bin.len == 0 {
        bin.first = chunk as u32;
    } else {
        following[(bin.next as usize - 1) / CHUNK] = chunk as u32;
    }
    following.push(u32::MAX);
    bin.next = (chunk * CHUNK) as u32;
    if entries.len() < (chunk + 1) * CHUNK {
        // A sixteenth to spare, not half: this is most of the structure's memory.
        let len = ((chunk + 1) * CHUNK * 17 / 16).next_multiple_of(CHUNK);
        entries.reserve_exact(len - entries.len());
        entries.resize(len, ListedBox::NONE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::level;
    use fearless_simd::dispatch;
    use glam::Vec3;

    /// Four columns along z, one unit wide.
    const COLUMNS: Columns =
        Columns { axis: 2, origin: [0.0; 2], per_unit: [1.0; 2], counts: [2, 2] };

    fn filled(boxes: &[Aabb], most: u64) -> Option<Bins> {
        let mut bins = Bins::default();
        let is_filled =
            dispatch!(level(), simd => bins.fill(simd, &COLUMNS, (7..).zip(boxes), |_| true, most));
        is_filled.then_some(bins)
    }

    #[test]
    fn box_is_listed_in_each_column_with_its_away_bits() {
        let small = Aabb::around_sphere(Vec3::new(1.5, 0.5, -0.0), 0.25);
        let wide = Aabb::new(Vec3::new(0.5, 0.5, 3.0), Vec3::new(1.0, 9.0, 4.0));
        let bins = filled(&[small, Aabb::EMPTY, wide], 9).unwrap();
        let listed = |column| -> Vec<_> {
            let entries = bins.chunks(column).flat_map(|(_, entries)| entries);
            entries.map(|entry| (entry.object, entry.away)).collect()
        };
        let [on_x, on_y] = Away::BEFORE;
        assert_eq!(listed(0), [(9, Away::NONE)]);
        assert_eq!(listed(1), [(7, Away::NONE), (9, on_x)]);
        assert_eq!(listed(2), [(9, on_y)]);
        assert_eq!(listed(3), [(9, Away(on_x.0 | on_y.0))]);
        assert_eq!((bins.straddlers, bins.listings), (1, 5));
        let (_, entries) = bins.chunks(1).next().unwrap();
        assert_eq!((entries[1].min, entries[1].max), ([3.0, 0.5, 0.5], [4.0, 1.0, 9.0]));
    }

    #[test]
    fn list_continues_in_its_next_chunk() {
        let boxes: Vec<_> = (0..10 * CHUNK)
            .map(|i| Aabb::around_sphere(Vec3::new(0.5 + (i % 2) as f32, 0.5, i as f32), 0.1))
            .collect();
        let bins = filled(&boxes, 0).unwrap();
        for column in [0, 1] {
            let objects =
                bins.chunks(column).flat_map(|(_, entries)| entries.iter().map(|e| e.object));
            assert!(objects.eq((7 + column as u32..).step_by(2).take(5 * CHUNK)));
            let mut places =
                bins.chunks(column).flat_map(|(first, entries)| (first..).zip(entries));
            assert!(places.all(|(place, entry)| bins.entry(place) == entry));
        }
        assert_eq!((bins.len(0), bins.len(2)), (5 * CHUNK, 0));
        assert!(bins.entries.capacity() < 11 * CHUNK, "more than a sixteenth to spare");
    }

    #[test]
    fn too_many_listings_are_refused() {
        let wide = [Aabb::around_sphere(Vec3::ZERO, 5.0); 3];
        assert!(filled(&wide, 12).is_some());
        assert!(filled(&wide, 11).is_none());
    }
}
