//! The invariants.

use super::{ABSENT, Pruning};
use crate::Aabb;
use crate::radix_sort::order_key;
use crate::sweep::blocks::{Block, LANES, axes_from};

impl Pruning {
    pub(super) fn validate_order(&self, boxes: &[Aabb]) {
        assert_eq!(self.order.len(), boxes.len(), "the order does not list all objects");
        let mut ordered = vec![false; boxes.len()];
        let mut before = 0;
        for (position, keyed) in self.order.iter().enumerate() {
            let (object, b) = (keyed.object, &boxes[keyed.object as usize]);
            let twice = std::mem::replace(&mut ordered[object as usize], true);
            assert!(!twice, "object {object} is in the order twice");
            let key = if b.is_empty() { ABSENT } else { order_key(b.min[self.axis]) };
            assert_eq!(keyed.key, key, "object {object}: an outdated key");
            assert!(before <= key, "object {object} begins before its predecessor");
            before = key;
            let is_present = position < self.present;
            assert_eq!(
                is_present,
                !b.is_empty(),
                "object {object} is on the wrong side of the end"
            );
        }
        let end = self.present.div_ceil(LANES);
        assert_eq!(self.blocks.len(), end + 1, "blocks are missing or left over");
        for position in 0..self.blocks.len() * LANES {
            let (block, lane) = (&self.blocks[position / LANES], position % LANES);
            let held = |block: &Block, lane: usize| {
                (block.min.map(|b| b[lane]), block.max.map(|b| b[lane]), block.objects[lane])
            };
            let expected = match self.order[..self.present].get(position) {
                Some(keyed) => {
                    let b = &boxes[keyed.object as usize];
                    let axes = axes_from(self.axis);
                    (axes.map(|axis| b.min[axis]), axes.map(|axis| b.max[axis]), keyed.object)
                }
                // Lanes behind the last box must end every run, and be in none.
                None => held(&Block::EMPTY, 0),
            };
            assert_eq!(held(block, lane), expected, "position {position}: another box");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;
    use crate::managed::Structure;
    use glam::Vec3;

    /// Spoils a sound structure over 40 boxes, of which two are absent.
    fn validated(spoil: impl FnOnce(&mut Pruning)) {
        let mut boxes: Vec<_> =
            (0..40).map(|i| Aabb::around_sphere(Vec3::splat(i as f32), 0.7)).collect();
        (boxes[7], boxes[20]) = (Aabb::EMPTY, Aabb::new(Vec3::ONE, Vec3::ZERO));
        let mut algorithm = Pruning::default();
        algorithm.update(&Frame::new(&boxes));
        algorithm.validate_order(&boxes);
        spoil(&mut algorithm);
        algorithm.validate_order(&boxes);
    }

    #[test]
    #[should_panic(expected = "begins before")]
    fn wrong_order_is_detected() {
        validated(|algorithm| algorithm.order.swap(3, 4));
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn lost_object_is_detected() {
        validated(|algorithm| algorithm.order[5] = algorithm.order[4]);
    }

    #[test]
    #[should_panic(expected = "an outdated key")]
    fn outdated_key_is_detected() {
        validated(|algorithm| algorithm.order[5].key += 1);
    }

    #[test]
    #[should_panic(expected = "wrong side")]
    fn swept_absent_object_is_detected() {
        validated(|algorithm| algorithm.present += 1);
    }

    #[test]
    #[should_panic(expected = "another box")]
    fn wrong_bound_is_detected() {
        validated(|algorithm| algorithm.blocks[1].max[2][3] += 1.0);
    }

    #[test]
    #[should_panic(expected = "another box")]
    fn box_behind_the_last_one_is_detected() {
        validated(|algorithm| algorithm.blocks[2].min[0][15] = 3.0);
    }
}
