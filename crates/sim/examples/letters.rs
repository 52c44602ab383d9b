//! Prints `scenes/fer.scene`: letters in a pixel font, outlined by obstacles, with a source in each letter's
//! stem.
//!
//! ```text
//! cargo run -p sim --example letters > scenes/fer.scene
//! ```

use broadphase::Axis;
use glam::Vec3;

/// Five columns, seven rows from the top. Every lit cell shares a side with another: objects cannot pass
/// between cells that meet only at a corner, so the leg of the R is two cells wide.
const LETTERS: [(&str, [&str; 7]); 3] = [
    ("F", ["#####", "#....", "#....", "####.", "#....", "#....", "#...."]),
    ("E", ["#####", "#....", "#....", "####.", "#....", "#....", "#####"]),
    ("R", ["####.", "#..##", "#...#", "#..##", "####.", "#.##.", "#..##"]),
];

const COLUMNS: i32 = 5;
const ROWS: i32 = 7;
/// Width, depth and height of a cell.
const CELL: Vec3 = Vec3::new(0.11, 0.2, 0.2);
/// Columns from the start of one letter to the start of the next.
const ADVANCE: i32 = COLUMNS + 1;

fn main() {
    let columns = ADVANCE * LETTERS.len() as i32 - 1;
    // The word is centred on the origin, in the x-z plane.
    let origin = -Vec3::new(columns as f32, 1.0, ROWS as f32) * CELL / 2.0;
    println!(
        "# FER: the objects start in the stems of three letters. After two seconds the three\n\
         # sources are deleted, and the objects flow through the letters that the obstacles outline.\n\
         # Made by: cargo run -p sim --example letters\n\
         #!objects 3000\n#!radius 0.012\n#!speed 0.5\n#!camera -7 10 3.8\n\
         #!event 2 remove-source 2\n#!event 2 remove-source 3\n#!event 2 remove-source 4\n\n\
         # The cube that holds everything.\ns 1\ni -1 -1 -1  2 2 2  0 t"
    );
    for (index, (name, _)) in LETTERS.iter().enumerate() {
        let corner = origin + Vec3::X * (ADVANCE * index as i32) as f32 * CELL;
        let size = CELL * Vec3::new(1.0, 1.0, ROWS as f32);
        let share = if index == 2 { 33.4 } else { 33.3 };
        println!("\n# The stem of the {name}.");
        println!("i {}  {}  {share} t", triple(corner), triple(size));
    }
    for (index, (name, rows)) in LETTERS.iter().enumerate() {
        println!("\n# The walls of the {name}.");
        let origin = origin + Vec3::X * (ADVANCE * index as i32) as f32 * CELL;
        let letter = Letter { rows, origin };
        letter.print_faces();
        letter.print_sides();
    }
}

struct Letter<'a> {
    rows: &'a [&'a str; 7],
    origin: Vec3,
}

impl Letter<'_> {
    /// Whether a cell is lit; row 0 is the lowest.
    fn lit(&self, column: i32, row: i32) -> bool {
        let inside = (0..COLUMNS).contains(&column) && (0..ROWS).contains(&row);
        inside && self.rows[(ROWS - 1 - row) as usize].as_bytes()[column as usize] == b'#'
    }

    /// Front and back: one rectangle for each run of lit cells in a row, as high as the rows that
    /// have the same run.
    fn print_faces(&self) {
        let runs: Vec<_> =
            (0..ROWS).map(|row| runs(COLUMNS, |column| self.lit(column, row))).collect();
        for (row, here) in runs.iter().enumerate() {
            for run in here {
                if row > 0 && runs[row - 1].contains(run) {
                    continue;
                }
                let height = runs[row..].iter().take_while(|r| r.contains(run)).count();
                for depth in 0..2 {
                    let at = [run.0, depth, row as i32];
                    self.print(at, [run.1 - run.0, 0, height as i32], Axis::Y);
                }
            }
        }
    }

    /// A wall on every border between a lit and an unlit cell, as long as the border is straight.
    fn print_sides(&self) {
        for column in 0..=COLUMNS {
            let border = |row| self.lit(column - 1, row) != self.lit(column, row);
            for (from, to) in runs(ROWS, border) {
                self.print([column, 0, from], [0, 1, to - from], Axis::X);
            }
        }
        for row in 0..=ROWS {
            let border = |column| self.lit(column, row - 1) != self.lit(column, row);
            for (from, to) in runs(COLUMNS, border) {
                self.print([from, 0, row], [to - from, 1, 0], Axis::Z);
            }
        }
    }

    fn print(&self, at: [i32; 3], cells: [i32; 3], normal: Axis) {
        let scale = |cells: [i32; 3]| Vec3::from(cells.map(|c| c as f32)) * CELL;
        let letter = normal.name();
        println!("p {}  {}  {letter}", triple(self.origin + scale(at)), triple(scale(cells)));
    }
}

/// The runs `(start, end)` of numbers below `n` for which `on` holds.
fn runs(n: i32, on: impl Fn(i32) -> bool) -> Vec<(i32, i32)> {
    let mut runs: Vec<(i32, i32)> = Vec::new();
    for i in (0..n).filter(|i| on(*i)) {
        match runs.last_mut() {
            Some(last) if last.1 == i => last.1 = i + 1,
            _ => runs.push((i, i + 1)),
        }
    }
    runs
}

/// Three numbers, to a thousandth.
fn triple(v: Vec3) -> String {
    let [x, y, z] = v.to_array().map(|c| (f64::from(c) * 1e3).round() / 1e3 + 0.0);
    format!("{x} {y} {z}")
}
