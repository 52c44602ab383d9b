//! The experiments and their scenes, the methods that are compared, how much of it is measured, and the measured cells.

use super::ThesisOptions;
#[cfg(feature = "draw")]
use super::drawn;
use crate::commands::series::Series;
use crate::failure::Failure;
use crate::study::{Bench, built_in};
use broadphase::registry::{Algorithm, find};
use measure::{Case, Drawing, Machine, Plan};
use report::{Cell, read_cells};
use sim::Scene;
use sim::scene::Radius;
use std::io::IsTerminal;
use std::path::Path;

/// Inputs of E1 and E2 in the rows: the random scene, drawn or not.
const DRAWN: &str = "random, drawn";
const NOT_DRAWN: &str = "random";
/// The input of E3.
const SETTLED: &str = "fer";
/// The two looks of E5 and of E6: the random scene, drawn with fewer and with more triangles, plain and shaded.
pub(super) const TRIANGLES: [&str; 2] = ["random, 20 triangles", "random, 80 triangles"];
pub(super) const SHADING: [&str; 2] = ["random, plain", "random, shaded"];
/// Prefixes of the inputs of E7: a speed, units/s; a radius.
pub(super) const SPEED: &str = "random, speed ";
pub(super) const RADIUS: &str = "random, radius ";
/// Speeds of E7, units/s.
pub(super) const SPEEDS: [f32; 5] = [0.1, 0.25, 0.5, 1.0, 2.0];
/// Radii of E7.
pub(super) const RADII: [f32; 5] = [0.005, 0.01, 0.02, 0.03, 0.04];

/// An experiment with rows of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Experiment {
    /// E1: random, drawn.
    RandomDrawn,
    /// E2: random, not drawn.
    Random,
    /// E3: FER, not drawn.
    Fer,
    /// E4: pictures of scenes and trees; has no rows.
    Pictures,
    /// E5: 20 against 80 triangles.
    Triangles,
    /// E6: shading on and off.
    Shading,
    /// E7: speed and size of the objects.
    SpeedAndSize,
}

use Experiment::{Fer, Pictures, Random, RandomDrawn, Shading, SpeedAndSize, Triangles};

/// All of them: the number, which is also the folder's name, whether it takes a graphics adapter, and a short description.
pub(super) const EXPERIMENTS: [(Experiment, &str, bool, &str); 7] = [
    (RandomDrawn, "E1", true, "random scene, drawn, 20 triangles per sphere, not shaded"),
    (Random, "E2", false, "random scene, not drawn"),
    (Fer, "E3", false, "FER, not drawn, after the objects have been set free"),
    (Pictures, "E4", true, "pictures of scenes and trees"),
    (Triangles, "E5", true, "random scene, drawn, bsp, 20 against 80 triangles per sphere"),
    (Shading, "E6", true, "random scene, drawn, bsp, 20 triangles, plain against shaded"),
    (SpeedAndSize, "E7", false, "random scene, not drawn, other speeds and sizes"),
];

impl Experiment {
    /// The input in its rows, if it has only one.
    pub(super) fn input(self) -> &'static str {
        match self {
            Self::RandomDrawn => DRAWN,
            Self::Fer => SETTLED,
            _ => NOT_DRAWN,
        }
    }

    /// The inputs of its two ways of drawing.
    pub(super) fn looks(self) -> [&'static str; 2] {
        if self == Self::Triangles { TRIANGLES } else { SHADING }
    }
}

/// A scene of the thesis, built in so that the command runs in any folder: its name, and its text.
pub(super) type BuiltIn = (&'static str, &'static str);

pub(super) const RANDOM: BuiltIn =
    ("random.scene", include_str!("../../../../../scenes/random.scene"));
pub(super) const FER: BuiltIn = ("fer.scene", include_str!("../../../../../scenes/fer.scene"));
pub(super) const WINDOW: BuiltIn =
    ("fig-6-4.scene", include_str!("../../../../../scenes/fig-6-4.scene"));
