//! A small picture of an input: its boxes in the first frame, from the side and above.

use super::groups::Group;
use broadphase::Aabb;
use glam::Vec3;
use measure::{BoxesSpec, CaseOptions, Input, InputName, SummaryRow, available_memory};
use sim::SceneDocument;
use sim::atlas::Cell;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Most boxes that are drawn.
const MOST_BOXES: usize = 1500;
/// Time that placing the objects of a picture may take: a page must not wait for minutes.
const MOST_TIME: Duration = Duration::from_secs(1);
/// Width and height of the picture's units.
const SIDE: f32 = 400.0;
/// A box whose side is a greater part of the whole is drawn as an outline.
const LARGE: f32 = 0.4;
/// Between the drawing and the edge.
const MARGIN: f32 = 12.0;
/// Fills of the boxes, the farthest first.
const FILLS: [&str; 3] = ["#bcd6ee", "#7fb2dd", "#2f7fbf"];

/// A picture, and what it shows.
pub(super) struct Thumbnail {
    pub(super) svg: String,
    pub(super) caption: String,
}

/// The picture of a group's input. `Err` says why there is none.
pub(super) fn thumbnail(folders: &[PathBuf], group: &Group) -> Result<Thumbnail, String> {
    let case = group.case();
    let (input, path) = open(folders, case)?;
    let objects = u32::try_from(case.n).map_err(|_| "it has too many objects".to_owned())?;
    let options =
        CaseOptions { objects: vec![objects], seed: case.seed, warmup: Some(0), frames: Some(1) };
    let cases = input.cases(&options).map_err(|e| e.to_string())?;
    let case = cases.first().ok_or("it has no case")?;
    case.check_memory(available_memory()).map_err(|e| e.to_string())?;
    let begun = Instant::now();
    let mut in_time = |_| begun.elapsed() < MOST_TIME;
    let playback = case.start_followed(available_memory(), &mut in_time);
    let mut playback = playback.map_err(|e| e.to_string())?.ok_or_else(|| {
        format!("placing its {objects} objects takes more than {} s", MOST_TIME.as_secs())
    })?;
    playback.advance().map_err(|e| e.to_string())?;
    let frame = playback.frame();
    let present: Vec<Aabb> =
        frame.boxes.iter().filter(|b| !b.is_empty() && b.is_finite()).copied().collect();
    let step = present.len().div_ceil(MOST_BOXES).max(1);
    let shown: Vec<Aabb> = present.iter().step_by(step).copied().collect();
    let mut frames = match path.filter(|_| input.is_scene()) {
        Some(path) => outlines(&path),
        None => Vec::new(),
    };
    // A box that contains many others would hide them.
    let whole = present.iter().copied().reduce(|a, b| a.union(&b)).map_or(0.0, |all| side(&all));
    let (large, shown): (Vec<Aabb>, Vec<Aabb>) =
        shown.into_iter().partition(|b| side(b) > LARGE * whole);
    frames.extend(&large);
    let caption = match step {
        1 => format!("{} boxes, first frame", present.len()),
        _ => format!("{} of {} boxes, first frame", shown.len() + large.len(), present.len()),
    };
    let svg = draw(&shown, &frames).ok_or("its first frame is empty")?;
    Ok(Thumbnail { svg, caption })
}

/// The input of a row, and its file if it has one.
fn open(folders: &[PathBuf], row: &SummaryRow) -> Result<(Input, Option<PathBuf>), String> {
    if let Some(spec) = named_boxes(row) {
        return Ok((Input::boxes(spec), None));
    }
    if !is_input_name(&row.input) {
        return Err("only inputs named .scene or .bpt have a picture".to_owned());
    }
    let path = folders
        .iter()
        .find_map(|folder| find(folder, &row.input))
        .ok_or("it is no file that can be found from here: it has been moved since")?;
    Ok((Input::open(&path).map_err(|e| e.to_string())?, Some(path)))
}

