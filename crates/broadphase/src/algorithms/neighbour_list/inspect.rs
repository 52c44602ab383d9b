//! The tests of each object.

use super::NeighbourList;
use crate::{Inspect, Pair};

impl Inspect for NeighbourList {
    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        if self.is_bypassed {
            self.search.tests_by_object(tests);
            return;
        }
        if self.is_rebuilt {
            self.search.tests_by_object(tests);
        }
        let mut test = |objects: [u32; 2]| {
            for object in objects {
                if let Some(tests) = tests.get_mut(object as usize) {
                    *tests += 1;
                }
            }
        };
        if !self.is_rebuilt {
            for object in &self.left {
                let fat = &self.fat[*object as usize];
                if !fat.is_empty() {
                    self.nearby.replay(&self.search, fat, &mut |other| test([*object, other]));
                }
            }
        }
        let pair = |pair: &Pair| [pair.a, pair.b];
        match self.tested {
            super::Tested::Nothing => {}
            super::Tested::All => self.candidates.pairs().iter().for_each(|p| test(pair(p))),
            super::Tested::Others => {
                let (_, others) = self.candidates.sure_and_others();
                others.iter().for_each(|p| test(pair(p)));
            }
            super::Tested::Changed => {
                for object in &self.changed {
                    self.candidates.for_each_of(*object, |number| {
                        test(pair(&self.candidates.pairs()[number as usize]));
                    });
                }
            }
        }
    }
}
