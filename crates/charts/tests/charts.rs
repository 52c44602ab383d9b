//! Charts through their public interface.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

use charts::{
    Axis, Chart, ChartError, Dot, Factor, LAYER_COLORS, Layer, Line, Marks, Panel, Point, Stack,
    Style, Tile,
};

fn line(name: &str, index: usize, points: &[(f64, f64)]) -> Line {
    let points = points.iter().map(|&(x, y)| Point::new(x, y)).collect();
    Line { name: name.to_owned(), style: Style::nth(index), points }
}

fn lines(lines: Vec<Line>) -> Chart {
    Chart::new(Axis::log("objects"), Axis::log("time [ms]")).with(Panel::new(Marks::Lines(lines)))
}

fn stack(at: &[f64], values: &[&[f64]]) -> Stack {
    let layers = values.iter().zip(LAYER_COLORS).zip(["update", "pairs"]);
    let layers = layers.map(|((values, color), name)| Layer {
        name: name.to_owned(),
        color,
        values: values.to_vec(),
    });
    Stack { at: at.to_vec(), layers: layers.collect() }
}

/// Rasterises the chart, which parses its document. Returns width and height in the header of the file; `None` where that is not
/// built.
fn png_size(chart: &Chart, dpi: f64) -> Option<[u32; 2]> {
    #[cfg(feature = "png")]
    {
        let png = chart.png(dpi).unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        Some([16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap())))
    }
    #[cfg(not(feature = "png"))]
    {
        let _ = (chart, dpi);
        None
    }
}

/// How many texts of an SVG are exactly this one.
fn texts(svg: &str, text: &str) -> usize {
    svg.lines().filter(|line| line.trim() == text).count()
}

/// A number of each element of a kind that has a text in it.
fn numbers(svg: &str, tag: &str, text: &str, attribute: &str) -> Vec<f64> {
    let element = format!("<{tag} ");
    let elements = svg.lines().filter(|line| line.starts_with(&element) && line.contains(text));
    let number = |line: &str| {
        let rest = line.split_once(&format!(" {attribute}=\"")).unwrap().1;
        rest.split('"').next().unwrap().parse().unwrap()
    };
    elements.map(number).collect()
}

#[test]
fn a_chart_is_as_wide_as_a_column_in_print_and_in_pixels() {
    let chart = lines(vec![line("bsp", 1, &[(50.0, 0.1), (500.0, 1.0)])]);
    let svg = chart.svg().unwrap();
    assert!(svg.starts_with("<svg width=\"88.00mm\" height=\""));
    for text in ["objects", "time [ms]", "bsp", "50", "100", "0.1", "1"] {
        assert_eq!(texts(&svg, text), 1, "{text}");
    }
    if let Some([width, height]) = png_size(&chart, 300.0) {
        assert_eq!(width, 1039, "88 mm at 300 dots per inch");
        assert!((600..900).contains(&height), "{height}");
    }
}

#[test]
fn control_and_hidden_characters_in_names_are_replaced() {
    let name = "a\u{1b}[31m\u{0}\u{ffff}b\u{202e}\u{200b}c";
    let chart = lines(vec![line(name, 1, &[(50.0, 0.1), (500.0, 1.0)])]).titled(name);
    let svg = chart.svg().unwrap();
    assert!(!svg.contains(['\u{1b}', '\u{0}', '\u{ffff}', '\u{202e}', '\u{200b}']));
    assert!(texts(&svg, "a\u{fffd}[31m\u{fffd}\u{fffd}b\u{fffd}\u{fffd}c") > 0, "{svg}");
}

#[test]
fn many_names_stand_beside_the_curves_in_order_of_their_ends() {
    // The first curve has the lowest end.
    let many = |count: usize| {
        let curve = |k: usize| line(&format!("a{k}"), k, &[(50.0, 1.0), (500.0, 2.0 + k as f64)]);
        lines((0..count).map(curve).collect())
    };
    let order = |chart: &Chart| -> Vec<String> {
        let svg = chart.svg().unwrap();
        let names = svg.lines().filter(|text| text.starts_with('a') && text.len() < 4);
        names.map(str::to_owned).collect()
    };
    assert_eq!(order(&many(8))[..2], ["a0", "a1"], "in rows above");
    let names = order(&many(25));
    assert_eq!((names.len(), names[0].as_str(), names[24].as_str()), (25, "a24", "a0"));
    // Each name has a line of its own.
    if let Some([_, height]) = png_size(&many(25), 100.0) {
        assert!(f64::from(height) > 25.0 * 3.4 / 25.4 * 100.0, "{height}");
    }
}

