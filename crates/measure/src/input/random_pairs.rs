//! Pairs of bodies at random poses, without a world.

use super::pair_motion::{PairMotion, flat_poses, step_seconds};
use broadphase::Pair;
use narrowphase::impact::Motion;
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{Body, Pose};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim::scene::{Catalogue, NamedShape, ShapeRule};
use sim::stages::BodyList;
use sim::{Scene, SceneDocument};
use std::path::Path;
use std::str::FromStr;

/// Shapes that need no scene.
const BUILT_IN: &str = "i -1 -1 -1  2 2 2  100 t\n#!shape cube box 1 1 1\n#!shape box box 1 2 4\n\
    #!shape tetrahedron tetrahedron 1\n#!shape rod box 1 1 8\n#!shape hull16 hull 16 1\n\
    #!shape capsule capsule 0.5 3\n#!shape cylinder cylinder 0.5 1 16\n";

/// Most pairs of a frame.
const MAX_PAIRS: u32 = 10_000_000;

/// Random pairs as a command line names them: `SHAPE,SHAPE:N[:PLACING]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairsSpec {
    names: [String; 2],
    pairs: u32,
    placing: Placing,
}

/// Random pairs that cannot be made: what was expected, and what is there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}, found `{1}`")]
pub struct PairsSpecError(String, String);

impl FromStr for PairsSpec {
    type Err = PairsSpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong =
            |expected: &str, found: &str| PairsSpecError(expected.to_owned(), found.to_owned());
        let form = || wrong("SHAPE,SHAPE:N or SHAPE,SHAPE:N:PLACING", text);
        let (names, rest) = text.split_once(':').ok_or_else(form)?;
        let (a, b) = names.split_once(',').ok_or_else(form)?;
        if [a, b].iter().any(|name| name.is_empty() || name.contains(',')) {
            return Err(form());
        }
        let (number, placing) = rest.split_once(':').unwrap_or((rest, Placing::Uniform.id()));
        let pairs = number.parse().ok().filter(|pairs| (1..=MAX_PAIRS).contains(pairs));
        let range = format!("a number of pairs from 1 to {MAX_PAIRS}");
        let pairs = pairs.ok_or_else(|| wrong(&range, number))?;
        let placings = Placing::ALL.map(Placing::id).join(", ");
        let placing = Placing::find(placing).ok_or_else(|| wrong(&placings, placing))?;
        Ok(Self { names: [a, b].map(str::to_owned), pairs, placing })
    }
}

/// Random pairs of two shapes, redrawn in every frame.
#[derive(Clone, Debug)]
pub struct RandomPairs {
    spec: PairsSpec,
    seed: u64,
    motion: Option<PairMotion>,
    is_flat: bool,
    shapes: [NamedShape; 2],
    /// The names of the shapes, with the scene that has them: it may have a `cube` of its own.
    labels: [String; 2],
}

impl RandomPairs {
    /// Finds the shapes, first in a scene and the name of its file.
    ///
    /// # Errors
    ///
    /// If there is no such shape.
    pub fn new(
        spec: PairsSpec,
        scene: Option<(&str, &Scene)>,
        seed: u64,
    ) -> Result<Self, PairsSpecError> {
        let built_in = SceneDocument::parse("built-in shapes", BUILT_IN.as_bytes());
        let built_in = match built_in {
            Ok(document) => document.scene().clone(),
            Err(error) => unreachable!("{error}"),
        };
        let unknown = |name: &str| {
            let known: Vec<&str> = built_in.shapes.iter().map(|s| s.name.as_str()).collect();
            let known = known.join(", ");
            let expected = format!("a shape of a scene given beside it, or one of {known}");
            PairsSpecError(expected, name.to_owned())
        };
        let label = |name: &String| match scene {
            Some((file, scene)) if scene.shapes.iter().any(|rule| rule.name == *name) => {
                let file = Path::new(file).file_name().map(|file| file.to_string_lossy());
                format!("{name}@{}", file.unwrap_or_default())
            }
            _ => name.clone(),
        };
        let labels = [label(&spec.names[0]), label(&spec.names[1])];
        let own = scene.map(|(_, scene)| scene.clone()).unwrap_or_default();
        let is_new = |rule: &&ShapeRule| own.shapes.iter().all(|other| other.name != rule.name);
        let new = built_in.shapes.iter().filter(is_new);
        let shapes = own.shapes.iter().chain(new).cloned().collect();
        let scene = Scene { shapes, ..own };
        let catalogue = Catalogue::new(&scene).map_err(|_| unknown(&spec.names[0]))?;
        let shape = |name: &String| {
            let at = catalogue.find(name).ok_or_else(|| unknown(name))?;
            Ok(catalogue.shapes()[at].clone())
        };
        let shapes = [shape(&spec.names[0])?, shape(&spec.names[1])?];
        Ok(Self { spec, seed, motion: None, is_flat: scene.flat, shapes, labels })
    }

    /// The pairs in motion: nearly half of them first touch within a step.
    #[must_use]
    pub fn moving(self, motion: PairMotion) -> Self {
        Self { motion: Some(motion), ..self }
    }

    pub(crate) fn motion(&self) -> Option<PairMotion> {
        self.motion
    }

