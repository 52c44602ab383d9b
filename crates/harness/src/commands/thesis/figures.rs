//! The figures of the thesis, 8.4 to 8.24, with its axes, and two for what it tells without a figure.

use super::evidence::Evidence;
use super::experiments::{ALGORITHMS, Experiment};
use super::names;
use crate::figures::{Cell, style_of, variant_style};
use charts::{Axis, Chart, Line, Marks, Panel, Point, Style};
use std::ops::RangeInclusive;

/// All numbers of objects.
const ALL_N: RangeInclusive<u64> = 0..=u64::MAX;
/// Look of the second of two curves of one algorithm.
const SECOND: usize = 8;

/// A figure.
#[derive(Debug)]
pub(super) struct Figure {
    /// Its number in the thesis.
    pub(super) number: &'static str,
    /// What it shows.
    pub(super) caption: &'static str,
    /// The experiments that it shows.
    pub(super) from: &'static [Experiment],
    pub(super) content: Content,
}

/// What a figure is made of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    /// A chart; `None` where there are no data for it.
    Chart(fn(&Evidence) -> Option<Chart>),
    /// Pictures by the names of their files.
    Pictures(&'static [&'static str]),
}

impl Figure {
    /// The name of its file.
    pub(super) fn file(&self, extension: &str) -> String {
        format!("figure-{}.{extension}", self.number)
    }
}

