//! The repair of a list by object.

use super::NeighbourList;
use super::candidates::NONE;
use super::cores;
use super::test::bury;
use crate::scratch::resize_roomy;
use crate::simd::level;
use crate::{Aabb, Pair};
use fearless_simd::{Simd, dispatch};

/// The list is built anew where those that left meet more objects than this for each object there is,
/// and these; or are compared with so many more; or where the list is bloated.
const MOST_MET: usize = 64;
const FEWEST_MET: usize = 4096;
const COMPARED: u64 = 8;

/// In a list that has held, what grew would be tested for long: there an inflated box grows no more than so
/// that it meets so many times what the one meets that its object needs.
const GROWN_WHERE_HELD: f32 = 1.5;

/// How much an inflated box meets, by a scale of its own: the volume of the boxes like the object's that
/// touch it.
fn reach(fat: &Aabb, b: &Aabb) -> f32 {
    let side = b.size().element_sum() / 3.0;
    (fat.size() + side).element_product()
}

/// The objects that left their inflated boxes in a frame.
#[derive(Debug, Default)]
pub(super) struct Leavers {
    /// Their inflated boxes before; empty where they were given up with all of their candidates.
    before: Vec<Aabb>,
    /// The place of each object among them, of use only for those that are.
    at: Vec<u32>,
}

impl Leavers {
    /// The inflated box that an object had before, if it is one of those that left.
    #[inline(always)]
    pub(super) fn before(&self, left: &[u32], object: u32) -> Option<&Aabb> {
        let at = self.at[object as usize] as usize;
        (left.get(at) == Some(&object)).then(|| &self.before[at])
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.before.capacity() * size_of::<Aabb>() + self.at.capacity() * size_of::<u32>()
    }
}

impl NeighbourList {
    /// Gives the objects that left new inflated boxes and new candidates; false, with a list that must
    /// not be used, where they meet so many that to begin anew is faster.
    ///
    /// An inflated box grows, if that does not make it far too large: then its candidates stay, and only
    /// those are added that it did not meet before.
    #[must_use]
    pub(super) fn repair(&mut self, boxes: &[Aabb]) -> bool {
        let left = std::mem::take(&mut self.left);
        // All are tested anew in such a frame, and who is dropped needs no lists by object.
        self.is_live_kept &= !self.is_much_changed();
        self.leavers.before.clear();
        self.leavers.before.reserve(self.most_left());
        self.candidates.make_room(boxes.len());
        resize_roomy(&mut self.leavers.at, boxes.len(), 0);
        let mut are_dropped = false;
        let most = if self.has_held() { GROWN_WHERE_HELD } else { self.skin.grown() };
        for (at, object) in (0..).zip(&left) {
            let b = &boxes[*object as usize];
            let before = self.fat[*object as usize];
            let needed = self.skin.inflate(*object, b);
            let grown = before.union(&needed);
            let grows = !needed.is_empty() && reach(&grown, b) <= most * reach(&needed, b);
            self.fat[*object as usize] = if grows { grown } else { needed };
            if let Some(core) = self.cores.get_mut(*object as usize) {
                let needed = cores::core(b, &needed);
                *core = if grows { cores::common(core, &needed) } else { needed };
            }
            self.leavers.at[*object as usize] = at;
            self.leavers.before.push(if grows { before } else { Aabb::EMPTY });
            are_dropped |= !grows;
            // A look takes it for granted that the last box is in the inflated one, and holds the core.
            self.last[*object as usize] = *b;
        }
        if are_dropped {
            self.drop_given_up(&left);
        }
        self.unsettle(&left);
        let is_whole = self.nearby.take_over(&left, &self.fat, &mut self.search)
            && dispatch!(level(), simd => self.add_candidates(simd, &left));
        self.left = left;
        is_whole
    }