#[test]
fn lines_that_are_not_emphasised_are_pale() {
    let mut chart = lines(vec![
        line("bsp", 0, &[(50.0, 0.1), (500.0, 1.0)]),
        line("kd-tree", 2, &[(50.0, 0.2), (500.0, 1.5)]),
    ]);
    let stroke = |color: &str| format!("stroke=\"{color}\"");
    let count = |chart: &Chart, color: &str| chart.svg().unwrap().matches(&stroke(color)).count();
    assert!(count(&chart, "#D55E00") > 0 && count(&chart, "#EAAF80") == 0);
    // The curve and its entry in the legend, in multiples of the width.
    let dashed = r#"stroke-width="9" stroke-dasharray="10.8 18.0" points"#;
    assert_eq!(chart.svg().unwrap().matches(dashed).count(), 2);
    chart.stressed = vec!["bsp".to_owned()];
    assert!(count(&chart, "#D55E00") == 0 && count(&chart, "#EAAF80") > 0);
    assert!(count(&chart, "#000000") > 0);
}

#[test]
fn dots_stand_at_their_values_with_their_intervals() {
    let dot = |at, value: f64| Dot {
        at,
        value,
        interval: Some([0.5 * value, 2.0 * value]),
        style: Style::nth(0),
    };
    let names = vec!["bsp".to_owned(), "kd-tree".to_owned()];
    let chart = Chart::new(Axis::log("time [ms]"), Axis::categories("", names))
        .with(Panel::new(Marks::Dots(vec![dot(0, 1.0), dot(1, 10.0)])));
    let svg = chart.svg().unwrap();
    for place in ["cx", "cy"] {
        let circles = numbers(&svg, "circle", "", place);
        assert!(circles.len() == 2 && circles[0] < circles[1], "{place}: {circles:?}");
    }
}

#[test]
fn factors_are_bars_from_one_to_either_side() {
    let factor = |at, value: f64, goal| Factor {
        at,
        value,
        interval: Some([0.9 * value, 1.1 * value]),
        goal,
        label: format!("{value} times"),
    };
    let names = vec!["gas".to_owned(), "cluster".to_owned(), "plane".to_owned()];
    let factors = vec![factor(0, 10.0, Some(9.0)), factor(1, 0.5, None), factor(2, 100.0, None)];
    let chart = Chart::new(Axis::log("times as long"), Axis::categories("", names))
        .with(Panel::new(Marks::Factors(factors)));
    let svg = chart.svg().unwrap();
    let bars = |color: &str| ["x", "width"].map(|number| numbers(&svg, "rect", color, number));
    let ([starts, widths], [start, width]) = (bars("#6EC3F0"), bars("#D55E00"));
    assert_eq!((starts.len(), start.len()), (2, 1), "{svg}");
    assert!((widths[1] / widths[0] - 2.0).abs() < 0.01, "100 is twice as far as 10: {widths:?}");
    assert_eq!(starts[0], starts[1], "both begin at 1");
    assert!((start[0] + width[0] - starts[0]).abs() <= 1.0, "it ends at 1: {start:?}");
    assert_eq!((texts(&svg, "10 times"), texts(&svg, "0.5 times"), texts(&svg, "gas")), (1, 1, 1));

    let refusal = Chart { panels: Vec::new(), ..chart.clone() }
        .with(Panel::new(Marks::Factors(vec![factor(0, 0.0, None)])))
        .svg();
    assert!(matches!(refusal, Err(ChartError::NoPlace { .. })), "{refusal:?}");
}

#[test]
fn tiles_fill_their_part_of_the_map_with_their_label() {
    let tile = |name: &str, x: [f64; 2], color| Tile {
        x,
        y: [1.0, 10.0],
        name: name.to_owned(),
        color: Style::nth(color).color.pale(),
        label: vec![name.to_owned(), format!("{name} second line")],
    };
    let tiles = vec![tile("a", [1.0, 10.0], 1), tile("b", [10.0, 1000.0], 2)];
    let axes = (Axis::log("objects").within(1.0, 1000.0), Axis::log("speed").within(1.0, 10.0));
    let chart = Chart::new(axes.0, axes.1).wide().with(Panel::new(Marks::Tiles(tiles)));
    let svg = chart.svg().unwrap();
    // The patch of the legend comes first.
    let [a, b] = ["#AAD0E6", "#F1CAAA"].map(|color| numbers(&svg, "rect", color, "width"));
    assert_eq!((a.len(), b.len()), (2, 2), "{svg}");
    assert!((b[1] / a[1] - 2.0).abs() < 0.02, "two decades are twice as wide: {a:?} {b:?}");
    assert_eq!((texts(&svg, "a"), texts(&svg, "b second line")), (2, 1), "legend and label");
    let outside = vec![tile("zero", [0.0, 10.0], 1)];
    let refusal = Chart { panels: Vec::new(), ..chart }.with(Panel::new(Marks::Tiles(outside)));
    assert!(refusal.svg().unwrap_err().to_string().starts_with("zero: 0 has no place"));
}

