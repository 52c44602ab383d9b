//! The repair of a list by object.

use super::NeighbourList;
use super::candidates::NONE;
use super::test::bury;
use crate::{Aabb, Pair};

/// The list is built anew where those that left meet more objects than this for each object there is,
/// and these.
const MOST_QUERIES: usize = 64;
const FEWEST_QUERIES: usize = 4096;

impl NeighbourList {
    /// Gives the objects that left new inflated boxes and new candidates; false, with a list that must
    /// not be used, where they meet so many that to begin anew is faster.
    #[must_use]
    pub(super) fn repair(&mut self, boxes: &[Aabb]) -> bool {
        let most_queries = (boxes.len() * MOST_QUERIES + FEWEST_QUERIES) as u64;
        self.candidates.link(boxes.len());
        self.cells.make(&self.fat, self.skin.farthest());
        let left = std::mem::take(&mut self.left);
        for object in &left {
            self.left_in[*object as usize] = self.frame;
            self.drop_candidates(*object);
            let fat = self.skin.inflate(*object, &boxes[*object as usize]);
            self.fat[*object as usize] = fat;
            // A look takes it for granted that the last box is in the inflated one.
            self.last[*object as usize] = boxes[*object as usize];
            self.cells.replace(*object, &fat);
        }
        for object in &left {
            let fat = self.fat[*object as usize];
            if fat.is_empty() {
                continue;
            }
            if self.queries > most_queries {
                break;
            }
            self.asked += 1;
            let (cells, fats, left_in) = (&self.cells, &self.fat, &self.left_in);
            let (candidates, live_at) = (&mut self.candidates, &mut self.live_at);
            cells.for_each_near(&fat, |other| {
                if other == *object {
                    return;
                }
                self.queries += 1;
                // Two that left find each other twice.
                let is_first = left_in[other as usize] != self.frame || *object < other;
                if is_first && fats[other as usize].overlaps(&fat) {
                    candidates.push(Pair::new(*object, other));
                    if self.is_live_kept {
                        live_at.push(NONE);
                    }
                }
            });
        }
        self.left = left;
        self.queries <= most_queries
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
