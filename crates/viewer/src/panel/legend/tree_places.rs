//! Places of the nodes of a small tree.

/// Where a node is: `x` in columns, of which each leaf has one.
#[derive(Debug, PartialEq)]
pub(super) struct Place {
    pub(super) parent: Option<usize>,
    pub(super) x: f32,
}

/// Places the nodes of a tree, given depth first by their depths: each in the middle above those below it.
pub(super) fn places(depths: &[u32]) -> Vec<Place> {
    let mut path: Vec<usize> = Vec::new();
    let mut leaves = 0.0;
    let mut places: Vec<Place> = Vec::with_capacity(depths.len());
    for (node, depth) in depths.iter().enumerate() {
        path.truncate(*depth as usize);
        places.push(Place { parent: path.last().copied(), x: leaves });
        path.push(node);
        if depths.get(node + 1).is_none_or(|next| next <= depth) {
            leaves += 1.0;
        }
    }
    // Parents come before their children, so that these are placed first from the back.
    let mut spans: Vec<Option<[f32; 2]>> = vec![None; depths.len()];
    for node in (0..depths.len()).rev() {
        if let Some([low, high]) = spans[node] {
            places[node].x = 0.5 * (low + high);
        }
        let x = places[node].x;
        if let Some(parent) = places[node].parent {
            let [low, high] = spans[parent].get_or_insert([x, x]);
            (*low, *high) = (low.min(x), high.max(x));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_in_the_middle_above_those_below() {
        // A root over a leaf and a node with two leaves.
        let place = |parent, x| Place { parent, x };
        let expected = [
            place(None, 0.75),
            place(Some(0), 0.0),
            place(Some(0), 1.5),
            place(Some(2), 1.0),
            place(Some(2), 2.0),
        ];
        assert_eq!(places(&[0, 1, 1, 2, 2]), expected);
        assert_eq!(places(&[]), []);
    }
}
