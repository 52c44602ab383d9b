//! Many worlds in one call.

use crate::frames::{Program, pairs_by_definition, point, sides};
use arbitrary::{Result, Unstructured};
use broadphase::{Aabb, Frame, Layer, Pair, WorldBoxes, WorldPairs, Worlds};

/// Most pairs of all worlds: a fraction of a millisecond. 300 objects may all overlap.
const MAX_PAIRS: usize = 100_000;

/// The frames of a program, as worlds of one call, have the pairs of the definition, in the first call and in a second one.
pub(crate) fn check(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let Ok(setup) = Setup::decode(&mut bytes) else { return };
    let program = Program::decode(&mut bytes);
    let shared = setup.shared.len();
    let (mut boxes, mut starts, mut layers) = (Vec::new(), vec![0], setup.layers.clone());
    let (mut expected, mut kinds, mut pairs, mut largest) = (Vec::new(), Vec::new(), 0, shared);
    for (world, frame) in program.frames().enumerate() {
        let own = (0..frame.boxes.len() as u32).map(|object| frame.layer(object));
        let kind = if setup.has_kinds { world % setup.excluded.len() } else { 0 };
        let found = setup.expected(&frame, kind);
        pairs += found.len();
        if pairs > MAX_PAIRS {
            break;
        }
        expected.push(found);
        kinds.push(kind as u32);
        layers.extend(own);
        boxes.extend_from_slice(frame.boxes);
        starts.push(boxes.len() as u32);
        largest = largest.max(shared + frame.boxes.len());
    }
    let excluded: Vec<&[Pair]> = setup.excluded.iter().map(|pairs| &pairs[..]).collect();
    let worlds = WorldBoxes::new(&boxes, &starts).shared(&setup.shared);
    let worlds = if setup.has_layers { worlds.layered(&layers) } else { worlds };
    let worlds = if setup.has_kinds { worlds.kinds(&kinds) } else { worlds };
    let worlds = worlds.excluded(&excluded);
    let (mut search, mut found) = (Worlds::default(), WorldPairs::default());
    let highest = excluded.iter().flat_map(|pairs| pairs.iter()).map(|pair| pair.b as usize).max();
    for _ in 0..2 {
        let result = search.find_pairs(&worlds, &mut found);
        assert_eq!(result.is_ok(), highest < Some(largest), "{result:?}");
        if result.is_err() {
            return;
        }
        for (world, expected) in expected.iter().enumerate() {
            let mut pairs = found.of(world).to_vec();
            pairs.sort_unstable();
            assert_eq!(pairs, *expected, "world {world}");
        }
        assert_eq!(found.worlds(), expected.len());
    }
}

/// The input that all worlds have in common.
struct Setup {
    shared: Vec<Aabb>,
    /// Layers of the shared shapes.
    layers: Vec<Layer>,
    has_layers: bool,
    has_kinds: bool,
    /// Excluded pairs of each kind, ascending.
    excluded: Vec<Vec<Pair>>,
}

impl Setup {
    fn decode(bytes: &mut Unstructured<'_>) -> Result<Self> {
        let [head, excluded]: [u8; 2] = bytes.arbitrary()?;
        let (mut shared, mut layers) = (Vec::new(), Vec::new());
        // Seldom many, which are sorted into bins.
        let shapes = if head < 250 { head % 4 } else { 60 };
        for _ in 0..shapes {
            let corner = point(bytes)?;
            shared.push(Aabb::new(corner, corner + sides(bytes)?));
            let [group, mask]: [u8; 2] = bytes.arbitrary()?;
            let mask = if mask < 128 { u32::MAX } else { u32::from(mask) };
            layers.push(Layer { group: group % 8, mask, is_static: group >= 128 });
        }
        let mut kinds = vec![Vec::new(); 1 + usize::from(excluded % 3)];
        for pair in 0..usize::from(excluded / 3 % 16) {
            let [a, b]: [u8; 2] = bytes.arbitrary()?;
            if a != b {
                let kinds_len = kinds.len();
                kinds[pair % kinds_len].push(Pair::new(a.into(), b.into()));
            }
        }
        for pairs in &mut kinds {
            pairs.sort_unstable();
            pairs.dedup();
        }
        let (has_layers, has_kinds) = (head / 4 % 2 == 0, excluded >= 128);
        Ok(Self { shared, layers, has_layers, has_kinds, excluded: kinds })
    }

    /// The sorted pairs of a world by the definition.
    fn expected(&self, frame: &Frame<'_>, kind: usize) -> Vec<Pair> {
        let boxes = [&self.shared[..], frame.boxes].concat();
        let own = (0..frame.boxes.len() as u32).map(|object| frame.layer(object));
        let layers: Vec<Layer> = self.layers.iter().copied().chain(own).collect();
        let mut pairs = pairs_by_definition(&match self.has_layers {
            true => Frame::new(&boxes).layered(&layers),
            false => Frame::new(&boxes),
        });
        let is_shared = |pair: &Pair| (pair.b as usize) < self.shared.len();
        pairs.retain(|pair| !is_shared(pair) && !self.excluded[kind].contains(pair));
        pairs
    }
}
