//! The figures of the thesis, 6.3 to 8.24, with its axes; two for results that it states without a
//! figure; and one for the comparison of both sets of methods.

use super::experiments::Experiment::{
    Fer, Pictures, Random, RandomDrawn, Shading, SpeedAndSize, Triangles,
};
use super::experiments::{
    BuiltIn, Experiment, FALL, FER, RADIUS, RANDOM, SHADING, SPEED, STAIRS, TRIANGLES, WINDOW,
};
use super::rows::{Methods, SETS, ThesisRows, VECTORISED};
use charts::{Axis, Chart, Line, Marks, Panel, Point, Style};
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
    /// The names of its files, for trees in their order; a chart has a PNG file too.
    pub(super) fn files(&self) -> Vec<String> {
        let Self { number, content, .. } = self;
        match content {
            Content::Chart(_) => vec![format!("figure-{number}.svg")],
            Content::Pictures(_, true) => {
                TREES.map(|tree| format!("figure-{number}-{tree}.png")).to_vec()
            }
            Content::Pictures(..) => vec![format!("figure-{number}.png")],
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
    chart("8.21", Triangles, |rows| looks(rows, Triangles, OF_TRIANGLES, FPS, |cell| cell.fps)),
    chart("8.22", Triangles, |rows| {
        looks(rows, Triangles, OF_TRIANGLES, DRAWING, Cell::drawing_share)
    }),
    chart("8.23", Shading, |rows| looks(rows, Shading, OF_SHADING, FPS, |cell| cell.fps)),
    chart("8.24", Shading, |rows| looks(rows, Shading, OF_SHADING, DRAWING, Cell::drawing_share)),
    chart("E7-speed", SpeedAndSize, |rows| varied(rows, SPEED, "speed of the objects [units/s]")),
    chart("E7-size", SpeedAndSize, |rows| varied(rows, RADIUS, "radius of the objects [units]")),
    SPEED_UP,
];

/// Two ways of drawing: their inputs in the rows, and their names in the legend.
type Looks = ([&'static str; 2], [&'static str; 2]);
const OF_TRIANGLES: Looks = (TRIANGLES, ["20 triangles", "80 triangles"]);
const OF_SHADING: Looks = (SHADING, ["plain", "shaded"]);

/// The vertical axis: its name, and whether it shows shares.
type Quantity = (&'static str, bool);
const FPS: Quantity = ("frames per second", false);
const DRAWING: Quantity = ("share of drawing", true);

/// A quantity of each method over these numbers of objects.
fn methods(
    rows: &ThesisRows,
    from: Experiment,
    range: &RangeInclusive<u64>,
    quantity: fn(&Cell) -> Option<f64>,
) -> Vec<Line> {
    each_method(|id| {
        let cells = rows.cells(from).iter().filter(|cell| range.contains(&cell.n));
        line(id, style_of(id), cells.filter(|cell| cell.algorithm == id), quantity)
    })
}

/// Frames per second over the number of objects. The axes are logarithmic for all numbers, and linear for a
/// part, as in the thesis.
fn fps(rows: &ThesisRows, from: Experiment, range: RangeInclusive<u64>) -> Option<Chart> {
    let (lines, name) = (methods(rows, from, &range, |cell| cell.fps), "frames per second");
    if range == ALL_N {
        return over(Axis::log("objects"), Axis::log(name), lines);
    }
    let most = lines.iter().flat_map(|line| &line.points).map(|point| point.y).reduce(f64::max)?;
    let [low, high] = [*range.start() as f64, *range.end() as f64];
    let x = Axis::linear("objects").within(low, high);
    over(x, Axis::linear(name).within(0.0, 1.05 * most), lines)
}

fn collision_share(rows: &ThesisRows) -> Option<Chart> {
    let lines = methods(rows, RandomDrawn, &ALL_N, |cell| cell.collision_share);
    over(Axis::log("objects"), Axis::shares("share of collisions"), lines)
}

fn speed_up(rows: &ThesisRows) -> Option<Chart> {
    let [undrawn, drawn] = [(Random, "not drawn"), (RandomDrawn, "drawn")];
    let mut lines = speed_up_lines(rows, undrawn.0, &VECTORISED, 0, undrawn.1);
    lines.extend(speed_up_lines(rows, drawn.0, &VECTORISED, 1, drawn.1));
    over(Axis::log("objects"), Axis::log("speed-up over brute-force"), lines)
}

fn speed_up_of_sets(rows: &ThesisRows) -> Option<Chart> {
    let sets = SETS.into_iter().enumerate();
    let lines = sets.flat_map(|(at, set)| speed_up_lines(rows, Random, set, at, set.name));
    let y = Axis::log("speed-up over brute force of the same set");
    over(Axis::log("objects"), y, lines.collect())
}

/// Speed-ups of a set over its own brute force, in the colours of the vectorised set.
fn speed_up_lines(
    rows: &ThesisRows,
    from: Experiment,
    methods: &Methods,
    variant: usize,
    name: &str,
) -> Vec<Line> {
    let base = VECTORISED.without_brute_force();
    let ids = methods.without_brute_force().into_iter().zip(base);
    let lines = ids.filter_map(|(id, base)| {
        let cells = rows.cells(from).iter().filter(|cell| cell.algorithm == id);
        let speed_up = |cell: &Cell| {
            Some(cell.fps? / rows.fps(from, &cell.input, methods.brute_force, cell.n)?)
        };
        line(format!("{base}, {name}"), variant_style(base, variant), cells, speed_up)
    });
    lines.collect()
}

/// A quantity of the BSP tree over the number of objects, for two ways of drawing.
fn looks(
    rows: &ThesisRows,
    from: Experiment,
    (inputs, names): Looks,
    (name, is_share): Quantity,
    quantity: fn(&Cell) -> Option<f64>,
) -> Option<Chart> {
    let bsp = VECTORISED.bsp;
    let styles = [style_of(bsp), Style::nth(SECOND)];
    let lines = inputs.into_iter().zip(names).zip(styles).filter_map(|((input, name), style)| {
        let is_wanted = |cell: &&Cell| cell.input == input && cell.algorithm == bsp;
        line(name, style, rows.cells(from).iter().filter(is_wanted), quantity)
    });
    let y = if is_share { Axis::shares(name) } else { Axis::log(name) };
    over(Axis::log("objects"), y, lines.collect())
}

/// Time over the number behind a prefix of the input's name: a speed, a radius.
fn varied(rows: &ThesisRows, prefix: &str, x: &str) -> Option<Chart> {
    let cells = rows.cells(SpeedAndSize);
    let value = |cell: &Cell| cell.input.strip_prefix(prefix)?.parse::<f64>().ok();
    let n = cells.iter().find(|cell| value(cell).is_some())?.n;
    let lines = each_method(|id| {
        let point = |cell: &Cell| {
            let ms = |ns: f64| ns / 1e6;
            let interval = cell.interval_ns.map(|ends| ends.map(ms));
            Some(Point { interval, ..Point::new(value(cell)?, ms(cell.median_ns?)) })
        };
        let points = cells.iter().filter(|cell| cell.algorithm == id).filter_map(point).collect();
        Some(Line { name: id.to_owned(), style: style_of(id), points })
    });
    let chart = over(Axis::linear(x), Axis::log("update + pairs per frame [ms]"), lines)?;
    Some(chart.titled(format!("{n} objects")))
}

/// A line of each method.
fn each_method(line: impl Fn(&'static str) -> Option<Line>) -> Vec<Line> {
    VECTORISED.ids().into_iter().filter_map(line).collect()
}

/// A chart of lines; `None` where none has two points.
fn over(x: Axis, y: Axis, lines: Vec<Line>) -> Option<Chart> {
    let is_curve = lines.iter().any(|line| line.points.len() > 1);
    is_curve.then(|| Chart::new(x, y).with(Panel::new(Marks::Lines(lines))))
}

/// A curve over the number of objects; `None` without a point.
fn line<'a>(
    name: impl Into<String>,
    style: Style,
    cells: impl Iterator<Item = &'a Cell>,
    quantity: impl Fn(&Cell) -> Option<f64>,
) -> Option<Line> {
    let point = |cell: &Cell| Some(Point::new(cell.n as f64, quantity(cell)?));
    let mut points: Vec<Point> = cells.filter_map(point).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    (!points.is_empty()).then(|| Line { name: name.into(), style, points })
}
