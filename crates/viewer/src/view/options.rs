//! Options of the command line about the view: step, overlays, colours and camera.

use super::{ColorBy, Levels, NONE, ON_OFF, PLANE_OPACITIES, Row, View};
use crate::camera::{FARTHEST, OrbitCamera};
use crate::session::Methods;
use broadphase::inspect::Overlay;
use broadphase::registry::{Algorithm, Algorithms};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use glam::Vec3;
use narrowphase::BoxKind;
use narrowphase::narrow::{self, NARROW_PHASES, NarrowPhaseKind};
use narrowphase::volume::{self, VOLUMES, VolumeKind};
use sim::Scene;
use sim::scene::CameraPose;

// A view as options of the command line; what is missing is left as it is by default.
#[derive(Clone, Debug, Default, PartialEq, Args)]
#[expect(missing_docs, reason = "clap would show it as the description of the program")]
pub struct ViewOptions {
    /// Parts to show; the help has their words
    #[arg(long, value_name = "PART[:DEPTH],..", value_delimiter = ',', help = show_help(), value_parser = parse_overlay)]
    pub show: Vec<ViewWord>,

    /// The same as --show planes:DEPTH
    #[arg(long, value_name = "DEPTH", num_args = 0..=1, default_missing_value = "3")]
    pub planes: Option<u32>,

    /// Opacity of the root's plane, 0 to 1; deeper planes are more transparent
    #[arg(long, value_name = "SHARE", value_parser = parse_opacity)]
    pub plane_opacity: Option<f32>,

    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would show it as the description of the program")]
    pub methods: MethodOptions,

    /// Colour objects by this value
    #[arg(long, value_name = "VALUE", value_parser = color_parser())]
    pub color: Option<ColorBy>,

    /// Switches for what is drawn: objects, sources, obstacles, outlines (of the boxes of a recording), labels (of the
    /// scene), shading, glow (after a hit), as in objects=off
    #[arg(long, value_name = "NAME=on|off,..", value_delimiter = ',', value_parser = parse_switch)]
    pub draw: Vec<ViewWord>,

    /// Object to pick, by its number from 0: its own tests and partners are drawn
    #[arg(long, value_name = "OBJECT")]
    pub pick: Option<u32>,

    /// Step to stop at: in the window, or in the screenshot [default there: the last one]. The first
    /// frame of a trace is 0
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    pub step: Option<u64>,

    /// Camera: angle around z and above the horizon in degrees, distance to its target in units,
    /// and the target, if it is not the origin
    #[arg(long, value_name = "YAW,PITCH,DISTANCE[,X,Y,Z]", value_parser = parse_camera,
          allow_hyphen_values = true)]
    pub camera: Option<OrbitCamera>,
}

// Methods that a command line chooses.
#[derive(Clone, Copy, Debug, Default, Args)]
#[expect(missing_docs, reason = "clap would show it as the description of the program")]
pub struct MethodOptions {
    /// Bounding volume for the candidates of a scene with bodies, in the window or the screenshot
    /// [default: obb]
    #[arg(long, value_name = "ID", value_parser = parse_volume)]
    pub volume: Option<&'static VolumeKind>,

    /// Narrow phase for those that pass the bounding volume
    /// [default: gjk+cached]
    #[arg(long, value_name = "ID", value_parser = parse_narrow)]
    pub narrow: Option<&'static NarrowPhaseKind>,

    /// How the boxes of bodies for the broad phase are computed
    /// [default: tight]
    #[arg(long, value_name = "ID", value_parser = parse_box_kind)]
    pub box_kind: Option<BoxKind>,
}

impl MethodOptions {
    /// The methods of the stages, in place of others.
    pub fn over(self, others: Methods) -> Methods {
        Methods {
            volume: self.volume.unwrap_or(others.volume),
            narrow: self.narrow.unwrap_or(others.narrow),
        }
    }

    /// Whether a method is chosen.
    pub fn are_chosen(self) -> bool {
        self != Self::default()
    }
}

impl PartialEq for MethodOptions {
    fn eq(&self, other: &Self) -> bool {
        let ids = |of: &Self| (of.volume.map(|kind| kind.id), of.narrow.map(|kind| kind.id));
        ids(self) == ids(other) && self.box_kind == other.box_kind
    }
}

/// A value of `--show` or `--draw`: `boxes:2`, `none`, `objects=off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewWord {
    /// The row; `None` for no overlay.
    pub row: Option<Row>,
    /// Levels of planes and boxes. `None` keeps the default.
    pub levels: Option<Levels>,
    /// Whether it is shown.
    pub on: bool,
}

impl ViewOptions {
    /// The overlays that were named; `None` where nothing was said: the whole structure in the window, none in a picture.
    pub fn overlays(&self) -> Option<Vec<Row>> {
        let planes = self.planes.map(|_| Row::from(Overlay::Planes));
        let is_said = !self.show.is_empty() || planes.is_some();
        is_said.then(|| self.show.iter().filter_map(|word| word.row).chain(planes).collect())
    }