/// Every figure, in the order of the thesis.
pub(super) const ALL: &[Figure] = &[
    Figure {
        number: "8.4",
        caption: "Frames per second over the number of objects, random scene, drawn",
        from: &[Experiment::RandomDrawn],
        content: Content::Chart(|e| fps(e, Experiment::RandomDrawn, ALL_N)),
    },
    Figure {
        number: "8.5",
        caption: "The same from 50 to 300 objects",
        from: &[Experiment::RandomDrawn],
        content: Content::Chart(|e| fps(e, Experiment::RandomDrawn, 50..=300)),
    },
    Figure {
        number: "8.6",
        caption: "The same from 300 to 1000 objects",
        from: &[Experiment::RandomDrawn],
        content: Content::Chart(|e| fps(e, Experiment::RandomDrawn, 300..=1000)),
    },
    Figure {
        number: "8.7",
        caption: "The same from 1000 to 5000 objects",
        from: &[Experiment::RandomDrawn],
        content: Content::Chart(|e| fps(e, Experiment::RandomDrawn, 1000..=5000)),
    },
    Figure {
        number: "8.8",
        caption: "Share of the time that goes to collisions, random scene, drawn",
        from: &[Experiment::RandomDrawn],
        content: Content::Chart(collision_share),
    },
    Figure {
        number: "8.9",
        caption: "Frames per second over the number of objects, random scene, not drawn",
        from: &[Experiment::Random],
        content: Content::Chart(|e| fps(e, Experiment::Random, ALL_N)),
    },
    Figure {
        number: "8.10",
        caption: "The same from 1000 to 5000 objects",
        from: &[Experiment::Random],
        content: Content::Chart(|e| fps(e, Experiment::Random, 1000..=5000)),
    },
    Figure {
        number: "8.11",
        caption: "Speed-up over the classic method (frames per second), drawn and not drawn",
        from: &[Experiment::Random],
        content: Content::Chart(speed_up),
    },
    Figure {
        number: "8.12",
        caption: "Frames per second over the number of objects, FER, not drawn",
        from: &[Experiment::Fer],
        content: Content::Chart(|e| fps(e, Experiment::Fer, ALL_N)),
    },
    Figure {
        number: "8.13",
        caption: "The same from 50 to 300 objects",
        from: &[Experiment::Fer],
        content: Content::Chart(|e| fps(e, Experiment::Fer, 50..=300)),
    },
    Figure {
        number: "8.14",
        caption: "The same from 300 to 1000 objects",
        from: &[Experiment::Fer],
        content: Content::Chart(|e| fps(e, Experiment::Fer, 300..=1000)),
    },
    Figure {
        number: "8.15",
        caption: "The same from 1000 to 5000 objects",
        from: &[Experiment::Fer],
        content: Content::Chart(|e| fps(e, Experiment::Fer, 1000..=5000)),
    },
    Figure {
        number: "8.16",
        caption: "The scene of the stairs",
        from: &[Experiment::Pictures],
        content: Content::Pictures(&["figure-8.16.png"]),
    },
    Figure {
        number: "8.17",
        caption: "The BSP tree and the self-adjusting one on the stairs",
        from: &[Experiment::Pictures],
        content: Content::Pictures(&["figure-8.17-bsp.png", "figure-8.17-kd-tree.png"]),
    },
    Figure {
        number: "8.18",
        caption: "The BSP tree and the self-adjusting one on FER",
        from: &[Experiment::Pictures],
        content: Content::Pictures(&["figure-8.18-bsp.png", "figure-8.18-kd-tree.png"]),
    },
    Figure {
        number: "8.19",
        caption: "The scene of the fall",
        from: &[Experiment::Pictures],
        content: Content::Pictures(&["figure-8.19.png"]),
    },
    Figure {
        number: "8.20",
        caption: "The BSP tree and the self-adjusting one in the fall",
        from: &[Experiment::Pictures],
        content: Content::Pictures(&["figure-8.20-bsp.png", "figure-8.20-kd-tree.png"]),
    },
    Figure {
        number: "8.21",
        caption: "Frames per second with 20 and with 80 triangles a sphere, BSP tree",
        from: &[Experiment::Triangles],
        content: Content::Chart(|e| {
            looks(e, Experiment::Triangles, TRIANGLES, FPS, |cell| cell.fps)
        }),
    },
    Figure {
        number: "8.22",
        caption: "Share of the time that goes to drawing, with 20 and with 80 triangles a sphere",
        from: &[Experiment::Triangles],
        content: Content::Chart(|e| {
            looks(e, Experiment::Triangles, TRIANGLES, DRAWING, Cell::drawing_share)
        }),
    },
    Figure {
        number: "8.23",
        caption: "Frames per second with shading on and off, BSP tree",
        from: &[Experiment::Shading],
        content: Content::Chart(|e| looks(e, Experiment::Shading, SHADING, FPS, |cell| cell.fps)),
    },
    Figure {
        number: "8.24",
        caption: "Share of the time that goes to drawing, with shading on and off",
        from: &[Experiment::Shading],
        content: Content::Chart(|e| {
            looks(e, Experiment::Shading, SHADING, DRAWING, Cell::drawing_share)
        }),
    },
    Figure {
        number: "E7-speed",
        caption: "Time per frame over the speed of the objects (told in the thesis without a figure)",
        from: &[Experiment::SpeedAndSize],
        content: Content::Chart(|e| varied(e, names::SPEED, "speed of the objects [units/s]")),
    },
    Figure {
        number: "E7-size",
        caption: "Time per frame over the size of the objects (told in the thesis without a figure)",
        from: &[Experiment::SpeedAndSize],
        content: Content::Chart(|e| varied(e, names::RADIUS, "radius of the objects [units]")),
    },
];

/// The names of two looks in the rows and in the legend.
type Looks = [(&'static str, &'static str); 2];
const TRIANGLES: Looks = [(names::COARSE, "20 triangles"), (names::FINE, "80 triangles")];
const SHADING: Looks = [(names::PLAIN, "plain"), (names::SHADED, "shaded")];

