//! Frictionless bodies on several supports at once: the motion along the supports goes on.

use crate::continuous::free;
use crate::matter::{MODES, all};
use crate::world_run::{Run, kd_tree};
use sim::Scene;
use sim::scene::Continuous;

/// The way of the last body of a scene along x in a second under gravity, and how many steps it waited in.
fn way(text: &str, continuous: Continuous, restitution: f32) -> (f64, usize) {
    let text = format!("#!gravity 0 0 -9.8\n{text}");
    let scene = Scene { restitution: all(restitution), ..free(&text, continuous) };
    let mut run = Run::new(&scene, kd_tree());
    let object = run.world.len() - 1;
    let place = |run: &Run| run.world.bodies().unwrap().states()[object].position;
    let (start, steps) = (place(&run), (1.0 / run.world.scene().dt).round() as usize);
    let mut waited = 0;
    for _ in 0..steps {
        run.step();
        waited += usize::from(!run.world.waiting().is_empty());
    }
    ((place(&run) - start).x, waited)
}

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

#[test]
fn box_slides_over_tiles_as_over_one() {
    println!("| supports | seam | mode | restitution | way of 6 | waited |");
    for (columns, rows, size) in
        [(1, 1, [40.0, 40.0]), (2, 1, [20.0, 40.0]), (3, 1, [4.0, 40.0]), (3, 3, [4.0, 4.0])]
    {
        for degrees in [0.0, 30.0, 45.0, 90.0] {
            for (continuous, restitution) in MODES.into_iter().flat_map(|m| [(m, 0.0), (m, 1.0)]) {
                let floor = tiles(columns, rows, size, degrees, 0.0);
                let car = "#!shape car box 2 1 0.6\n#!body car -3 0.3 0.3  6 0 0\n";
                let (way, waited) = way(&format!("{floor}{car}"), continuous, restitution);
                let supports = columns * rows;
                println!(
                    "| {supports} | {degrees} | {continuous:?} | {restitution} | {way:.4} | {waited} |"
                );
                assert!((way - 6.0).abs() < 1e-3 && waited == 0, "{way}, waited {waited}");
            }
        }
    }
}

#[test]
fn bodies_slide_along_all_that_holds_them() {
    let floor = tiles(3, 3, [4.0, 4.0], 20.0, 0.0);
    let [rising, falling] = [1e-7, -1e-7].map(|rise| tiles(3, 3, [4.0, 4.0], 20.0, rise));
    let wall = "#!shape side box 2 0.5 3\n#!body side -3 -0.25 1  0 0 0  static\n\
                #!body side -1 -0.25 1  0 0 0  static\n#!body side 1 -0.25 1  0 0 0  static\n\
                #!body side 3 -0.25 1  0 0 0  static\n";
    let groove = "#!shape side box 40 2 0.2\n\
                  #!body side 0 0.8 0.6  0 0 0  rotate 1 0 0 40 static\n\
                  #!body side 0 -0.8 0.6  0 0 0  rotate 1 0 0 -40 static\n";
    let rails = "#!shape bar box 40 0.2 0.2\n#!body bar 0 0.4 -0.1  0 0 0  static\n\
                 #!body bar 0 -0.4 -0.1  0 0 0  static\n";
    let wheel = "#!shape bead sphere 0.2\n#!shape wheel compound\n#!part wheel bead 0.5 0 0\n\
                 #!part wheel bead -0.5 0 0\n#!part wheel bead 0 0 0.5\n#!part wheel bead 0 0 -0.5\n\
                 #!body wheel -3 0 1.02  6 0 0\n";
    let pill = "#!shape pill capsule 0.3 1\n#!body pill -3 0.3 0.3  6 0 0  rotate 0 1 0 90\n";
    let ball = "#!shape bead sphere 0.3\n#!body bead -3 0.3 0.3  6 0 0\n";
    // Tops and bottom are at one height, but for the rounding of the numbers.
    let [near, high] = [33.3, 500.3].map(|height: f64| {
        format!(
            "#!shape thick box 20 40 0.7\n#!shape thin box 20 40 0.5\n#!shape car box 2 1 0.6\n\
             #!body thick -10 0 {:.4}  0 0 0  static\n#!body thin 10 0 {:.4}  0 0 0  static\n\
             #!body car -3 0.3 {:.4}  6 0 0\n",
            height - 0.35,
            height - 0.25,
            height + 0.3
        )
    });
    let front = tiles(2, 1, [4.0, 9.0], 0.0, 0.0);
    let [car, slow, leaning] = ["-3 0.3 0.3  6 0 0", "-1 0.3 0.3  0.01 0 0", "-3 0.5 0.3  6 -1 0"]
        .map(|place| format!("#!shape car box 2 1 0.6\n#!body car {place}\n"));
    for (name, text, exact) in [
        ("a front at a seam", format!("{front}{slow}"), 0.01),
        ("tiles that rise by rounding", format!("{rising}{car}"), 6.0),
        ("tiles that fall by rounding", format!("{falling}{car}"), 6.0),
        ("rounded heights", near, 6.0),
        ("rounded heights far up", high, 6.0),
        ("a capsule", format!("{floor}{pill}"), 6.0),
        ("a ball", format!("{floor}{ball}"), 6.0),
        ("a wall and a floor", format!("{floor}{wall}{leaning}"), 6.0),
        ("two rails", format!("{rails}{car}"), 6.0),
        ("a wheel in a groove", format!("{groove}{wheel}"), 6.0),
    ] {
        for (continuous, restitution) in MODES.into_iter().flat_map(|m| [(m, 0.0), (m, 1.0)]) {
            let (way, waited) = way(&text, continuous, restitution);
            println!(
                "| {name} | {continuous:?} | {restitution} | {way:.4} of {exact} | {waited} |"
            );
            assert!((way - exact).abs() < 1e-3 * exact && waited == 0, "{way}, waited {waited}");
        }
    }
}

#[test]
fn elastic_ball_leaves_a_groove_as_fast_as_it_came() {
    let side = |sign: f64| {
        let (x, z) = (-sign * libm::sqrt(0.75), -0.5);
        format!("#!body tile {x} 0 {z}  0 0 0  rotate 0 1 0 {}  static\n", sign * 60.0)
    };
    // Off the middle by less than what counts as touching both sides at once.
    for off in [0.0, 3e-7, 4.3e-7, 5e-7] {
        let text = format!(
            "#!shape ball sphere 0.5\n#!shape tile box 8 8 2\n#!body ball {off} 0 2  0 0 -1.7\n{}{}",
            side(1.0),
            side(-1.0)
        );
        for continuous in MODES {
            let mut run =
                Run::new(&Scene { restitution: all(1.0), ..free(&text, continuous) }, kd_tree());
            for _ in 0..60 {
                run.step();
            }
            let speed = run.world.bodies().unwrap().states()[0].velocity.length();
            assert!((speed - 1.7).abs() < 1e-6, "{off}, {continuous:?}: {speed}");
        }
    }
}