    /// Whether an overlay was named.
    pub fn names(&self, overlay: Overlay) -> bool {
        self.overlays().is_some_and(|named| named.contains(&overlay.into()))
    }

    /// Switches on what is to be drawn.
    pub fn apply(&self, view: &mut View) {
        for ViewWord { row, levels, on } in self.show.iter().chain(&self.draw) {
            let Some(row) = row else { continue };
            match (row, levels) {
                (Row::Structure(Overlay::Planes), Some(levels)) => view.plane_depth = levels.depth,
                (_, Some(levels)) => view.tree_levels = *levels,
                _ => {}
            }
            view.set(*row, *on);
        }
        if let Some(depth) = self.planes {
            view.plane_depth = depth;
            view.set(Overlay::Planes, true);
        }
        view.plane_opacity = self.plane_opacity.unwrap_or(view.plane_opacity);
        view.color = self.color.unwrap_or(view.color);
        view.picked = self.pick.or(view.picked);
    }

    /// Switches on what the window draws of a scene with `objects` objects, unless overlays are named: the whole structure,
    /// and what the scene [is about](View::begin_scene).
    pub fn apply_in_window(&self, view: &mut View, scene: &Scene, objects: usize) {
        *view = view.with_structure(&[]);
        if self.overlays().is_none() {
            *view = view.with_structure(&Overlay::ALL);
            view.begin_scene(scene, objects);
        }
        self.apply(view);
    }

    /// The object to pick among `objects` ones.
    ///
    /// # Errors
    ///
    /// If there is no such object: in words.
    pub fn picked_among(&self, objects: usize) -> Result<Option<u32>, String> {
        match self.pick {
            Some(object) if object as usize >= objects => Err(format!(
                "there is no object {object} to pick: objects are numbered from 0, and there are {objects}"
            )),
            pick => Ok(pick),
        }
    }
}

/// The help of `--show`, with the words of all overlays.
fn show_help() -> String {
    let explained = |row: Row| match row {
        Row::Structure(Overlay::Matrix) => format!("{} (window only)", row.word()),
        Row::Structure(_) if !row.name().eq_ignore_ascii_case(row.word()) => {
            format!("{} ({})", row.word(), row.name())
        }
        _ => row.word().to_owned(),
    };
    let words = |of_bodies: bool| {
        let rows = Row::overlays().filter(|row| row.is_of_bodies() == of_bodies);
        rows.map(explained).collect::<Vec<_>>().join(", ")
    };
    format!(
        "Show these parts, in the window or the screenshot. Of the structure: {}; planes and boxes down to a depth, as \
         in boxes:2 (the root has depth 0), or boxes of one depth, as in boxes:=2. Of bodies: {}. Or {NONE}. Without \
         --algorithm, the first algorithm that has all of them is drawn [default: all parts of the structure in the \
         window, none in the screenshot]",
        words(false),
        words(true),
    )
}

/// Reads `none`, the word of an overlay, or one with a depth.
fn parse_overlay(text: &str) -> Result<ViewWord, String> {
    if text == NONE {
        return Ok(ViewWord { row: None, levels: None, on: true });
    }
    let (word, depth) =
        text.split_once(':').map_or((text, None), |(word, depth)| (word, Some(depth)));
    let Some(row) = Row::overlays().find(|row| row.word() == word) else {
        let words: Vec<_> = Row::overlays().map(Row::word).collect();
        return Err(format!("expected {NONE} or one of {}, not {word:?}", words.join(", ")));
    };
    let only = depth.and_then(|depth| depth.strip_prefix('='));
    let (depth, only) = match (row, depth, only) {
        (_, None, _) => return Ok(ViewWord { row: Some(row), levels: None, on: true }),
        (Row::Structure(Overlay::TreeBoxes), _, Some(only)) => (only, true),
        (Row::Structure(Overlay::Planes | Overlay::TreeBoxes), Some(depth), _) => (depth, false),
        _ => return Err(format!("only planes and boxes have a depth, not {word}")),
    };
    let depth = depth
        .parse()
        .map_err(|_| format!("expected a depth after {word}:, as in {word}:2, not {depth:?}"))?;
    Ok(ViewWord { row: Some(row), levels: Some(Levels { depth, only }), on: true })
}

/// Reads a switch, as in `objects=off`.
fn parse_switch(text: &str) -> Result<ViewWord, String> {
    let parsed = text.split_once('=').and_then(|(word, state)| {
        let row = Row::SWITCHES.into_iter().find(|row| row.word() == word)?;
        let on = ON_OFF.iter().position(|known| *known == state)? == 0;
        Some(ViewWord { row: Some(row), levels: None, on })
    });
    parsed.ok_or_else(|| {
        let words = Row::SWITCHES.map(Row::word).join(", ");
        format!("expected one of {words} with =on or =off, not {text:?}")
    })
}

