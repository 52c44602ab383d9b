//! The command line.

use crate::parts::Part;
use broadphase::inspect::Overlay;
use broadphase::registry::{ALGORITHMS, Algorithm, ParameterError, resolve};
use clap::Parser;
use std::path::PathBuf;

/// The scene that is opened where none is given.
pub const FIRST_SCENE: &str = "scenes/first.scene";

/// Watch and measure broad-phase collision detection: of n moving boxes, every pair that overlaps.
#[derive(Debug, Parser)]
#[command(name = "viewer", version)]
pub struct Arguments {
    /// Scene file
    #[arg(default_value = FIRST_SCENE)]
    pub scene: PathBuf,

    /// First algorithm; without a window, the only one to run [default there: all except variants,
    /// whose id has a `+`]; its id may set parameters, ID@PARAMETER=V
    #[arg(long, value_name = "ID", value_parser = parse_algorithm)]
    pub algorithm: Option<&'static Algorithm>,

    /// Number of generated objects, instead of the scene's
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub objects: Option<u32>,

    /// Seed, instead of the scene's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Open no window: run the scene, print a table and write the frames
    #[arg(long)]
    pub headless: bool,

    /// Frames to run without a window
    #[arg(long, value_name = "N", default_value_t = 300, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub frames: u32,

    /// Threads that the algorithms and the motion may use. Some algorithms use only one, so that
    /// comparisons with more than one are unfair
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,

    /// Where to write the frames without a window [default: results/SCENE-TIME.csv]
    #[arg(long, value_name = "F")]
    pub csv: Option<PathBuf>,

    /// Draw the last frame without a window into this PNG file
    #[arg(long, value_name = "F.png")]
    pub screenshot: Option<PathBuf>,

    /// Replace an existing file of --csv or --screenshot
    #[arg(long)]
    pub force: bool,

    /// Draw these parts of the structure in the screenshot: planes, regions (leaves or cells),
    /// boxes, lists, curve, fat (AABBs), pairs (cached ones), blocks (of a sweep); planes and boxes
    /// down to a depth, as in boxes:2 (the root has depth 0).
    /// Without --algorithm, the first algorithm that has all of them is drawn
    #[arg(long, value_name = "PART[:DEPTH],..", value_delimiter = ',')]
    pub show: Vec<Part>,

    /// The same as --show planes:DEPTH
    #[arg(long, value_name = "DEPTH", num_args = 0..=1, default_missing_value = "3")]
    pub planes: Option<u32>,

    /// Reset window size, camera, theme and recent files
    #[arg(long)]
    pub reset_settings: bool,

    /// Width and height of the screenshot in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    pub size: [u32; 2],
}

impl Arguments {
    /// The parts of the structure to draw.
    pub fn parts(&self) -> Vec<Part> {
        let planes = self.planes.map(|depth| Part { overlay: Overlay::Planes, depth: Some(depth) });
        self.show.iter().copied().chain(planes).collect()
    }
}

fn parse_algorithm(id: &str) -> Result<&'static Algorithm, String> {
    resolve(id).map_err(|error| match error {
        ParameterError::Algorithm(_) => {
            let ids: Vec<&str> = ALGORITHMS.iter().map(|row| row.id).collect();
            format!("expected one of {}", ids.join(", "))
        }
        error => error.to_string(),
    })
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let expected = || format!("expected width x height in pixels, as in 1280x720, not {text:?}");
    let (width, height) = text.split_once('x').ok_or_else(expected)?;
    let side = |side: &str| side.parse().ok().filter(|n| (1..=16_384).contains(n));
    Ok([side(width).ok_or_else(expected)?, side(height).ok_or_else(expected)?])
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
    fn algorithms_may_set_parameters() {
        assert_eq!(parse_algorithm("bsp").unwrap().id, "bsp");
        assert_eq!(parse_algorithm("bsp@depth=4").unwrap().id, "bsp@depth=4");
        assert!(parse_algorithm("fog").unwrap_err().starts_with("expected one of brute-force, "));
        assert!(parse_algorithm("bsp@depth=99").unwrap_err().contains("from 0 to 16, not `99`"));
    }

    #[test]
    fn invalid_sizes_are_refused() {
        assert_eq!(parse_size("640x360"), Ok([640, 360]));
        for bad in ["", "640", "640x", "0x9", "axb", "640x360x2", "99999x9"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