pub(super) const STAIRS: BuiltIn =
    ("stepenice.scene", include_str!("../../../../../scenes/stepenice.scene"));
pub(super) const FALL: BuiltIn = ("pad.scene", include_str!("../../../../../scenes/pad.scene"));

/// A scene with this number of objects.
pub(super) fn scene_of((name, text): BuiltIn, objects: u32) -> Result<Scene, Failure> {
    Ok(Scene { objects, ..built_in(name, text)? })
}

/// The variants of the random scene for E7, with their names.
pub(super) fn varied(objects: u32) -> Result<Vec<(String, Scene)>, Failure> {
    let scene = scene_of(RANDOM, objects)?;
    let of_speed = |speed: f32| (format!("{}{speed}", SPEED), Scene { speed, ..scene.clone() });
    let of_radius = |radius: f32| {
        let scene = Scene { radius: Radius::Equal(radius), ..scene.clone() };
        (format!("{}{radius}", RADIUS), scene)
    };
    Ok(SPEEDS.map(of_speed).into_iter().chain(RADII.map(of_radius)).collect())
}

/// Numbers of objects of the full run. Each step of the trees' depth (250, 500, 1000, 2000, 4000) has a
/// number on either side, so that a jump can be distinguished from growth.
const NUMBERS: [u32; 22] = [
    50, 100, 150, 200, 249, 250, 300, 400, 499, 500, 700, 999, 1000, 1500, 1999, 2000, 2500, 3000,
    3500, 3999, 4000, 5000,
];
/// The fewest that exercise every figure and every claim.
const QUICK_NUMBERS: [u32; 14] =
    [50, 100, 249, 250, 300, 499, 500, 999, 1000, 1999, 2000, 3999, 4000, 5000];
/// Numbers of objects for the experiments that compare two ways of drawing.
const DRAWN_PAIRS: [u32; 7] = [50, 100, 300, 1000, 2000, 3000, 5000];
/// Simulated seconds after which the sources of FER are gone and the objects flow through the letters.
const FER_SETTLED: f32 = 2.0;

/// The numbers of objects, frames and repetitions.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "draw"),
    allow(dead_code, reason = "experiments with rendering are left out")
)]
pub(super) struct ThesisPlan {
    /// Numbers of objects of the figures over n.
    pub(super) numbers: Vec<u32>,
    /// Numbers of objects where two ways of drawing are compared.
    pub(super) drawn_pairs: Vec<u32>,
    /// Number of objects where speed and size vary.
    varied_number: u32,
    /// Frames that count, without rendering and with it.
    pub(super) frames: [u32; 2],
    /// Frames before those that count; and those on FER.
    pub(super) warmup: u32,
    fer_warmup: u32,
    /// Repetitions, without rendering and with it.
    pub(super) repeats: [u32; 2],
}

impl ThesisPlan {
    /// The full or the quick run, changed by the options.
    pub(super) fn new(options: &ThesisOptions) -> Self {
        let either = |quick: u32, full: u32| if options.quick { quick } else { full };
        let mut chosen = options.objects.clone();
        chosen.sort_unstable();
        chosen.dedup();
        let numbers = |quick: &[u32], full: &[u32]| match options.quick {
            _ if !chosen.is_empty() => chosen.clone(),
            true => quick.to_vec(),
            false => full.to_vec(),
        };
        let middle = chosen.get(chosen.len() / 2).copied();
        Self {
            numbers: numbers(&QUICK_NUMBERS, &NUMBERS),
            drawn_pairs: numbers(&[50, 1000, 5000], &DRAWN_PAIRS),
            varied_number: middle.unwrap_or(either(1000, 2000)),
            frames: [either(20, 100), either(5, 60)].map(|own| options.frames.unwrap_or(own)),
            warmup: either(3, 20),
            fer_warmup: settled_frames() + either(0, 30),
            repeats: [either(1, 5), either(1, 3)].map(|own| options.repeat.unwrap_or(own)),
        }
    }
}

/// Frames of 1/60 s until the objects of FER are free.
fn settled_frames() -> u32 {
    (FER_SETTLED * 60.0) as u32 + 5
}