/// The vertical axis: its name, and whether it shows shares.
type Quantity = (&'static str, bool);
const FPS: Quantity = ("frames per second", false);
const DRAWING: Quantity = ("share of drawing", true);

/// Frames per second over the number of objects: logarithmic over all of it, linear in a part, where
/// the thesis looks closer.
fn fps(evidence: &Evidence, from: Experiment, range: RangeInclusive<u64>) -> Option<Chart> {
    let cells = || evidence.cells(from).iter().filter(|cell| range.contains(&cell.n));
    let lines: Vec<Line> = ALGORITHMS
        .iter()
        .filter_map(|id| {
            let of_algorithm = cells().filter(|cell| cell.algorithm == *id);
            line(*id, style_of(id), of_algorithm, |cell| cell.fps)
        })
        .collect();
    let name = "frames per second";
    let most = lines.iter().flat_map(|line| &line.points).map(|point| point.y).reduce(f64::max)?;
    let (x, y) = if range == ALL_N {
        (Axis::log("objects"), Axis::log(name))
    } else {
        let [low, high] = [*range.start() as f64, *range.end() as f64];
        (Axis::linear("objects").within(low, high), Axis::linear(name).within(0.0, 1.05 * most))
    };
    // One number of objects is no curve.
    let curve = lines.iter().any(|line| line.points.len() > 1);
    curve.then(|| Chart::new(x, y).with(Panel::new(Marks::Lines(lines))))
}

fn collision_share(evidence: &Evidence) -> Option<Chart> {
    let cells = evidence.cells(Experiment::RandomDrawn);
    let lines: Vec<Line> = ALGORITHMS
        .iter()
        .filter_map(|id| {
            let of_algorithm = cells.iter().filter(|cell| cell.algorithm == *id);
            line(*id, style_of(id), of_algorithm, |cell| cell.collision_share)
        })
        .collect();
    over_n(lines, Axis::shares("share of collisions"))
}

fn speed_up(evidence: &Evidence) -> Option<Chart> {
    let mut lines = Vec::new();
    for (variant, (from, name)) in
        [(Experiment::Random, "not drawn"), (Experiment::RandomDrawn, "drawn")].iter().enumerate()
    {
        for id in &ALGORITHMS[1..] {
            let cells = evidence.cells(*from).iter().filter(|cell| cell.algorithm == *id);
            let over_classic = |cell: &Cell| {
                Some(cell.fps? / evidence.fps(*from, &cell.input, ALGORITHMS[0], cell.n)?)
            };
            let style = variant_style(id, variant);
            lines.extend(line(format!("{id}, {name}"), style, cells, over_classic));
        }
    }
    over_n(lines, Axis::log("speed-up over brute-force"))
}

/// A quantity of the BSP tree over the number of objects, for two ways of drawing.
fn looks(
    evidence: &Evidence,
    from: Experiment,
    looks: Looks,
    (name, is_share): Quantity,
    quantity: fn(&Cell) -> Option<f64>,
) -> Option<Chart> {
    let styles = [style_of("bsp"), Style::nth(SECOND)];
    let lines = looks.iter().zip(styles).filter_map(|((input, name), style)| {
        let cells = evidence.cells(from).iter().filter(|cell| cell.input == *input);
        line(*name, style, cells, quantity)
    });
    let y = if is_share { Axis::shares(name) } else { Axis::log(name) };
    over_n(lines.collect(), y)
}

/// Time over what stands behind the input's name: a speed, a radius.
fn varied(evidence: &Evidence, prefix: &str, x: &str) -> Option<Chart> {
    let cells = evidence.cells(Experiment::SpeedAndSize);
    let value = |cell: &Cell| cell.input.strip_prefix(prefix)?.parse::<f64>().ok();
    let n = cells.iter().find(|cell| value(cell).is_some())?.n;
    let lines: Vec<Line> = ALGORITHMS
        .iter()
        .map(|id| {
            let of_algorithm = cells.iter().filter(|cell| cell.algorithm == *id);
            let points = of_algorithm.filter_map(|cell| {
                let ms = |ns: f64| ns / 1e6;
                let interval = cell.interval_ns.map(|ends| ends.map(ms));
                Some(Point { interval, ..Point::new(value(cell)?, ms(cell.median_ns?)) })
            });
            Line { name: (*id).to_owned(), style: style_of(id), points: points.collect() }
        })
        .collect();
    let y = Axis::log("update + pairs per frame [ms]");
    let chart = Chart::new(Axis::linear(x), y).titled(format!("{n} objects"));
    Some(chart.with(Panel::new(Marks::Lines(lines))))
}

fn over_n(lines: Vec<Line>, y: Axis) -> Option<Chart> {
    let curve = lines.iter().any(|line| line.points.len() > 1);
    curve.then(|| Chart::new(Axis::log("objects"), y).with(Panel::new(Marks::Lines(lines))))
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
