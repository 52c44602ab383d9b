//! The figures of the thesis, 6.3 to 8.24, with its axes; two for results that it states without a
//! figure; and one for the comparison of both sets of methods.

use super::plan::Experiment::{
    Fer, Pictures, Random, RandomDrawn, Shading, SpeedAndSize, Triangles,
};
use super::plan::{
    BuiltIn, Experiment, FALL, FER, Methods, RADIUS, RANDOM, SETS, SPEED, STAIRS, ThesisRows,
    VECTORISED, WINDOW,
};
use crate::study::of_lines;
use charts::{Axis, Chart, Line, Point, Style};
use report::{Cell, style_of, variant_style};
use std::ops::RangeInclusive;

/// All numbers of objects.
const ALL_N: RangeInclusive<u64> = 0..=u64::MAX;
/// Style of the second of two curves of one algorithm.
const SECOND: usize = 8;

/// A figure.
#[derive(Debug)]
pub(super) struct ThesisFigure {
    /// Its number in the thesis, or a name.
    pub(super) number: &'static str,
    /// The experiment that it shows.
    pub(super) from: Experiment,
    pub(super) content: Content,
}

/// The content of a figure.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    /// A chart; `None` where there are no data for it.
    Chart(fn(&ThesisRows) -> Option<Chart>),
    /// A picture of a scene; or of the planes of each of [`TREES`] in it.
    #[cfg_attr(
        not(feature = "draw"),
        allow(dead_code, reason = "the scene is needed only to draw")
    )]
    Pictures(BuiltIn, bool),
}

/// The trees in pictures.
pub(super) const TREES: [&str; 2] = [VECTORISED.bsp, VECTORISED.kd_tree];

impl ThesisFigure {
    /// Its files from the folder of the page, for trees in their order; a chart has a PNG file too.
    pub(super) fn files(&self) -> Vec<String> {
        let file = |end: String| format!("thesis/figure-{}{end}", self.number);
        match self.content {
            Content::Chart(_) => vec![file(".svg".to_owned())],
            Content::Pictures(_, true) => TREES.map(|tree| file(format!("-{tree}.png"))).to_vec(),
            Content::Pictures(..) => vec![file(".png".to_owned())],
        }
    }
}

const fn chart(
    number: &'static str,
    from: Experiment,
    chart: fn(&ThesisRows) -> Option<Chart>,
) -> ThesisFigure {
    ThesisFigure { number, from, content: Content::Chart(chart) }
}

const fn pictures(number: &'static str, scene: BuiltIn, has_planes: bool) -> ThesisFigure {
    ThesisFigure { number, from: Pictures, content: Content::Pictures(scene, has_planes) }
}

/// The speed-up of both sets of methods: the figure of the page.
pub(super) const SPEED_UP: ThesisFigure = chart("speed-up", Random, speed_up_of_sets);

/// Every figure: those of the thesis in its order, then the others.
pub(super) static ALL: &[ThesisFigure] = &[
    // An obstacle, and the window's scene; both layouts of objects.
    pictures("6.3", STAIRS, false),
    pictures("6.4", WINDOW, false),
    pictures("8.2", RANDOM, false),
    pictures("8.3", FER, false),
    chart("8.4", RandomDrawn, |rows| fps(rows, RandomDrawn, ALL_N)),
    chart("8.5", RandomDrawn, |rows| fps(rows, RandomDrawn, 50..=300)),
    chart("8.6", RandomDrawn, |rows| fps(rows, RandomDrawn, 300..=1000)),
    chart("8.7", RandomDrawn, |rows| fps(rows, RandomDrawn, 1000..=5000)),
    chart("8.8", RandomDrawn, collision_share),
    chart("8.9", Random, |rows| fps(rows, Random, ALL_N)),
    chart("8.10", Random, |rows| fps(rows, Random, 1000..=5000)),
    chart("8.11", Random, speed_up),
    chart("8.12", Fer, |rows| fps(rows, Fer, ALL_N)),
    chart("8.13", Fer, |rows| fps(rows, Fer, 50..=300)),
    chart("8.14", Fer, |rows| fps(rows, Fer, 300..=1000)),
    chart("8.15", Fer, |rows| fps(rows, Fer, 1000..=5000)),
    // The stairs, then FER, then the fall: the scene, and both trees in it.
    pictures("8.16", STAIRS, false),
    pictures("8.17", STAIRS, true),
    pictures("8.18", FER, true),
    pictures("8.19", FALL, false),
    pictures("8.20", FALL, true),
    chart("8.21", Triangles, |rows| looks(rows, Triangles, FPS)),
    chart("8.22", Triangles, |rows| looks(rows, Triangles, DRAWING)),
    chart("8.23", Shading, |rows| looks(rows, Shading, FPS)),
    chart("8.24", Shading, |rows| looks(rows, Shading, DRAWING)),
    chart("E7-speed", SpeedAndSize, |rows| varied(rows, SPEED, "speed of the objects [units/s]")),
    chart("E7-size", SpeedAndSize, |rows| varied(rows, RADIUS, "radius of the objects [units]")),
    SPEED_UP,
];

