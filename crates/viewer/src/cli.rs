//! The command line.

mod values;

use crate::view::{ViewOptions, lack};
use broadphase::registry::{ALGORITHMS, Algorithm, Algorithms};
use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use measure::BoxesSpec;
use std::collections::HashSet;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use values::{algorithm_of, parse_share, parse_size, parse_steps, refuse_impact, values_of};

/// The scene that is opened where none is given.
pub const FIRST_SCENE: &str = "scenes/first.scene";

/// Watch and measure broad-phase collision detection: of n moving boxes, every pair that overlaps.
#[derive(Debug, Parser)]
#[command(name = "viewer", version)]
pub struct Arguments {
    /// Scene file, or trace (.bpt)
    #[arg(default_value = FIRST_SCENE)]
    pub input: PathBuf,

    /// Generated boxes instead of a file: gas, cluster, brownian, jitter, plane, line, same-x, stadium,
    /// terdiman or statics; or a cell of the atlas, atlas:SEED:NUMBER
    #[arg(long, value_name = "NAME:N", conflicts_with_all = ["input", "objects"])]
    pub boxes: Option<BoxesSpec>,

    /// Share of the generated boxes that moves, 0 to 1 [default: 1, of statics 0.1]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub moving: Option<f32>,

    /// Algorithm that drives the motion; its id may set parameters, ID@PARAMETER=V. Without a window,
    /// only it and those of --set run [default there: all except variants, whose id has a `+`]
    #[arg(long, value_name = "ID", value_parser = algorithm_of(ALGORITHMS))]
    pub algorithm: Option<&'static Algorithm>,

    /// Number of a scene's generated objects, instead of its own
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub objects: Option<u32>,

    /// Seed, instead of the input's own
    #[arg(long, value_name = "N", value_parser = measure::parse_seed)]
    pub seed: Option<u64>,

    /// Open no window: run the input, print a table and write the frames
    #[arg(long)]
    pub headless: bool,

    /// Frames to measure without a window, after those of warm-up [default: 300; of a trace at most those that are left]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub frames: Option<u32>,

    /// Threads that the algorithms and the motion may use. Some algorithms use only one, so that
    /// comparisons with more than one are unfair
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,

    /// Where to write the frames without a window [default: results/INPUT-TIME.csv]
    #[arg(long, value_name = "F")]
    pub csv: Option<PathBuf>,

    /// Draw the last frame without a window into this PNG file
    #[arg(long, value_name = "F.png")]
    pub screenshot: Option<PathBuf>,

    /// Draw a picture of each step into this folder, which is new or empty: 000001.png and so on, for a video
    #[arg(long, value_name = "FOLDER", requires = "headless", conflicts_with_all = ["screenshot", "step"])]
    pub pictures: Option<PathBuf>,

    /// First and last step of --pictures [default: from 0 to the last frame]
    #[arg(long, value_name = "A..B", requires = "pictures", value_parser = parse_steps)]
    pub steps: Option<StepRange>,

    /// Paint the legend into the screenshot or the pictures
    #[arg(long)]
    pub legend: bool,

    /// Replace an existing file of --csv or --screenshot
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would show it as the description of the program")]
    pub view: ViewOptions,

    /// Algorithms to compare with the driving one; only in the window. Without --algorithm, the first of
    /// them drives
    #[arg(long, value_name = "ID,..", value_delimiter = ',', value_parser = algorithm_of(ALGORITHMS))]
    pub compare: Vec<&'static Algorithm>,

    /// Also run the algorithm with each of these values (may be repeated). The window compares them;
    /// without --algorithm and --compare, it lets the algorithm with its defaults drive
    #[arg(long = "set", value_name = "ID.PARAMETER=V[,V..]", value_parser = values_of(ALGORITHMS))]
    pub set: Vec<Configured>,

    /// In commands that earlier versions copied.
    #[arg(long, hide = true, value_parser = refuse_impact)]
    impact: Option<()>,

    /// Keys that drive the driven bodies of a scene, instead of its own: lines `SECONDS KEYS`, one after the other from the
    /// start on, as in `1.5 up+right` (of left, right, up, down, jump; or none)
    #[arg(long, value_name = "FILE", conflicts_with = "boxes")]
    pub drive: Option<PathBuf>,

    /// Reset window size, camera, theme and recent files; bookmarks are kept
    #[arg(long)]
    pub reset_settings: bool,

    /// Width and height of the screenshot or the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    pub size: [u32; 2],