/// The four methods of the thesis, by the ids of their algorithm entries.
#[derive(Debug)]
pub(super) struct Methods {
    /// The name on the page.
    pub(super) name: &'static str,
    pub(super) brute_force: &'static str,
    pub(super) bsp: &'static str,
    pub(super) kd_tree: &'static str,
    pub(super) sap_matrix: &'static str,
}

/// The default entries. Some are vectorised, brute force above all.
pub(super) const VECTORISED: Methods = Methods {
    name: "vectorised",
    brute_force: "brute-force",
    bsp: "bsp",
    kd_tree: "kd-tree",
    sap_matrix: "sap-matrix",
};

/// The scalar entries: like for like with the thesis, which measured scalar code.
pub(super) const SCALAR: Methods = Methods {
    name: "scalar",
    brute_force: "brute-force+scalar",
    bsp: "bsp+scalar",
    kd_tree: "kd-tree+scalar",
    sap_matrix: "sap-matrix+scalar",
};

/// The tree of the work that the thesis compares itself with (8.7). It has no scalar entry.
pub(super) const SEMI_ADJUSTING: &str = "bsp-semi-adjusting";

/// Both sets, in the order of the page.
pub(super) const SETS: [&Methods; 2] = [&VECTORISED, &SCALAR];

impl Methods {
    /// All four ids, brute force first.
    pub(super) fn ids(&self) -> [&'static str; 4] {
        [self.brute_force, self.bsp, self.kd_tree, self.sap_matrix]
    }

    /// All ids but that of brute force.
    pub(super) fn without_brute_force(&self) -> [&'static str; 3] {
        [self.bsp, self.kd_tree, self.sap_matrix]
    }
}

/// Whether the adapter is the processor: then claims about drawing cannot be compared with the thesis.
pub(super) fn is_software(adapter: &str) -> bool {
    adapter.contains("software")
}

/// The cells of all experiments.
#[derive(Debug, Default)]
pub(super) struct ThesisRows {
    experiments: [Vec<Cell>; EXPERIMENTS.len()],
    /// Rows without figures, with the experiment.
    pub(super) left_out: Vec<String>,
}

impl ThesisRows {
    /// Reads the folders of the experiments that are there.
    pub(super) fn read(data: &Path) -> Result<Self, Failure> {
        let mut rows = Self::default();
        for (experiment, number, ..) in EXPERIMENTS {
            let [summary, frames, manifest] =
                ["summary.csv", "frames.csv", Machine::FILE].map(|f| data.join(number).join(f));
            if !summary.is_file() {
                continue;
            }
            // Too large to be committed: without it only the time of rendering is unknown.
            let frames = Some(frames).filter(|frames| frames.is_file());
            let read = read_cells(&[summary].into_iter().chain(frames).collect::<Vec<_>>())?;
            if manifest.is_file() {
                Machine::read(&manifest)?;
            }
            rows.left_out.extend(read.left_out.iter().map(|row| format!("{number}: {row}")));
            rows.experiments[experiment as usize] = read.cells;
        }
        Ok(rows)
    }

    /// Planted cells.
    #[cfg(test)]
    pub(super) fn of(experiment: Experiment, cells: &[Cell]) -> Self {
        let mut rows = Self::default();
        rows.experiments[experiment as usize] = cells.to_vec();
        rows
    }

    /// The cells of an experiment; none if it was not measured.
    pub(super) fn cells(&self, experiment: Experiment) -> &[Cell] {
        &self.experiments[experiment as usize]
    }

