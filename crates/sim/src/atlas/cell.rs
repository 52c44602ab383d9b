//! A cell: the properties of one input.

use super::kinds::{Motion, Placement, Sizes};
use super::named::BoxesNameError;
use super::random::{draw_index, draw_log_uniform};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::str::FromStr;

/// Above this number of objects a cell plays half as many frames.
const MANY: u32 = 50_000;

/// Largest distance between two objects on a line, in usual sides: coordinates must stay precise.
pub(super) const LONGEST_LINE: f32 = 65_536.0;

/// Slowest drawn motion on a line, in usual sides a frame: far out a coordinate has a precision of
/// 0.004.
const SLOWEST_ON_A_LINE: f32 = 0.01;

/// Fastest drawn motion of a sheet's vertices: they stay within half a side of their places.
const FASTEST_VERTEX: f32 = 0.3;

/// Largest share of terrain that moves: the share of its objects that are not triangles.
pub(super) const TERRAIN_BODIES: f32 = 0.1;

/// One input of the atlas, by its properties.
///
/// The same cell gives the same boxes everywhere. `placement`, `sizes` and `motion` are drawn independently,
/// so most cells are combinations that no scene was designed for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Seed of the atlas.
    pub seed: u64,
    /// Number of the cell in the atlas: another stream of random numbers.
    pub number: u32,
    /// Number of objects, at least 1.
    pub objects: u32,
    /// Where the objects start.
    pub placement: Placement,
    /// How large they are.
    pub sizes: Sizes,
    /// How many others an object overlaps on average at the start, roughly; the exceptional box of
    /// some `sizes` not counted. Triangles of cloth and terrain overlap those beside them instead.
    pub overlaps: f32,
    /// How they move.
    pub motion: Motion,
    /// Usual displacement, in usual sides a frame.
    pub speed: f32,
    /// Share of the objects that moves in a frame, 0 to 1; at most a tenth on terrain.
    pub movers: f32,
    /// Whether other objects move in each frame, instead of the same ones.
    pub changing_movers: bool,
    /// Share of the objects that vanishes in each frame; as many come back. 0 in most cells.
    pub churn: f32,
}

impl FromStr for Cell {
    type Err = BoxesNameError;

    /// Draws the cell that [`Cell::name`] names.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = |expected: &str| BoxesNameError::new(text, expected);
        let parts: Vec<&str> = text.split(':').collect();
        let ["atlas", seed, number] = parts[..] else {
            return Err(error("atlas:SEED:NUMBER, for example atlas:7:12"));
        };
        let seed = seed.parse().map_err(|_| {
            error("a seed after the first colon, a whole number from 0 to 18446744073709551615")
        })?;
        let number = number.parse().map_err(|_| {
            error("a cell after the second colon, a whole number from 0 to 4294967295")
        })?;
        Ok(Self::draw(seed, number))
    }
}

impl Cell {
    /// Draws every property of a cell.
    pub fn draw(seed: u64, number: u32) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::from(number));
        let rng = &mut rng;
        let mut cell = Self {
            seed,
            number,
            objects: draw_log_uniform(200.0, 200_000.0, rng).round() as u32,
            placement: pick(Placement::ALL, rng),
            sizes: pick(Sizes::ALL, rng),
            motion: pick(Motion::ALL, rng),
            overlaps: draw_log_uniform(0.1, 8.0, rng) as f32,
            speed: draw_log_uniform(0.002, 2.0, rng) as f32,
            ..Self::plain(seed)
        };
        let all_move = draw_index(3, rng) == 0;
        let most = if cell.placement == Placement::Terrain { TERRAIN_BODIES } else { 1.0 };
        let some = draw_log_uniform(0.01, most.into(), rng) as f32;
        cell.movers = if all_move { most } else { some };
        cell.changing_movers = rng.random::<bool>() && !all_move;
        let churns = draw_index(8, rng) == 0;
        let churn = draw_log_uniform(0.001, 0.02, rng) as f32;
        cell.churn = if churns { churn } else { 0.0 };
        match cell.placement {
            Placement::Line => {
                let overlaps = 2.0 * cell.objects as f32 / LONGEST_LINE;
                cell.overlaps = cell.overlaps.max(overlaps);
                cell.speed = cell.speed.max(SLOWEST_ON_A_LINE);
            }
            Placement::Cloth => cell.speed = cell.speed.min(FASTEST_VERTEX),
            _ => {}
        }
        cell
    }

    /// A plain cell to vary: 1000 equal cubes in a gas, one overlap each, all in straight flight at
    /// 0.05 sides a frame.
    pub fn plain(seed: u64) -> Self {
        Self {
            seed,
            number: 0,
            objects: 1000,
            placement: Placement::Gas,
            sizes: Sizes::Equal,
            overlaps: 1.0,
            motion: Motion::Flight,
            speed: 0.05,
            movers: 1.0,
            changing_movers: false,
            churn: 0.0,
        }
    }

    /// How many frames are played: 300, above 50,000 objects 150.
    pub fn frames(&self) -> u32 {
        if self.objects > MANY { 150 } else { 300 }
    }

    /// The name that reproduces a drawn cell: `atlas:SEED:NUMBER`.
    pub fn name(&self) -> String {
        format!("atlas:{}:{}", self.seed, self.number)
    }

    /// Its properties in a few words, number of objects aside.
    pub fn describe(&self) -> String {
        let [overlaps, speed, movers, churn] =
            [self.overlaps, self.speed, self.movers * 100.0, self.churn * 100.0].map(rounded);
        let mut text = format!("{}, {}, ", self.placement.name(), self.sizes.name());
        if !matches!(self.placement, Placement::Cloth | Placement::Terrain) {
            text += &format!("{overlaps} overlaps, ");
        }
        text += &format!("{} {speed}, ", self.motion.name());
        text +=
            &if self.movers >= 1.0 { "all move".to_owned() } else { format!("{movers} % move") };
        if self.changing_movers {
            text += ", others each frame";
        }
        if self.churn > 0.0 {
            text += &format!(", {churn} % vanish a frame");
        }
        text
    }
}

fn pick<T: Copy>(all: &[T], rng: &mut ChaCha8Rng) -> T {
    all[draw_index(all.len(), rng)]
}

/// Two significant digits.
fn rounded(value: f32) -> f32 {
    format!("{value:.1e}").parse().unwrap_or(value)
}