    /// The algorithms that may be named.
    #[arg(skip = ALGORITHMS)]
    pub offered: Algorithms,
}

/// The first and the last step of several.
pub type StepRange = RangeInclusive<u64>;

/// The algorithms of one `--set`.
#[derive(Clone, Debug)]
pub struct Configured(Vec<&'static Algorithm>);

impl Arguments {
    /// Reads a command line that may name the algorithms of a list.
    ///
    /// # Errors
    ///
    /// As [`Parser::try_parse_from`].
    pub fn try_parse_offering<T: Into<OsString> + Clone>(
        offered: Algorithms,
        words: impl IntoIterator<Item = T>,
    ) -> Result<Self, clap::Error> {
        let command = Self::command()
            .mut_arg("algorithm", |arg| arg.value_parser(algorithm_of(offered)))
            .mut_arg("compare", |arg| arg.value_parser(algorithm_of(offered)))
            .mut_arg("set", |arg| arg.value_parser(values_of(offered)));
        let arguments = Self::from_arg_matches(&command.try_get_matches_from(words)?)?;
        Ok(Self { offered, ..arguments })
    }

    /// The algorithms that are compared in the window.
    pub fn compared(&self) -> Vec<&'static Algorithm> {
        each_once(self.compare.iter().copied().chain(self.configured()))
    }

    /// The algorithm that drives the motion, if the arguments name one: `--algorithm`, or the first of `--compare` and
    /// of the families of `--set` that has all parts to show.
    pub fn driving(&self) -> Option<&'static Algorithm> {
        let overlays = self.view.overlays().unwrap_or_default();
        let shows_all = |row: &&Algorithm| lack(row, &overlays).is_none();
        let families = self.configured().filter_map(|row| self.offered.find(row.family));
        let named = self.compare.iter().copied().chain(families);
        self.algorithm.or_else(|| named.into_iter().find(shows_all))
    }

    /// The algorithms that run without a window. Where the window cannot be opened, those that it would compare do.
    pub fn algorithms(&self) -> Vec<&'static Algorithm> {
        let compared = self.compared().into_iter();
        match self.algorithm.or_else(|| self.compare.first().copied()) {
            Some(driving) => each_once([driving].into_iter().chain(compared)),
            None => each_once(self.offered.families().chain(compared)),
        }
    }

    fn configured(&self) -> impl Iterator<Item = &'static Algorithm> {
        self.set.iter().flat_map(|Configured(entries)| entries.iter().copied())
    }
}

fn each_once(algorithms: impl Iterator<Item = &'static Algorithm>) -> Vec<&'static Algorithm> {
    let mut known = HashSet::new();
    algorithms.filter(|algorithm| known.insert(algorithm.id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn values_of_parameters_are_compared_each_once() {
        let ids = |line: &str| -> Vec<&str> {
            let words = ["viewer"].into_iter().chain(line.split_whitespace());
            let arguments = Arguments::try_parse_from(words).unwrap();
            arguments.compared().iter().map(|algorithm| algorithm.id).collect()
        };
        assert_eq!(
            ids("--compare bsp,auto --set bsp.depth=3,5 --set bsp.depth=5,0"),
            ["bsp", "auto", "bsp@depth=3", "bsp@depth=5"]
        );
        for (set, expected) in [
            ("bsp.depth=99", "0 to 12, not `99`"),
            ("fog.depth=3", "expected one of brute-force, "),
        ] {
            let wrong = Arguments::try_parse_from(["viewer", "--set", set]).unwrap_err();
            let wrong = wrong.to_string();
            assert!(wrong.contains("--set") && wrong.contains(expected), "{wrong}");
        }
    }

    #[test]
    fn first_compared_algorithm_with_all_parts_drives() {
        for (line, driving) in [
            ("", None),
            ("--compare bsp,auto", Some("bsp")),
            ("--compare auto,bsp --algorithm kd-tree", Some("kd-tree")),
            ("--set bsp+scalar.depth=3,5", Some("bsp")),
            ("--compare auto --set bsp.depth=3", Some("auto")),
            ("--compare bsp,bvh-linear --show curve", Some("bvh-linear")),
            ("--compare bsp,auto --show curve", None),
        ] {
            let words = ["viewer"].into_iter().chain(line.split_whitespace());
            let arguments = Arguments::try_parse_from(words).unwrap();
            assert_eq!(arguments.driving().map(|row| row.id), driving, "{line}");
        }
    }
}