fn parse_opacity(text: &str) -> Result<f32, String> {
    let opacity = text.parse().ok().filter(|opacity| PLANE_OPACITIES.contains(opacity));
    let [least, most] = [PLANE_OPACITIES.start(), PLANE_OPACITIES.end()];
    opacity.ok_or_else(|| format!("expected an opacity from {least} to {most}, not {text:?}"))
}

fn color_parser() -> impl TypedValueParser<Value = ColorBy> {
    PossibleValuesParser::new(ColorBy::ALL.map(|color| color.names()[0])).try_map(|word| {
        let known = ColorBy::ALL.into_iter().find(|color| color.names()[0] == word);
        known.ok_or_else(|| format!("no value {word}"))
    })
}

fn parse_volume(id: &str) -> Result<&'static VolumeKind, String> {
    volume::find(id).ok_or_else(|| expected_id(VOLUMES.iter().map(|kind| kind.id)))
}

fn parse_narrow(id: &str) -> Result<&'static NarrowPhaseKind, String> {
    narrow::find(id).ok_or_else(|| expected_id(NARROW_PHASES.iter().map(|kind| kind.id)))
}

fn parse_box_kind(id: &str) -> Result<BoxKind, String> {
    BoxKind::find(id).ok_or_else(|| expected_id(BoxKind::ALL.into_iter().map(BoxKind::id)))
}

/// The message of an unknown id.
pub(crate) fn expected_id(ids: impl Iterator<Item = &'static str>) -> String {
    format!("expected one of {}", ids.collect::<Vec<_>>().join(", "))
}

/// Writes a camera as `parse_camera` reads it.
pub fn camera_words(camera: &OrbitCamera) -> String {
    let CameraPose { yaw, pitch, distance } = camera.pose();
    let numbers = [yaw, pitch, distance].map(|number| number.to_string()).join(",");
    match camera.target {
        Vec3::ZERO => numbers,
        Vec3 { x, y, z } => format!("{numbers},{x},{y},{z}"),
    }
}

/// Reads `YAW,PITCH,DISTANCE`, in degrees and units, and the target `,X,Y,Z` unless it is the origin.
pub(super) fn parse_camera(text: &str) -> Result<OrbitCamera, String> {
    let expected = || {
        format!(
            "expected YAW,PITCH,DISTANCE or YAW,PITCH,DISTANCE,X,Y,Z, as in 25,20,4.5, not {text:?}"
        )
    };
    let number = |word: &str| word.trim().parse().ok().filter(|n: &f32| n.is_finite());
    let numbers: Option<Vec<f32>> = text.split(',').map(number).collect();
    let (pose, target) = match numbers.ok_or_else(expected)?[..] {
        [yaw, pitch, distance] => ([yaw, pitch, distance], Vec3::ZERO),
        [yaw, pitch, distance, x, y, z] => ([yaw, pitch, distance], Vec3::new(x, y, z)),
        _ => return Err(expected()),
    };
    let [yaw, pitch, distance] = pose;
    if distance <= 0.0 || pose.iter().any(|number| number.abs() > FARTHEST) {
        return Err(expected());
    }
    let mut camera = OrbitCamera::from_pose(CameraPose { yaw, pitch, distance });
    camera.target = target;
    Ok(camera)
}

/// The first overlay that an algorithm lacks.
pub(crate) fn lack(algorithm: &Algorithm, overlays: &[Row]) -> Option<Row> {
    let lacks = |row: &Row| matches!(row, Row::Structure(overlay) if !algorithm.shows(*overlay));
    overlays.iter().copied().find(lacks)
}

/// The algorithm whose structure is drawn: the chosen one, or else the first on offer that has all overlays.
///
/// # Errors
///
/// If the chosen algorithm lacks an overlay, or no algorithm has all of them: in words.
pub fn algorithm_with(
    offered: Algorithms,
    chosen: Option<&'static Algorithm>,
    overlays: &[Row],
) -> Result<&'static Algorithm, String> {
    // Without overlays brute force would do too, but takes n² time a frame.
    let mut structured = offered.iter().filter(|entry| !entry.overlays.is_empty());
    let Some(entry) = chosen else {
        let all = structured.find(|entry| lack(entry, overlays).is_none());
        return all.ok_or_else(|| {
            "no algorithm has all of these parts to show; draw a picture of each".to_owned()
        });
    };
    let Some(missing) = lack(entry, overlays) else { return Ok(entry) };
    let words: Vec<_> = entry.overlays.iter().map(|caption| caption.overlay.word()).collect();
    let offer = match words.is_empty() {
        true => "nor anything else".to_owned(),
        false => format!("only {}", words.join(", ")),
    };
    Err(format!("{} has no {} to show, {offer}", entry.id, missing.word()))
}
