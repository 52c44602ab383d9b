//! The invariants of the lists and the table.

use super::SapIncremental;
use super::endpoint::ListedEnd;
use crate::Aabb;

impl SapIncremental {
    /// Panics unless each list has both ends of every present object, at their present positions, in order.
    pub(super) fn validate_lists(&self, boxes: &[Aabb]) {
        let present: Vec<_> = boxes.iter().map(|b| !b.is_empty()).collect();
        assert!(self.listed == present, "the listed objects are not the present ones");
        for list in &self.lists {
            let (name, axis) = (list.axis, list.axis.index());
            let mut expected = Vec::with_capacity(list.ends.len());
            for (object, b) in (0..).zip(boxes).filter(|(_, b)| !b.is_empty()) {
                expected.push(ListedEnd::lower(b.min[axis], object));
                expected.push(ListedEnd::upper(b.max[axis], object));
            }
            assert!(list.ends.is_sorted(), "the {name:?} list is not sorted");
            expected.sort_unstable();
            assert!(list.ends == expected, "the {name:?} list has other ends than the boxes");
            // Counted independently of the events.
            let (mut overlaps, mut begun, mut ended) = (0, 0u64, 0u64);
            for end in &expected {
                if end.is_lower() {
                    overlaps += begun - ended;
                    begun += 1;
                } else {
                    ended += 1;
                }
            }
            assert_eq!(list.overlaps, overlaps, "overlaps on {name:?} are counted wrongly");
        }
    }

    /// Panics unless the table has exactly the overlapping pairs.
    pub(super) fn validate_table(&self, boxes: &[Aabb]) {
        for pair in &self.table {
            let [a, b] = [pair.a, pair.b].map(|object| boxes.get(object as usize));
            let overlap = a.zip(b).is_some_and(|(a, b)| a.overlaps(b));
            assert!(overlap && pair.a < pair.b, "the table has {pair}, which does not overlap");
        }
        // All its pairs overlap. So it is complete if it has as many as there are.
        let mut order: Vec<_> = boxes.iter().filter(|b| !b.is_empty()).collect();
        order.sort_unstable_by(|a, b| a.min.x.total_cmp(&b.min.x));
        let mut overlaps = 0;
        for (i, a) in order.iter().enumerate() {
            let beside = order[i + 1..].iter().take_while(|b| b.min.x <= a.max.x);
            overlaps += beside.filter(|b| a.overlaps(b)).count();
        }
        assert_eq!(
            self.table.len(),
            overlaps,
            "the table has another number of pairs than overlap (right)"
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::algorithms::sap_incremental::SapIncremental;
    use crate::managed::Structure;
    use crate::{Aabb, Frame, Pair};
    use glam::Vec3;

    fn three() -> [Aabb; 3] {
        [3.0, 1.0, 2.0].map(|x| Aabb::around_sphere(Vec3::splat(x), 0.6))
    }

    fn updated(boxes: &[Aabb]) -> SapIncremental {
        let mut sap = SapIncremental::default();
        sap.update(&Frame::new(boxes));
        sap
    }

    #[test]
    #[should_panic(expected = "Y list is not sorted")]
    fn validate_catches_a_list_out_of_order() {
        let boxes = three();
        let mut sap = updated(&boxes);
        sap.lists[1].ends.swap(0, 1);
        sap.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "Z list has other ends")]
    fn validate_catches_outdated_ends() {
        let mut boxes = three();
        let sap = updated(&boxes);
        boxes[0].max.z += 0.5;
        sap.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "not the present ones")]
    fn validate_catches_an_absent_object() {
        let mut boxes = three();
        let sap = updated(&boxes);
        boxes[0] = Aabb::EMPTY;
        sap.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "overlaps on X are counted wrongly")]
    fn validate_catches_a_wrong_count() {
        let boxes = three();
        let mut sap = updated(&boxes);
        sap.lists[0].overlaps += 1;
        sap.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "has (0, 1), which does not overlap")]
    fn validate_catches_a_former_pair() {
        let boxes = three();
        let mut sap = updated(&boxes);
        sap.table.insert(Pair::new(0, 1));
        sap.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "another number of pairs")]
    fn validate_catches_a_missing_pair() {
        let boxes = three();
        let mut sap = updated(&boxes);
        sap.table.remove(&Pair::new(0, 2));
        sap.validate(&Frame::new(&boxes));
    }
}