/// The boxes that the row's input names, if it names generated ones or a cell of the atlas.
fn named_boxes(row: &SummaryRow) -> Option<BoxesSpec> {
    // A cell that was varied by hand keeps its name, but not its number of objects.
    let cell = row.input.parse().ok().filter(|cell: &Cell| u64::from(cell.objects) == row.n);
    if let Some(cell) = cell {
        return Some(BoxesSpec::Cell(cell));
    }
    InputName::read(&row.input).boxes(row.n).map(BoxesSpec::Generated)
}

/// Whether a name is that of a scene or a trace. A row may come from somewhere else and name any file, a line of which an
/// error would quote.
fn is_input_name(name: &str) -> bool {
    let ending = Path::new(name).extension().unwrap_or_default();
    ["scene", "bpt"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// The longest side of a box.
fn side(b: &Aabb) -> f32 {
    b.size().max_element()
}

/// Inputs are named as they were from the folder of the run: that is this one, or one above the
/// results.
fn find(folder: &Path, input: &str) -> Option<PathBuf> {
    let here = PathBuf::from(input);
    let folder = folder.canonicalize().ok()?;
    let above = folder.ancestors().map(|ancestor| ancestor.join(input));
    std::iter::once(here).chain(above).find(|path| path.is_file())
}

/// Sources and obstacles of a scene.
fn outlines(path: &Path) -> Vec<Aabb> {
    let Ok(document) = SceneDocument::read(path) else { return Vec::new() };
    let scene = document.scene();
    let sources = scene.sources.iter().map(|source| source.bounds());
    sources.chain(scene.obstacles.iter().map(|obstacle| obstacle.bounds())).collect()
}

/// Draws boxes before outlines. `None` where there is nothing, or nothing that has an extent.
fn draw(boxes: &[Aabb], outlines: &[Aabb]) -> Option<String> {
    let view = View::of(boxes.iter().chain(outlines))?;
    let mut sorted: Vec<&Aabb> = boxes.iter().collect();
    sorted.sort_by(|a, b| View::depth(b.center()).total_cmp(&View::depth(a.center())));
    let mut svg =
        format!("<svg viewBox=\"0 0 {SIDE} {SIDE}\" xmlns=\"http://www.w3.org/2000/svg\">");
    // A white edge would cover boxes without an area.
    let are_flat = boxes.iter().all(|b| b.size().min_element() == 0.0);
    for (layer, fill) in sorted.chunks(sorted.len().div_ceil(FILLS.len()).max(1)).zip(FILLS) {
        let path: String = layer.iter().map(|b| view.silhouette(b)).collect();
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<path d=\"{path}\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{}\"/>",
            if are_flat { fill } else { "#ffffff" },
            if are_flat { 1.5 } else { 0.4 }
        );
    }
    let path: String = outlines.iter().map(|b| view.edges(b)).collect();
    if !path.is_empty() {
        let _ = write!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"#54627c\" stroke-width=\"0.8\"/>"
        );
    }
    Some(svg + "</svg>")
}

/// A parallel projection that fits the picture, z up.
struct View {
    scale: f32,
    /// The projection's middle.
    center: [f32; 2],
}

/// Degrees by which the scene is turned, and seen from above: as a scene's camera stands at first.
const YAW: f32 = 25.0;
const PITCH: f32 = 20.0;