    /// Whether all bodies are in one plane and rotated about y: uniform pairs of a flat scene, which rest.
    pub(super) fn is_flat(&self) -> bool {
        self.is_flat && self.motion.is_none() && self.spec.placing == Placing::Uniform
    }

    /// Pairs of parts of a pair.
    pub(crate) fn pairs_of_parts(&self) -> usize {
        self.shapes.iter().map(|named| named.shape.parts().len()).product()
    }

    /// Its name in tables, without the number of pairs: `die@dice.scene,rod:near` where the scene has the die,
    /// `cube,rod:near@motion=0.5` in motion.
    pub(super) fn name(&self) -> String {
        let [a, b] = &self.labels;
        let motion = self.motion.map(|motion| format!("@{motion}")).unwrap_or_default();
        format!("{a},{b}:{}{motion}", self.spec.placing.id())
    }

    /// Number of pairs of a frame.
    pub(super) fn count(&self) -> usize {
        self.spec.pairs as usize
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }
}

/// The pairs of a frame: bodies 2 k and 2 k + 1.
pub(crate) struct PlacedPairs<'a> {
    source: &'a RandomPairs,
    rng: ChaCha8Rng,
    poses: Vec<Pose>,
    /// Empty where the pairs rest.
    motions: Vec<Motion>,
}

impl<'a> PlacedPairs<'a> {
    /// Pairs that are not placed yet.
    pub(crate) fn new(source: &'a RandomPairs) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(source.seed);
        Self { source, rng, poses: Vec::new(), motions: Vec::new() }
    }

    /// Places all pairs.
    pub(crate) fn draw(&mut self) {
        let Self { source, rng, poses, motions } = self;
        let [a, b] = source.shapes.each_ref().map(|named| &named.shape);
        // The interval is open.
        let mut uniform = || rng.random::<f64>().max(f64::MIN_POSITIVE);
        poses.clear();
        motions.clear();
        poses.reserve_exact(2 * source.count());
        motions.reserve_exact(if source.motion.is_some() { 2 * source.count() } else { 0 });
        for _ in 0..source.count() {
            let mut of_pair = match source.is_flat() {
                true => flat_poses([a, b], &mut uniform),
                false => random_poses(a, b, source.spec.placing, &mut uniform),
            };
            if let Some(motion) = source.motion {
                let (poses, of_pair_motions) = motion.start([a, b], of_pair, &mut uniform);
                of_pair = poses;
                motions.extend(of_pair_motions);
            }
            poses.extend(of_pair);
        }
    }

    /// How long a step lasts, if the pairs move.
    pub(crate) fn seconds(&self) -> Option<f64> {
        self.source.motion.map(|_| step_seconds())
    }

    /// The pairs, sorted.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        (0..self.source.spec.pairs).map(|pair| Pair { a: 2 * pair, b: 2 * pair + 1 })
    }
}

impl BodyList for PlacedPairs<'_> {
    fn count(&self) -> usize {
        self.poses.len()
    }

    fn shapes(&self) -> &[NamedShape] {
        &self.source.shapes
    }

    fn shape_of(&self, object: usize) -> usize {
        object % 2
    }

    fn body(&self, object: usize) -> Body<'_> {
        Body::new(&self.source.shapes[object % 2].shape, self.poses[object])
    }

    fn moving(&self, object: usize) -> (Body<'_>, Motion) {
        (self.body(object), self.motions.get(object).copied().unwrap_or_default())
    }

    fn is_flat(&self) -> bool {
        self.source.is_flat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use narrowphase::BoxKind;

    #[test]
    fn pairs_of_a_flat_scene_stay_in_its_plane() {
        let placed = |flat: &str, placing: &str| {
            let text = format!("{flat}i -1 -1 -1  2 2 2  100 t\n#!shape pillar cylinder 1 2 8\n");
            let document = SceneDocument::parse("s", text.as_bytes()).unwrap();
            let spec = format!("pillar,rod:50:{placing}").parse().unwrap();
            let pairs = RandomPairs::new(spec, Some(("s.scene", document.scene())), 1).unwrap();
            let mut placed = PlacedPairs::new(&pairs);
            placed.draw();
            let is_in_plane = |pose: &Pose| {
                let DQuat { x, z, .. } = pose.rotation;
                pose.position.y == 0.0 && (x, z) == (0.0, 0.0)
            };
            let boxes = |pair: usize| {
                [0, 1].map(|body| placed.body(2 * pair + body).bounds(BoxKind::Tight))
            };
            assert!((0..50).map(boxes).all(|[a, b]| a.grown(1e-12).overlaps(&b)));
            assert_eq!(pairs.name(), format!("pillar@s.scene,rod:{placing}"));
            (placed.is_flat(), placed.poses.iter().all(is_in_plane))
        };
        let first = |seed| {
            let pairs = RandomPairs::new("cube,rod:1".parse().unwrap(), None, seed).unwrap();
            let mut placed = PlacedPairs::new(&pairs);
            placed.draw();
            placed.poses[1].position
        };
        assert_ne!(first(1), first(2));
        assert_eq!(placed("#!flat\n", "uniform"), (true, true));
        assert_eq!(placed("#!flat\n", "near"), (false, false));
        assert_eq!(placed("", "uniform"), (false, false));
    }
}
