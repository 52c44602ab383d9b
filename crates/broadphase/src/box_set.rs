//! Boxes as six parallel arrays, and the one kernel that finds overlaps among a run of them.

use crate::Aabb;
use glam::Vec3;
use multiversion::multiversion;
use std::ops::Range;

/// Boxes that one step of the kernel compares with: a whole number of vector registers at every
/// instruction set from SSE2 to AVX-512.
const LANES: usize = 16;

/// Boxes in structure-of-arrays form, so that one instruction compares many.
///
/// Every array ends in [`LANES`] sentinels that overlap nothing; the kernel may read past the last
/// box without a bounds check of its own. Empty boxes of any form are stored as [`Aabb::EMPTY`],
/// which the plain interval tests let overlap nothing.
#[derive(Debug, Default)]
pub(crate) struct BoxSet {
    len: usize,
    min: [Vec<f32>; 3],
    max: [Vec<f32>; 3],
}

impl BoxSet {
    /// Makes room for `len` boxes, to be written by [`set`](Self::set), and puts the sentinels
    /// after them. Boxes of before stay where they are not overwritten.
    pub(crate) fn resize(&mut self, len: usize) {
        self.len = len;
        for axis in 0..3 {
            self.min[axis].resize(len + LANES, f32::INFINITY);
            self.max[axis].resize(len + LANES, f32::NEG_INFINITY);
            // Where the set has shrunk, boxes of before stand in the sentinels' place.
            self.min[axis][len..].fill(f32::INFINITY);
            self.max[axis][len..].fill(f32::NEG_INFINITY);
        }
    }

    /// Writes a box at a position below the length.
    #[inline]
    pub(crate) fn set(&mut self, position: usize, b: &Aabb) {
        let b = if b.is_empty() { &Aabb::EMPTY } else { b };
        for axis in 0..3 {
            self.min[axis][position] = b.min[axis];
            self.max[axis][position] = b.max[axis];
        }
    }

    /// Takes over all boxes of a frame, position = object.
    pub(crate) fn copy_from(&mut self, boxes: &[Aabb]) {
        self.resize(boxes.len());
        for (position, b) in boxes.iter().enumerate() {
            self.set(position, b);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The lowest corner of the box at a position.
    pub(crate) fn min(&self, position: usize) -> Vec3 {
        Vec3::from(self.min.each_ref().map(|axis| axis[position]))
    }

    /// The box at a position.
    pub(crate) fn get(&self, position: usize) -> Aabb {
        Aabb::new(
            self.min(position),
            Vec3::from(self.max.each_ref().map(|axis| axis[position])),
        )
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let floats: usize = self.min.iter().chain(&self.max).map(Vec::capacity).sum();
        floats * size_of::<f32>()
    }
}

/// Appends to `hits` the positions `[i, j]`, `i < j`, of every two overlapping boxes with `i` in
/// `rows` and `j` in `i + 1 .. end`.
///
/// Compiled several times over, for each instruction set worth having; the first call picks the
/// best that the processor has.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+popcnt",
    "x86_64+sse4.2+popcnt",
))]
pub(crate) fn overlaps_within(
    set: &BoxSet,
    rows: Range<usize>,
    end: usize,
    hits: &mut Vec<[u32; 2]>,
) {
    debug_assert!(rows.end <= end && end <= set.len);
    let [min_x, min_y, min_z] = set.min.each_ref().map(Vec::as_slice);
    let [max_x, max_y, max_z] = set.max.each_ref().map(Vec::as_slice);
    for i in rows {
        let (low, high) = (
            [min_x[i], min_y[i], min_z[i]],
            [max_x[i], max_y[i], max_z[i]],
        );
        let mut start = i + 1;
        while start < end {
            // One range check a step for each array; the lanes below then need none.
            let step = start..start + LANES;
            let (ax, ay, az) = (
                &min_x[step.clone()],
                &min_y[step.clone()],
                &min_z[step.clone()],
            );
            let (bx, by, bz) = (&max_x[step.clone()], &max_y[step.clone()], &max_z[step]);
            let mut lanes = [0u32; LANES];
            for k in 0..LANES {
                // `&`, not `&&`: no branch, so that the loop becomes vector compares.
                lanes[k] = u32::from(
                    (ax[k] <= high[0])
                        & (low[0] <= bx[k])
                        & (ay[k] <= high[1])
                        & (low[1] <= by[k])
                        & (az[k] <= high[2])
                        & (low[2] <= bz[k]),
                );
            }
            // Hits are rare: a step is first asked whether it has any at all.
            if lanes.iter().fold(0, |any, lane| any | lane) != 0 {
                for (k, _) in lanes.iter().enumerate().filter(|(_, lane)| **lane != 0) {
                    // A run that ends inside the step is followed by other boxes.
                    if start + k < end {
                        hits.push([i as u32, (start + k) as u32]);
                    }
                }
            }
            start += LANES;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes along a line, each reaching into the next two.
    fn chain(n: usize) -> Vec<Aabb> {
        (0..n)
            .map(|i| Aabb::new(Vec3::splat(i as f32), Vec3::splat(i as f32 + 2.5)))
            .collect()
    }

    #[test]
    fn finds_each_overlap_of_a_run_once_at_every_length() {
        for n in 0..=3 * LANES + 1 {
            let boxes = chain(n);
            let mut set = BoxSet::default();
            set.copy_from(&boxes);
            for end in 0..=n {
                let mut hits = Vec::new();
                overlaps_within(&set, 0..end, end, &mut hits);
                let mut expected = Vec::new();
                for i in 0..end {
                    for j in i + 1..end {
                        if boxes[i].overlaps(&boxes[j]) {
                            expected.push([i as u32, j as u32]);
                        }
                    }
                }
                assert_eq!(hits, expected, "{n} boxes, the first {end} of them");
            }
        }
    }

    #[test]
    fn a_set_that_shrank_forgets_its_old_boxes() {
        let mut set = BoxSet::default();
        set.copy_from(&vec![Aabb::new(Vec3::ZERO, Vec3::ONE); 40]);
        set.copy_from(&vec![Aabb::new(Vec3::ZERO, Vec3::ONE); 2]);
        let mut hits = Vec::new();
        overlaps_within(&set, 0..2, 2, &mut hits);
        assert_eq!(hits, [[0, 1]]);
    }

    #[test]
    fn a_box_empty_on_one_axis_only_overlaps_nothing() {
        let inverted = Aabb::new(Vec3::new(0.6, 0.0, 0.0), Vec3::new(0.4, 1.0, 1.0));
        let mut set = BoxSet::default();
        set.copy_from(&[Aabb::new(Vec3::ZERO, Vec3::ONE), inverted]);
        let mut hits = Vec::new();
        overlaps_within(&set, 0..2, 2, &mut hits);
        assert!(hits.is_empty());
    }
}