    /// Drops the candidates of those whose inflated boxes did not grow.
    fn drop_given_up(&mut self, left: &[u32]) {
        if self.is_live_kept {
            // Which overlap is noted by number: one pass over all would change the numbers of all.
            self.candidates.link(self.fat.len());
        }
        if self.candidates.is_linked() {
            for (at, object) in left.iter().enumerate() {
                if self.leavers.before[at].is_empty() {
                    self.drop_candidates(*object);
                }
            }
        } else {
            let leavers = &self.leavers;
            self.candidates.drop_of_all(|object| {
                leavers.before(left, object).is_some_and(|before| before.is_empty())
            });
        }
    }

    /// Adds the candidates of the objects that left; false where they meet too many.
    #[inline(always)]
    fn add_candidates<S: Simd>(&mut self, simd: S, left: &[u32]) -> bool {
        let most = (self.fat.len() * MOST_MET + FEWEST_MET) as u64;
        let Self { fat, leavers, candidates, live_at, is_live_kept, .. } = self;
        for (object, before) in left.iter().zip(&leavers.before) {
            let own = &fat[*object as usize];
            if own.is_empty() {
                continue;
            }
            let are_bloated = candidates.are_bloated(fat.len());
            if self.met > most || self.compared > COMPARED * most || are_bloated {
                return false;
            }
            self.asked += 1;
            self.compared += self.nearby.for_each_near(simd, &self.search, own, |other| {
                self.met += 1;
                let its_before = match leavers.before(left, other) {
                    // Two that left find each other twice, and everybody itself once.
                    Some(_) if other <= *object => return,
                    Some(its_before) => its_before,
                    None => &fat[other as usize],
                };
                if before.overlaps(its_before) {
                    return;
                }
                candidates.push(Pair::new(*object, other));
                if *is_live_kept {
                    live_at.push(NONE);
                }
            });
        }
        candidates.are_numbered()
    }

    fn drop_candidates(&mut self, object: u32) {
        let Self { candidates, live_at, live, is_live_kept, .. } = self;
        candidates.drop_of(object, |number, last| {
            if *is_live_kept {
                bury(number, live_at, live);
                let at = live_at[last as usize];
                live_at.swap_remove(number as usize);
                if number != last && at != NONE {
                    live[at as usize] = number;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BroadPhase, Frame};
    use glam::Vec3;

    #[test]
    fn a_box_grows_by_a_short_way_and_is_given_up_after_a_long_one() {
        let at = |i: usize| Vec3::from([i % 10, i / 10 % 10, i / 100].map(|place| place as f32));
        let mut boxes: Vec<_> = (0..1000).map(|i| Aabb::around_sphere(at(i), 0.45)).collect();
        // Whether pairs are tested all at once, or by object.
        for trembles in [false, true] {
            let mut list = NeighbourList::default();
            let mut update = |boxes: &mut Vec<Aabb>, way: f32, number: usize| {
                for (object, b) in boxes.iter_mut().enumerate() {
                    let way = match object {
                        555 => way,
                        _ if trembles => 1e-4 * if number.is_multiple_of(2) { 1.0 } else { -1.0 },
                        _ => continue,
                    };
                    *b = Aabb::new(b.min + way, b.max + way);
                }
                let (frame, mut pairs) = (Frame::new(boxes, 0.1), Vec::new());
                list.update(&frame);
                list.validate(&frame);
                list.find_pairs(&frame, &mut pairs);
                (list.fat[555], list.is_rebuilt, list.left.clone())
            };
            let (begun, _, _) =
                (0..4).map(|number| update(&mut boxes, 0.0, number)).last().unwrap();
            let (grown, is_rebuilt, left) = update(&mut boxes, 0.1, 4);
            assert!(!is_rebuilt && left == [555]);
            assert_eq!(grown.union(&begun), grown, "it did not grow");
            let (far, is_rebuilt, left) = update(&mut boxes, 4.0, 5);
            assert!(!is_rebuilt && left == [555]);
            assert!(!far.overlaps(&begun), "it reaches from where it was to where it is");
            update(&mut boxes, -4.1, 6);
        }
    }
}
