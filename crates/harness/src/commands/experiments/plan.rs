//! The experiments: their cases, and the methods that are measured on them.

use super::figures::COARSE_FIGURES;
use crate::commands::without_repeats;
use crate::failure::Failure;
use crate::registry::{narrow_phases, times_of_impact};
use crate::study::built_in;
use measure::{Case, DEFAULT_ORDER_SEED, Method, PairMotion, RandomPairs};
use narrowphase::BoxKind;
use narrowphase::impact;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::{VOLUMES, VolumeKind};
use sim::Scene;

/// Distances that each body moves in a step, in lengths of the pair.
const SPEEDS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0];
/// Angles that each body turns in a step, in rad: a car at 1 rad/s in 1/50 s, and faster ones.
const SPINS: [f64; 3] = [0.02, 0.2, 1.0];
/// Pairs of other experiments for each pair of hulls: all axes of the largest hulls take 20 ms.
const HULL_SHARE: u32 = 20;
/// Numbers of vertices.
const VERTICES: [u32; 6] = [4, 8, 16, 32, 64, 128];
/// Static tests of fixed sampling, as ids.
pub(super) const SAMPLINGS: [&str; 4] =
    ["substeps@k=4", "substeps@k=16", "substeps@k=64", "substeps@k=256"];

/// An experiment with rows of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Experiment {
    /// Pairs of boxes, both in motion, over their speed.
    Moving,
    /// Pairs of boxes, the second at rest, over the speed of the first.
    Resting,
    /// Pairs of boxes that move a length a step and rotate.
    Rotating,
    /// Hulls at rest, over their number of vertices.
    Vertices,
    /// Bodies of all kinds in motion, for what caches keep from frame to frame.
    Coherence,
    /// Bounding volumes of compounds.
    Volumes,
    /// One figure as one, two and four parts against a platform.
    Parts,
    /// A square against a circle, each with three radii.
    Radii,
    /// Obstacles in one table and in areas; measured as `run` does.
    Areas,
}

use Experiment::{Areas, Coherence, Moving, Parts, Radii, Resting, Rotating, Vertices, Volumes};

/// All of them, with the names of their folders and short descriptions.
pub(super) const EXPERIMENTS: [(Experiment, &str, &str); 9] = [
    (Moving, "moving", "pairs of boxes 1:2:4, both move 0.1 to 4 lengths a step"),
    (Resting, "resting", "pairs of boxes 1:2:4, the first moves 0.1 to 4 lengths a step"),
    (Rotating, "rotating", "pairs of boxes at 1 length a step; both turn 0.02 to 1 rad a step"),
    (Vertices, "vertices", "pairs of hulls of 4 to 128 points"),
    (Coherence, "coherence", "zoo.scene, narrow phases with and without a cache"),
    (Volumes, "volumes", "jacks.scene, bounding volumes of compounds on two kinds of candidates"),
    (Parts, "parts", "the figure of characters.scene as 1, 2 and 4 parts against a platform"),
    (Radii, "radii", "squares against circles, as large as in lab.scene, in a plane"),
    (Areas, "areas", "lab.scene, all obstacles in one table against two areas"),
];

impl Experiment {
    /// The methods that it measures, and contact sets.
    pub(super) fn methods(self) -> Vec<Method> {
        let is_volume = |kind: &&VolumeKind| match self {
            Volumes => true,
            Radii => matches!(kind.id, "sphere" | "sphere-inside" | "sphere-between"),
            _ => false,
        };
        // All axes of hulls of 128 points, each projected naively, take a second a pair.
        let is_narrow = |kind: &&NarrowPhaseKind| match self {
            Vertices => kind.id != "sat+naive",
            Coherence | Parts => true,
            _ => false,
        };
        let coarse = COARSE_FIGURES.iter().filter(|_| self == Parts);
        let volumes = VOLUMES.iter().filter(is_volume).chain(coarse).map(Method::Volume);
        let narrow = narrow_phases().iter().filter(is_narrow).map(Method::Narrow);
        let mut methods: Vec<Method> = volumes.chain(narrow).chain([Method::Contacts]).collect();
        if matches!(self, Moving | Resting | Rotating) {
            // All of the registry, and samplings.
            let ids = times_of_impact().iter().map(|kind| kind.id).chain(SAMPLINGS);
            let impacts = ids.filter_map(|id| impact::find_in(times_of_impact(), id).ok());
            let impacts = without_repeats(&impacts.collect::<Vec<_>>());
            methods.extend(impacts.into_iter().map(Method::Impact));
        }
        methods
    }