#[test]
fn long_names_are_cut_to_their_end() {
    let long = format!("{}/random.scene", "folder/".repeat(800));
    let chart = lines(vec![line(&long, 0, &[(50.0, 0.1), (500.0, 1.0)])]).titled(&long);
    let svg = chart.svg().unwrap();
    // Titles, which take no room, have the whole name.
    assert_eq!(texts(&svg, &long), 0);
    let ends = svg.lines().filter(|l| l.trim().starts_with('\u{2026}'));
    assert_eq!(ends.filter(|l| l.trim().ends_with("/random.scene")).count(), 2, "{svg}");
    let bars = Chart::new(Axis::shares("share"), Axis::categories("", vec![long]))
        .with(Panel::new(Marks::Bars(stack(&[0.0], &[&[0.2]]))));
    bars.svg().unwrap();
}

#[test]
fn bar_lengths_are_proportional_to_their_values() {
    let names = vec!["bsp".to_owned(), "kd-tree".to_owned()];
    let stack = stack(&[0.0, 1.0], &[&[0.2, 0.4], &[0.8, 0.6]]);
    let chart = Chart::new(Axis::shares("share"), Axis::categories("", names))
        .with(Panel::new(Marks::Bars(stack)));
    let svg = chart.svg().unwrap();
    let widths = numbers(&svg, "rect", "#004973", "width");
    // The patch of the legend, then the lowest layer of both bars.
    assert_eq!(widths.len(), 3, "{svg}");
    assert!((widths[2] / widths[1] - 2.0).abs() < 0.01, "{widths:?}");
    assert!(texts(&svg, "100 %") == 1 && texts(&svg, "kd-tree") == 1);
}

#[test]
fn marks_state_their_values_in_titles_and_belong_to_their_name() {
    let mut curve = line("a <b>", 2, &[(50.0, 0.25), (5000.0, 1.0)]);
    curve.points[0].interval = Some([0.2, 0.3]);
    let svg = lines(vec![curve.clone(), line("bsp", 1, &[(50.0, 0.1)])]).svg().unwrap();
    let titles = |svg: &str| svg.matches("<g class=\"value\"><title>").count();
    assert_eq!(titles(&svg), 3, "one for each point");
    let title = "<title>a &lt;b&gt;\nobjects: 50\ntime [ms]: 0.25 (0.2 to 0.3)</title>";
    assert!(svg.contains(title), "{svg}");
    // The curve and its entry in the legend.
    assert_eq!(svg.matches("<g data-name=\"a &lt;b&gt;\" color=\"#D55E00\">").count(), 2);
    assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    curve.style.marker = charts::Marker::None;
    assert_eq!(titles(&lines(vec![curve]).svg().unwrap()), 0, "of a line of many points");

    let names = vec!["bsp".to_owned(), "kd-tree".to_owned()];
    let dot = Dot { at: 1, value: 20_000.0, interval: None, style: Style::nth(0) };
    let svg = Chart::new(Axis::log("fps"), Axis::categories("", names.clone()))
        .with(Panel::new(Marks::Dots(vec![dot])))
        .svg();
    assert!(svg.unwrap().contains("<title>kd-tree\nfps: 20000</title>"));
    let svg = Chart::new(Axis::shares("share"), Axis::categories("", names))
        .with(Panel::new(Marks::Bars(stack(&[0.0, 1.0], &[&[0.2, 0.4], &[0.8, 0.6]]))))
        .svg();
    assert!(svg.unwrap().contains("<title>kd-tree\npairs: 60 %</title>"));
}

#[test]
fn chart_that_cannot_be_drawn_is_refused_by_name() {
    assert_eq!(lines(vec![]).svg(), Err(ChartError::Empty));
    assert_eq!(lines(vec![line("bsp", 0, &[])]).svg(), Err(ChartError::Empty));
    let refusal = lines(vec![line("bsp", 0, &[(50.0, 0.0)])]).svg().unwrap_err();
    assert_eq!(refusal.to_string(), "bsp: 0 has no place on the axis `time [ms]`");
    let refusal = lines(vec![line("bsp", 0, &[(f64::NAN, 1.0)])]).svg().unwrap_err();
    assert!(refusal.to_string().contains("`objects`"), "{refusal}");
    let uneven = Chart::new(Axis::linear(""), Axis::linear(""))
        .with(Panel::new(Marks::Layered(stack(&[0.0, 1.0], &[&[1.0], &[2.0, 3.0]]), vec![])));
    assert_eq!(uneven.svg().unwrap_err().to_string(), "update: 1 values for 2 places");
    let chart = lines(vec![line("bsp", 0, &[(1.0, 1.0)])]);
    #[cfg(feature = "png")]
    for dpi in [0.0, 1e6] {
        assert!(matches!(chart.png(dpi), Err(ChartError::Size { .. })), "{dpi}");
    }
    let narrow = Chart { width_mm: 1.0, ..chart };
    assert!(matches!(narrow.svg(), Err(ChartError::Size { .. })));
}

#[test]
fn bars_on_a_logarithmic_axis_begin_at_its_end() {
    let names = vec!["bsp".to_owned(), "kd-tree".to_owned()];
    let chart = Chart::new(Axis::log("ms").within(0.01, 10.0), Axis::categories("", names))
        .with(Panel::new(Marks::Bars(stack(&[0.0, 1.0], &[&[0.1, 10.0]]))));
    chart.svg().unwrap();
}