/// A quantity over the number of objects: its name, whether it is a share, and its figure.
type Quantity = (&'static str, bool, fn(&Cell) -> Option<f64>);
const FPS: Quantity = ("frames per second", false, |cell| cell.fps);
const DRAWING: Quantity = ("share of drawing", true, Cell::drawing_share);

/// Frames per second over the number of objects. The axes are logarithmic for all numbers, and linear for a
/// part, as in the thesis.
fn fps(rows: &ThesisRows, from: Experiment, range: RangeInclusive<u64>) -> Option<Chart> {
    let (name, _, fps) = FPS;
    let lines = methods(rows, from, |cell| at_n(cell, fps).filter(|_| range.contains(&cell.n)));
    if range == ALL_N {
        return of_lines(Axis::log("objects"), Axis::log(name), lines);
    }
    let most = lines.iter().flat_map(|line| &line.points).map(|point| point.y).reduce(f64::max)?;
    let [low, high] = [*range.start() as f64, *range.end() as f64];
    let x = Axis::linear("objects").within(low, high);
    of_lines(x, Axis::linear(name).within(0.0, 1.05 * most), lines)
}

fn collision_share(rows: &ThesisRows) -> Option<Chart> {
    let lines = methods(rows, RandomDrawn, |cell| at_n(cell, |cell| cell.collision_share));
    of_lines(Axis::log("objects"), Axis::shares("share of collisions"), lines)
}

fn speed_up(rows: &ThesisRows) -> Option<Chart> {
    let of = [(Random, &VECTORISED, "not drawn"), (RandomDrawn, &VECTORISED, "drawn")];
    speed_ups(rows, of, "speed-up over brute-force")
}

fn speed_up_of_sets(rows: &ThesisRows) -> Option<Chart> {
    let of = SETS.map(|set| (Random, set, set.name));
    speed_ups(rows, of, "speed-up over brute force of the same set")
}

/// Speed-ups of sets over their own brute force, in the colours of the vectorised set.
fn speed_ups(
    rows: &ThesisRows,
    of: [(Experiment, &Methods, &str); 2],
    label: &str,
) -> Option<Chart> {
    let mut lines = Vec::new();
    for (variant, (from, methods, name)) in of.into_iter().enumerate() {
        let base = VECTORISED.without_brute_force();
        for (id, base) in methods.without_brute_force().into_iter().zip(base) {
            let cells = rows.cells(from).iter().filter(|cell| cell.algorithm == id);
            let base_fps = |c: &Cell| rows.cell(from, &c.input, methods.brute_force, c.n)?.fps;
            let speed_up = |cell: &Cell| Some(cell.fps? / base_fps(cell)?);
            let style = variant_style(base, variant);
            let line = line(format!("{base}, {name}"), style, cells, |c| at_n(c, speed_up));
            lines.extend(line);
        }
    }
    of_lines(Axis::log("objects"), Axis::log(label), lines)
}

/// A quantity of the BSP tree, for two ways of drawing.
fn looks(rows: &ThesisRows, from: Experiment, (label, is_share, of): Quantity) -> Option<Chart> {
    let bsp = VECTORISED.bsp;
    let looks = from.looks().into_iter().zip([style_of(bsp), Style::nth(SECOND)]);
    let lines = looks.filter_map(|(input, style)| {
        let is_wanted = |cell: &&Cell| cell.input == input && cell.algorithm == bsp;
        let cells = rows.cells(from).iter().filter(is_wanted);
        line(input.trim_start_matches("random, "), style, cells, |cell| at_n(cell, of))
    });
    let y = if is_share { Axis::shares(label) } else { Axis::log(label) };
    of_lines(Axis::log("objects"), y, lines.collect())
}

/// Time over the number behind a prefix of the input's name: a speed, a radius.
fn varied(rows: &ThesisRows, prefix: &str, x: &str) -> Option<Chart> {
    let value = |cell: &Cell| cell.input.strip_prefix(prefix)?.parse::<f64>().ok();
    let n = rows.cells(SpeedAndSize).iter().find(|cell| value(cell).is_some())?.n;
    let ms = |ns: f64| ns / 1e6;
    let lines = methods(rows, SpeedAndSize, |cell| {
        let interval = cell.interval_ns.map(|ends| ends.map(ms));
        Some(Point { interval, ..Point::new(value(cell)?, ms(cell.median_ns?)) })
    });
    let chart = of_lines(Axis::linear(x), Axis::log("update + pairs per frame [ms]"), lines)?;
    Some(chart.titled(format!("{n} objects")))
}

/// A curve of each method.
fn methods(
    rows: &ThesisRows,
    from: Experiment,
    point: impl Fn(&Cell) -> Option<Point>,
) -> Vec<Line> {
    let of = |id| {
        let cells = rows.cells(from).iter().filter(|cell| cell.algorithm == id);
        line(id, style_of(id), cells, &point)
    };
    VECTORISED.ids().into_iter().filter_map(of).collect()
}

/// A figure over the number of objects.
fn at_n(cell: &Cell, figure: impl Fn(&Cell) -> Option<f64>) -> Option<Point> {
    Some(Point::new(cell.n as f64, figure(cell)?))
}

/// A curve; `None` without a point.
fn line<'a>(
    name: impl Into<String>,
    style: Style,
    cells: impl Iterator<Item = &'a Cell>,
    point: impl Fn(&Cell) -> Option<Point>,
) -> Option<Line> {
    let mut points: Vec<Point> = cells.filter_map(point).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    (!points.is_empty()).then(|| Line { name: name.into(), style, points })
}
