//! Frictionless bodies on several supports at once: the motion along the supports goes on.

use crate::matter::all;
use crate::world_run::{MODES, free, run};
use sim::Scene;

/// A grid of static tiles with their tops at height 0, turned by `degrees`, each `rise` higher than the last one.
fn tiles(columns: u32, rows: u32, [width, depth]: [f64; 2], degrees: f64, rise: f64) -> String {
    let (sine, cosine) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
    let mut text = format!("#!shape tile box {width} {depth} 0.5\n");
    for (i, j) in (0..columns).flat_map(|i| (0..rows).map(move |j| (i, j))) {
        let middle = |i: u32, count: u32| f64::from(i) - 0.5 * f64::from(count - 1);
        let (u, v) = (width * middle(i, columns), depth * middle(j, rows));
        let (x, y) = (u * cosine - v * sine, u * sine + v * cosine);
        let z = f64::from(i + j) * rise - 0.25;
        text += &format!("#!body tile {x} {y} {z:.9}  0 0 0  rotate 0 0 1 {degrees} static\n");
    }
    text
}

/// A box of height 0.6 that starts at a place with a velocity.
fn car(start: &str) -> String {
    format!("#!shape car box 2 1 0.6\n#!body car {start}\n")
}

/// Tops and bottom are at one height, but for the rounding of the numbers.
fn rounded(height: f64) -> String {
    let (thick, thin, center) = (height - 0.35, height - 0.25, height + 0.3);
    format!(
        "#!shape thick box 20 40 0.7\n#!body thick -10 0 {thick:.4}  0 0 0  static\n\
         #!shape thin box 20 40 0.5\n#!body thin 10 0 {thin:.4}  0 0 0  static\n{}",
        car(&format!("-3 0.3 {center:.4}  6 0 0"))
    )
}

#[test]
fn bodies_slide_along_all_that_holds_them() {
    let floor = |rise: f64| tiles(3, 3, [4.0, 4.0], 20.0, rise);
    let wall = [-3, -1, 1, 3].map(|x| format!("#!body side {x} -0.25 1  0 0 0  static\n"));
    let rails = "#!shape bar box 40 0.2 0.2\n#!body bar 0 0.4 -0.1  0 0 0  static\n\
                 #!body bar 0 -0.4 -0.1  0 0 0  static\n";
    let groove = "#!shape side box 40 2 0.2\n\
                  #!body side 0 0.8 0.6  0 0 0  rotate 1 0 0 40 static\n\
                  #!body side 0 -0.8 0.6  0 0 0  rotate 1 0 0 -40 static\n";
    let wheel = "#!shape bead sphere 0.2\n#!shape wheel compound\n#!part wheel bead 0.5 0 0\n\
                 #!part wheel bead -0.5 0 0\n#!part wheel bead 0 0 0.5\n#!part wheel bead 0 0 -0.5\n\
                 #!body wheel -3 0 1.02  6 0 0\n";
    let fast = car("-3 0.3 0.3  6 0 0");
    let mut scenes = vec![
        // Its front is at a seam.
        tiles(2, 1, [4.0, 9.0], 0.0, 0.0) + &car("-1 0.3 0.3  0.01 0 0"),
        // Tiles that rise and fall by rounding.
        floor(1e-7) + &fast,
        floor(-1e-7) + &fast,
        rounded(33.3),
        rounded(500.3),
        floor(0.0) + "#!shape pill capsule 0.3 1\n#!body pill -3 0.3 0.3  6 0 0  rotate 0 1 0 90\n",
        floor(0.0) + "#!shape bead sphere 0.3\n#!body bead -3 0.3 0.3  6 0 0\n",
        // A wall and a floor.
        floor(0.0) + "#!shape side box 2 0.5 3\n" + &wall.concat() + &car("-3 0.5 0.3  6 -1 0"),
        format!("{rails}{fast}"),
        format!("{groove}{wheel}"),
    ];
    for (columns, rows, size) in
        [(1, 1, [40.0, 40.0]), (2, 1, [20.0, 40.0]), (3, 1, [4.0, 40.0]), (3, 3, [4.0, 4.0])]
    {
        let floors = [0.0, 30.0, 45.0, 90.0].map(|turn| tiles(columns, rows, size, turn, 0.0));
        scenes.extend(floors.map(|floor| floor + &fast));
    }
    for text in &scenes {
        let text = format!("#!gravity 0 0 -9.8\n{text}");
        for (continuous, restitution) in MODES.into_iter().flat_map(|m| [(m, 0.0), (m, 1.0)]) {
            let mut run = run(&Scene { restitution: all(restitution), ..free(&text, continuous) });
            let object = run.world.len() - 1;
            let start = run.state(object);
            // A second.
            for step in 1..=60 {
                run.step();
                assert!(run.world.waiting().is_empty(), "it waits in step {step}:\n{text}");
            }
            let share = (run.state(object).position - start.position).x / start.velocity.x;
            assert!((share - 1.0).abs() < 1e-3, "{share}, {continuous:?}, {restitution}:\n{text}");
        }
    }
}

#[test]
fn elastic_ball_leaves_a_groove_as_fast_as_it_came() {
    let sides = [1.0, -1.0].map(|sign| {
        let (x, turn) = (-sign * libm::sqrt(0.75), sign * 60.0);
        format!("#!body tile {x} 0 -0.5  0 0 0  rotate 0 1 0 {turn}  static\n")
    });
    // Off the middle by less than what counts as touching both sides at once.
    for off in [0.0, 3e-7, 4.3e-7, 5e-7] {
        let ball = format!("#!shape ball sphere 0.5\n#!body ball {off} 0 2  0 0 -1.7\n");
        let text = format!("{ball}#!shape tile box 8 8 2\n{}", sides.concat());
        for continuous in MODES {
            let mut run = run(&Scene { restitution: all(1.0), ..free(&text, continuous) });
            run.steps(60);
            let speed = run.state(0).velocity.length();
            assert!((speed - 1.7).abs() < 1e-6, "{off}, {continuous:?}: {speed}");
        }
    }
}
