//! Draws one chart of each kind: `cargo run -p charts --example gallery -- FOLDER`.

use charts::{
    Axis, Chart, Factor, LAYER_COLORS, Layer, Line, Marks, Panel, Point, Stack, Style, Tile,
};
use std::path::Path;

const ALGORITHMS: [&str; 5] = ["brute-force", "bsp", "kd-tree", "sap-matrix", "grid"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let charts = [
        ("lines", lines()),
        ("areas", areas()),
        ("bars", bars()),
        ("factors", factors()),
        ("tiles", tiles()),
    ];
    for (name, chart) in charts {
        let path = |extension: &str| Path::new(&folder).join(name).with_extension(extension);
        std::fs::write(path("svg"), chart.svg()?)?;
        std::fs::write(path("png"), chart.png(300.0)?)?;
    }
    Ok(())
}

fn lines() -> Chart {
    let numbers = [50.0, 100.0, 250.0, 500.0, 1000.0, 2000.0, 5000.0];
    let lines = ALGORITHMS.iter().enumerate().map(|(index, name)| {
        let power = 2.0 - 0.25 * index as f64;
        let point = |n: &f64| {
            let y = 1e-5 * n.powf(power) * (1.0 + index as f64);
            Point { interval: Some([0.9 * y, 1.15 * y]), ..Point::new(*n, y) }
        };
        let points = numbers.iter().map(point).collect();
        Line { name: (*name).to_owned(), style: Style::nth(index), points }
    });
    Chart::new(Axis::log("objects"), Axis::log("time per frame [ms]"))
        .titled("Time over the number of objects")
        .with(Panel::new(Marks::Lines(lines.collect())))
}

fn areas() -> Chart {
    let at: Vec<f64> = (0..200).map(f64::from).collect();
    let panel = |name: &str, scale: f64| {
        let wave = |phase: f64, mean: f64| -> Vec<f64> {
            at.iter().map(|x| scale * (mean + 0.2 * (x / 15.0 + phase).sin())).collect()
        };
        let layer = |name: &str, index: usize, values| {
            let (name, color) = (name.to_owned(), LAYER_COLORS[index]);
            Layer { name, color, values }
        };
        let layers = vec![
            layer("update", 0, wave(0.0, 0.4)),
            layer("pairs", 1, wave(1.0, 0.9)),
            layer("response", 2, wave(2.0, 0.3)),
        ];
        let marks = Marks::Areas(Stack { at: at.clone(), layers });
        Panel { title: name.to_owned(), marks }
    };
    let chart = Chart::new(Axis::linear("frame"), Axis::linear("ms"));
    Chart { panel_mm: 25.0, ..chart }.with(panel("bsp", 1.0)).with(panel("kd-tree", 1.4))
}

fn bars() -> Chart {
    let names = ALGORITHMS.map(str::to_owned).to_vec();
    let shares = |base: f64| (0..5).map(|k| base + 0.03 * f64::from(k)).collect();
    let layers = ["update", "pairs", "response", "drawing"]
        .iter()
        .zip([0.1, 0.3, 0.05, 0.2])
        .zip(LAYER_COLORS)
        .map(|((name, base), color)| Layer {
            name: (*name).to_owned(),
            color,
            values: shares(base),
        });
    let stack = Stack { at: (0..5).map(f64::from).collect(), layers: layers.collect() };
    let chart = Chart::new(Axis::shares("share of the time"), Axis::categories("", names));
    Chart { panel_mm: 30.0, ..chart }.with(Panel::new(Marks::Bars(stack)))
}

fn factors() -> Chart {
    let factor = |at: usize| {
        let value = 0.7 * 3f64.powi(at as i32);
        let interval = Some([0.9 * value, 1.15 * value]);
        let label = format!("{value:.1} times");
        Factor { at, value, interval, goal: (at > 2).then_some(9.0), label }
    };
    let names = ALGORITHMS.map(str::to_owned).to_vec();
    let chart = Chart::new(Axis::log("times as long"), Axis::categories("", names));
    let factors = (0..5).map(factor).collect();
    Chart { panel_mm: 30.0, ..chart }.with(Panel::new(Marks::Factors(factors)))
}

fn tiles() -> Chart {
    let tile = |index: usize| {
        let ends = |k: usize| [10f64.powi(k as i32), 10f64.powi(k as i32 + 1)];
        let winner = (index * index) % ALGORITHMS.len();
        let name = ALGORITHMS[winner].to_owned();
        let label = vec![name.clone(), format!("{:.2}", 1.0 + 0.1 * index as f64)];
        let color = Style::nth(winner).color.pale();
        Tile { x: ends(index % 5), y: ends(index / 5), name, color, label }
    };
    Chart::new(Axis::log("objects").within(1.0, 1e5), Axis::log("speed").within(1.0, 1e3))
        .wide()
        .with(Panel::new(Marks::Tiles((0..15).map(tile).collect())))
}
