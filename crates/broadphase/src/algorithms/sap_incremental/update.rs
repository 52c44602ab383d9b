//! Updates lists and table: by insertion, or by a sweep of all boxes.

use super::{SapIncremental, State};
use crate::parallel::{Rows, for_each, threads_for};
use crate::scratch::renew;
use crate::{Axis, Frame, Pair, PairLimit};
use std::sync::atomic::{AtomicBool, Ordering};

/// Exchanges per endpoint of a list that cost as much as a full sort (measured).
const EXCHANGES_PER_END: u64 = 2;

/// Tests of a sweep, sixteen at a time, that cost as much as one exchange on each of three axes (measured).
const TESTS_PER_EXCHANGE: u64 = 128;

/// Time to update an object on one axis, in nanoseconds (measured where little moves).
pub(super) const NANOS_PER_OBJECT: usize = 50;

/// Time of a row of the sweep, in nanoseconds (measured for a few thousand boxes of a gas).
const NANOS_PER_ROW: usize = 130;

/// Changes of the table between two checks of the stop flag: about a millisecond.
const CHANGES_PER_CHECK: usize = 1 << 14;

/// The number of threads that pay for the three lists.
fn threads_for_axes(frame: &Frame<'_>) -> usize {
    threads_for(Axis::ALL.len() * frame.boxes.len(), NANOS_PER_OBJECT)
}

impl SapIncremental {
    /// Removes absent objects, and appends new ones at the end of the lists.
    fn update_presence(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        let is_present = |object: usize| boxes.get(object).is_some_and(|b| !b.is_empty());
        let mut is_any_absent = false;
        for (object, listed) in self.listed.iter_mut().enumerate() {
            is_any_absent |= *listed && !is_present(object);
            *listed &= is_present(object);
        }
        if is_any_absent {
            let listed = &self.listed;
            self.table.retain(|pair| listed[pair.a as usize] && listed[pair.b as usize]);
            self.lists.iter_mut().for_each(|list| list.drop_absent(listed));
        }
        self.listed.resize(boxes.len(), false);
        for (object, (listed, b)) in self.listed.iter_mut().zip(boxes).enumerate() {
            if !*listed && !b.is_empty() {
                *listed = true;
                self.lists.iter_mut().for_each(|list| list.append(object as u32, b));
            }
        }
    }

    /// Updates lists and table by insertion. False where that takes too long or is stopped.
    pub(super) fn repair(&mut self, frame: &Frame<'_>) -> bool {
        self.update_presence(frame);
        let fewest = self.lists.iter().map(|list| list.overlaps).min().unwrap_or(0);
        let allowance =
            self.lists[0].ends.len() as u64 * EXCHANGES_PER_END + fewest / TESTS_PER_EXCHANGE;
        // Guards no other data: it only skips sorts whose lists will be rebuilt.
        let is_abandoned = AtomicBool::new(false);
        for_each(threads_for_axes(frame), &mut self.lists, |_, list| {
            if is_abandoned.load(Ordering::Relaxed) {
                return;
            }
            list.refresh(frame.boxes);
            if !list.sort_by_insertion(allowance, frame) {
                is_abandoned.store(true, Ordering::Relaxed);
            }
        });
        if is_abandoned.into_inner() {
            return false;
        }
        for list in &self.lists {
            for ceased in list.ceased.chunks(CHANGES_PER_CHECK) {
                if frame.is_stopped() {
                    return false;
                }
                for &[a, b] in ceased {
                    self.table.remove(&Pair::new(a, b));
                }
            }
            for begun in list.begun.chunks(CHANGES_PER_CHECK) {
                if frame.is_stopped() || self.table.len() > frame.limits.most() {
                    return false;
                }
                for &[a, b] in begun {
                    if frame.boxes[a as usize].overlaps(&frame.boxes[b as usize]) {
                        self.table.insert(Pair::new(a, b));
                    }
                }
            }
        }
        self.state = State::Repaired;
        true
    }

    /// Rebuilds lists and table.
    pub(super) fn sweep(&mut self, frame: &Frame<'_>) {
        // The repair may have ended for that reason.
        if frame.is_stopped() {
            return;
        }
        let Self { lists, listed, order, boxes, .. } = self;
        listed.clear();
        listed.extend(frame.boxes.iter().map(|b| !b.is_empty()));
        for_each(threads_for_axes(frame), lists, |_, list| {
            renew(&mut list.ends);
            for (object, b) in (0..).zip(frame.boxes).filter(|(_, b)| !b.is_empty()) {
                list.append(object, b);
            }
            list.sort();
        });
        let mut best = &lists[0];
        for list in &lists[1..] {
            if list.overlaps < best.overlaps {
                best = list;
            }
        }
        renew(order);
        order.extend(best.ends.iter().filter(|end| end.is_lower()).map(|end| end.object()));
        boxes.resize(order.len());
        for (position, object) in order.iter().enumerate() {
            boxes.set(position, &frame.boxes[*object as usize]);
        }
        let axis = best.axis;
        self.table.clear();
        let mut found = std::mem::take(&mut self.found);
        renew(&mut found);
        let limit = PairLimit::new(frame.limits.most());
        let all = Frame { layers: &[], limits: frame.limits.bounded_apart(&limit), ..*frame };
        self.search(axis, &all, &mut found);
        if limit.is_exceeded() {
            self.state = State::Sorted(axis);
            return;
        }
        for found in found.chunks(CHANGES_PER_CHECK) {
            if frame.is_stopped() {
                return;
            }
            self.table.extend(found);
        }
        self.found = found;
        if !frame.is_stopped() {
            self.state = State::Swept(axis);
        }
    }

    /// Appends the pairs of the boxes that are sorted on an axis.
    pub(super) fn search(&mut self, axis: Axis, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let Self { order, boxes, tasks, .. } = self;
        let n = boxes.len();
        tasks.run(n, threads_for(n, NANOS_PER_ROW), pairs, |task, pairs, rows| {
            let pair = |i: usize, j: usize| Some(Pair::new(order[i], order[j]));
            task.find(boxes, Rows::WithinSorted(rows, n, axis), frame, pairs, pair);
        });
    }

    /// Removed pairs leave tombstones in the table. It clears them without an allocation while it is half
    /// empty.
    pub(super) fn keep_table_half_empty(&mut self) {
        let pairs = self.table.len();
        if self.table.capacity() < 2 * pairs + 64 {
            self.table.reserve(2 * pairs + 128);
        }
    }
}