    /// Why a figure of this experiment cannot be drawn.
    pub(super) fn missing(&self, from: Experiment) -> &'static str {
        let (.., is_drawn, _) = EXPERIMENTS[from as usize];
        match (self.cells(from).is_empty(), is_drawn) {
            (true, true) => "nothing was drawn in this run",
            (true, false) => "not measured",
            _ => "frames.csv is missing, or no number of objects in its range was measured",
        }
    }

    /// The cell of an algorithm at a number of objects, by the input's name.
    pub(super) fn cell(&self, from: Experiment, input: &str, id: &str, n: u64) -> Option<&Cell> {
        let wanted = |c: &&Cell| c.input == input && c.algorithm == id && c.n == n;
        self.cells(from).iter().find(wanted)
    }

    /// Whether any of these algorithms was measured.
    pub(super) fn has_any(&self, ids: &[&str]) -> bool {
        self.experiments.iter().flatten().any(|cell| ids.contains(&cell.algorithm.as_str()))
    }

    /// The numbers of objects of an experiment, ascending.
    pub(super) fn numbers(&self, from: Experiment) -> Vec<u64> {
        let mut numbers: Vec<u64> = self.cells(from).iter().map(|cell| cell.n).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// Measures all experiments, each into its own folder.
pub(super) fn measure(plan: &ThesisPlan, bench: &mut Bench<'_>) -> Result<(), Failure> {
    let _lock = bench.prepare(&bench.files.data(), false)?;
    bench.setting.options.quiet |= !std::io::stderr().is_terminal();
    draw(plan, bench)?;
    search(plan, bench)
}

/// Measures an experiment: these algorithms in the same rounds, each round over all cases. With `drawing` every frame is
/// drawn.
pub(super) fn part(
    bench: &mut Bench<'_>,
    experiment: Experiment,
    cases: Vec<Case>,
    (ids, repeats): (&[&str], u32),
    drawing: Option<&dyn Drawing>,
) -> Result<(), Failure> {
    let (_, folder, _, summary) = EXPERIMENTS[experiment as usize];
    bench.note(&format!("{folder}: {summary}"));
    let algorithms: Vec<&Algorithm> = ids.iter().filter_map(|id| find(id)).collect();
    let plan = Plan::new(&algorithms, &[1], repeats);
    let series = Series { in_rounds: true, drawing, ..Series::new(cases, plan) };
    bench.part(folder, &series, None)
}

/// Measures E2, E3 and E7, without rendering, by both sets of methods.
fn search(plan: &ThesisPlan, bench: &mut Bench<'_>) -> Result<(), Failure> {
    let [frames, _] = plan.frames;
    let over_n = |from: Experiment, scene: BuiltIn, warmup: u32| {
        let case = |&n| Ok(Case::of_scene(from.input(), scene_of(scene, n)?, warmup, frames));
        plan.numbers.iter().map(case).collect::<Result<Vec<Case>, Failure>>()
    };
    let varied = varied(plan.varied_number)?.into_iter();
    let varied = varied.map(|(name, scene)| Case::of_scene(&name, scene, plan.warmup, frames));
    let ids: Vec<&str> = SETS.into_iter().flat_map(Methods::ids).collect();
    let with_other = [&ids[..], &[SEMI_ADJUSTING]].concat();
    for (experiment, ids, cases) in [
        (Random, &with_other, over_n(Random, RANDOM, plan.warmup)?),
        (Fer, &ids, over_n(Fer, FER, plan.fer_warmup)?),
        (SpeedAndSize, &ids, varied.collect()),
    ] {
        part(bench, experiment, cases, (ids, plan.repeats[0]), None)?;
    }
    Ok(())
}

/// Measures the experiments with rendering and draws the pictures, if there is an adapter.
fn draw(plan: &ThesisPlan, bench: &mut Bench<'_>) -> Result<(), Failure> {
    #[cfg(feature = "draw")]
    let reason = match viewer::gpu::Gpu::headless() {
        Ok(gpu) => return drawn::draw(plan, &gpu, bench),
        Err(error) => error,
    };
    #[cfg(not(feature = "draw"))]
    let (_, reason) =
        (plan, "the program was built without drawing; build it with --features draw");
    bench.setting.machine.warn(&format!("nothing was drawn: {reason}"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_in_the_registry() {
        for id in SETS.into_iter().flat_map(Methods::ids).chain([SEMI_ADJUSTING]) {
            assert!(find(id).is_some(), "{id}");
        }
    }
}