impl View {
    fn of<'a>(boxes: impl Iterator<Item = &'a Aabb>) -> Option<Self> {
        let mut low = [f32::INFINITY; 2];
        let mut high = [f32::NEG_INFINITY; 2];
        for corner in boxes.flat_map(corners) {
            let flat = Self::flat(corner);
            for axis in 0..2 {
                low[axis] = low[axis].min(flat[axis]);
                high[axis] = high[axis].max(flat[axis]);
            }
        }
        let extent = (high[0] - low[0]).max(high[1] - low[1]);
        let center = [0, 1].map(|axis| low[axis] / 2.0 + high[axis] / 2.0);
        (extent > 0.0 && extent.is_finite())
            .then(|| Self { scale: (SIDE - 2.0 * MARGIN) / extent, center })
    }

    /// Right and up of a point.
    fn flat(point: Vec3) -> [f32; 2] {
        let (sin_yaw, cos_yaw) = YAW.to_radians().sin_cos();
        let (sin_pitch, cos_pitch) = PITCH.to_radians().sin_cos();
        let right = point.x * cos_yaw + point.y * sin_yaw;
        let away = -point.x * sin_yaw + point.y * cos_yaw;
        [right, point.z * cos_pitch + away * sin_pitch]
    }

    /// How far away a point is.
    fn depth(point: Vec3) -> f32 {
        let (sin_yaw, cos_yaw) = YAW.to_radians().sin_cos();
        let (sin_pitch, cos_pitch) = PITCH.to_radians().sin_cos();
        (-point.x * sin_yaw + point.y * cos_yaw) * cos_pitch - point.z * sin_pitch
    }

    fn at(&self, point: Vec3) -> [f32; 2] {
        let [right, up] = Self::flat(point);
        let [x, y] = self.center;
        [SIDE / 2.0 + (right - x) * self.scale, SIDE / 2.0 - (up - y) * self.scale]
    }

    /// The outline of a box: all corners but the nearest and the farthest, around.
    fn silhouette(&self, b: &Aabb) -> String {
        let c = corners(b);
        self.polygon(&[c[0], c[1], c[3], c[7], c[6], c[4]])
    }

    /// The twelve edges of a box.
    fn edges(&self, b: &Aabb) -> String {
        let c = corners(b);
        let rings = [[c[0], c[1], c[3], c[2]], [c[4], c[5], c[7], c[6]]];
        let posts = (0..4).map(|i| self.polygon(&[c[i], c[i + 4]]));
        rings.iter().map(|ring| self.polygon(ring)).chain(posts).collect()
    }

    fn polygon(&self, points: &[Vec3]) -> String {
        let mut path = String::new();
        for (index, point) in points.iter().enumerate() {
            let [x, y] = self.at(*point);
            let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" });
        }
        path + "Z"
    }
}

/// The corners, x fastest, then y, then z.
fn corners(b: &Aabb) -> [Vec3; 8] {
    std::array::from_fn(|i| {
        let pick = |bit: usize, low: f32, high: f32| if i & bit == 0 { low } else { high };
        Vec3::new(pick(1, b.min.x, b.max.x), pick(2, b.min.y, b.max.y), pick(4, b.min.z, b.max.z))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outline_of_a_box_holds_all_its_corners() {
        let b = Aabb::new(Vec3::new(-1.0, -2.0, -0.5), Vec3::new(1.0, 0.5, 3.0));
        let view = View::of([&b].into_iter()).unwrap();
        let c = corners(&b);
        let around = [c[0], c[1], c[3], c[7], c[6], c[4]].map(|p| view.at(p));
        // To the same side of every edge: the outline is convex, and nothing lies outside of it.
        for (i, a) in around.iter().enumerate() {
            let b = around[(i + 1) % around.len()];
            for p in c.map(|p| view.at(p)) {
                let side = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
                assert!(side <= 0.01, "{p:?} is outside of {a:?}..{b:?}");
            }
        }
        let all = c.map(|p| view.at(p)).concat();
        assert!(all.iter().all(|v| (MARGIN - 0.1..=SIDE - MARGIN + 0.1).contains(v)), "{all:?}");
    }

    #[test]
    fn segments_are_not_drawn_in_the_colour_of_the_paper() {
        let segment = |x: f32| Aabb::new(Vec3::new(x, 0.0, 0.0), Vec3::new(x + 0.5, 0.0, 0.0));
        let svg = draw(&[segment(0.0), segment(1.0)], &[]).unwrap();
        assert!(!svg.contains("stroke=\"#ffffff\""), "{svg}");
        let solid = Aabb::new(Vec3::ZERO, Vec3::ONE);
        assert!(draw(&[solid], &[]).unwrap().contains("stroke=\"#ffffff\""));
    }

    #[test]
    fn nothing_has_no_picture() {
        assert_eq!(draw(&[], &[]), None);
        let point = Aabb::new(Vec3::ONE, Vec3::ONE);
        assert_eq!(draw(&[point], &[]), None);
        assert!(draw(&[point, Aabb::new(Vec3::ZERO, Vec3::ZERO)], &[]).is_some());
    }
}