    /// Its cases as stages.
    pub(super) fn stage_cases(self, size: &Size) -> Result<Vec<Case>, Failure> {
        let motion = |speed, spin| PairMotion { speed, spin, against_resting: self == Resting };
        let boxes = |motion| size.pairs("box,box", None, Some(motion));
        match self {
            Moving | Resting => SPEEDS.map(|v| boxes(motion(v, 0.0))).into_iter().collect(),
            Rotating => SPINS.map(|w| boxes(motion(1.0, w))).into_iter().collect(),
            Vertices => {
                let shapes = VERTICES.map(|n| format!("#!shape hull-{n} hull {n} 1\n")).concat();
                let scene = built_in("hulls", &format!("i -1 -1 -1  2 2 2  100 t\n{shapes}"))?;
                let few = Size { pairs: (size.pairs / HULL_SHARE).max(2), ..*size };
                let of = |n: u32| few.pairs(&hulls(n), Some(("hulls", &scene)), None);
                VERTICES.map(of).into_iter().collect()
            }
            Coherence => size.world("zoo.scene", ZOO, 0.6),
            Volumes => {
                let cases = size.world("jacks.scene", JACKS, 1.0)?;
                let of = |kind| cases.iter().map(move |case| case.clone().with_box_kind(kind));
                Ok([BoxKind::Tight, BoxKind::Sphere].into_iter().flat_map(of).collect())
            }
            Parts => {
                let scene = built_in("characters.scene", CHARACTERS)?;
                let of = |figure| {
                    let shapes = format!("{figure},platform");
                    size.pairs(&shapes, Some(("characters.scene", &scene)), None)
                };
                FIGURES.map(of).into_iter().collect()
            }
            Radii => {
                let scene = built_in("squares", SQUARES)?;
                Ok(vec![size.pairs("cube,pillar", Some(("squares", &scene)), None)?])
            }
            Areas => Ok(Vec::new()),
        }
    }
}

const ZOO: &str = include_str!("../../../../../scenes/zoo.scene");
/// Compounds: a hull is a volume of its own only for them.
const JACKS: &str = include_str!("../../../../../scenes/jacks.scene");
pub(super) const CHARACTERS: &str = include_str!("../../../../../scenes/characters.scene");
const LAB: &str = include_str!("../../../../../scenes/lab.scene");
/// The square and the circles of the laboratory in their sizes there, in its plane.
const SQUARES: &str = "#!flat\ni -1 -1 -1  2 2 2  100 t\n#!shape cube box 0.12 0.12 0.12\n\
    #!shape pillar cylinder 0.07 0.2 16\n";

/// The shapes of the figure, from one part to four.
pub(super) const FIGURES: [&str; 3] = ["one", "two", "four"];

/// The shapes of the hulls of `n` points.
fn hulls(n: u32) -> String {
    format!("hull-{n},hull-{n}")
}

/// The number of points of a case of hulls, from its name.
pub(super) fn points_of(input: &str) -> Option<u64> {
    input.strip_prefix("hull-")?.split_once('@')?.0.parse().ok()
}

/// The laboratory as a case of `run`.
pub(super) fn lab(size: &Size) -> Result<Case, Failure> {
    Ok(Case::of_scene("lab.scene", built_in("lab.scene", LAB)?, size.warmup, size.frames))
}

/// The amount that is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// Random pairs of a frame.
    pub(super) pairs: u32,
    /// Generated bodies of a scene.
    pub(super) bodies: u32,
    pub(super) warmup: u32,
    pub(super) frames: u32,
}

impl Size {
    /// A scene with at most its own bodies, in sources of another size, dense enough that there are candidates.
    fn world(&self, name: &str, text: &str, scale: f32) -> Result<Vec<Case>, Failure> {
        let mut scene = built_in(name, text)?;
        scene.objects = scene.objects.min(self.bodies);
        scene.sources.iter_mut().for_each(|source| source.size *= scale);
        Ok(vec![Case::of_scene(name, scene, self.warmup, self.frames)])
    }

    fn pairs(
        &self,
        shapes: &str,
        scene: Option<(&str, &Scene)>,
        motion: Option<PairMotion>,
    ) -> Result<Case, Failure> {
        let wrong = |e: &dyn std::fmt::Display| Failure::Running(format!("built-in pairs: {e}"));
        let spec = format!("{shapes}:{}", self.pairs).parse();
        let spec = spec.map_err(|e: measure::PairsSpecError| wrong(&e))?;
        let pairs = RandomPairs::new(spec, scene, DEFAULT_ORDER_SEED).map_err(|e| wrong(&e))?;
        let pairs = motion.into_iter().fold(pairs, RandomPairs::moving);
        Ok(Case::of_pairs(pairs, self.warmup, self.frames))
    }
}
