//! The sample queries of the continuous-collision benchmark: no collision of two features may be lost by their swept boxes.
//!
//! A query is a vertex and a face, or two edges, whose points move along lines of their own. Its eight rows have four points
//! at the start and the same four at the end, as `x_num,x_den,y_num,y_den,z_num,z_den,truth`. Triangles deform, so that no
//! time of impact of rigid bodies applies.

use broadphase::{Aabb, join};
use glam::DVec3;
use std::path::Path;

/// Folders of queries. The first feature has 2 points in `edge-edge`, 1 in `vertex-face`.
const KINDS: [&str; 2] = ["edge-edge", "vertex-face"];

/// Bounds of a fraction of two whole numbers, however long.
fn bounds_of([numerator, denominator]: [&str; 2]) -> [f64; 2] {
    // Both are divided by the same power of ten, so that neither is infinite.
    let scale = numerator.len().max(denominator.len()).saturating_sub(300);
    let value = |digits: &str| format!("{digits}e-{scale}").parse::<f64>().unwrap();
    let quotient = value(numerator) / value(denominator);
    // Three roundings, each of half a unit in the last place.
    let error = 4.0 * f64::EPSILON * quotient.abs() + f64::MIN_POSITIVE;
    [quotient - error, quotient + error]
}

/// The bounds of a point, and the truth of its query.
fn point_of(row: &str) -> ([DVec3; 2], bool) {
    let fields: Vec<&str> = row.split(',').collect();
    let &[x0, x1, y0, y1, z0, z1, truth] = &fields[..] else { panic!("no row of seven: `{row}`") };
    let [x, y, z] = [[x0, x1], [y0, y1], [z0, z1]].map(bounds_of);
    ([0, 1].map(|end| DVec3::new(x[end], y[end], z[end])), truth == "1")
}

/// Queries, collisions, and false alarms of swept boxes in a file, whose first feature has `first` of the four points.
fn count(name: &str, text: &str, first: usize) -> [usize; 3] {
    let rows: Vec<&str> = text.lines().collect();
    let mut counts = [0; 3];
    for (query, rows) in rows.chunks(8).enumerate() {
        let place = format!("{name}, line {}", 8 * query + 1);
        let (mut boxes, mut truths) = ([[Aabb::EMPTY]; 2], Vec::new());
        for (at, row) in rows.iter().enumerate() {
            let ([min, max], truth) = point_of(row);
            let [own] = &mut boxes[usize::from(at % 4 >= first)];
            *own = own.union(&Aabb::from_f64(min, max));
            truths.push(truth);
        }
        let collides = truths[0];
        assert_eq!(truths, [collides; 8], "{place}: 8 rows have one truth");
        let mut pairs = Vec::new();
        join(&boxes[0], &boxes[1], &mut pairs);
        assert!(!collides || !pairs.is_empty(), "{place}: they collide, their swept boxes do not");
        counts[0] += 1;
        counts[1] += usize::from(collides);
        counts[2] += usize::from(!collides && !pairs.is_empty());
    }
    counts
}

/// Adds the counts of all files in a folder and below it. A file's own folder says which features it has.
fn check_folder(folder: &Path, sums: &mut [[usize; 3]; 2]) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            check_folder(&path, sums);
        } else if let Some(kind) = KINDS.iter().position(|kind| folder.ends_with(kind))
            && path.extension().is_some_and(|extension| extension == "csv")
        {
            let text = std::fs::read_to_string(&path).unwrap();
            let found = count(&path.display().to_string(), &text, 2 - kind);
            (0..3).for_each(|at| sums[kind][at] += found[at]);
        }
    }
}

/// Eight rows of a vertex that falls from z = 1/3 onto a triangle at rest in z = 0, or passes aside by `x`/4.
fn falling(x: i32, truth: u8) -> String {
    let face = ["0,1,0,1,0,1", "1,1,0,1,0,1", "0,1,1,1,0,1"].map(|at| format!("{at},{truth}\n"));
    let face = face.concat();
    format!("{x},4,1,4,1,3,{truth}\n{face}{x},4,1,4,-1,3,{truth}\n{face}")
}

#[test]
fn swept_boxes_lose_no_collision_of_the_queries() {
    // A collision, one aside but in the box of the triangle, and one outside of it.
    let rows = falling(1, 1) + &falling(4, 0) + &falling(5, 0);
    assert_eq!(count("own", &rows, 1), [3, 1, 1]);
    // As two edges, of which the first one moves with one point.
    assert_eq!(count("own", &falling(5, 0), 2), [1, 0, 1]);
    let lost = std::panic::catch_unwind(|| count("own", &falling(5, 1), 1));
    assert!(lost.is_err(), "a lost collision is not seen");

    // The queries of the benchmark, where a folder has them.
    let Some(given) = std::env::var_os("SAMPLE_QUERIES") else { return };
    let mut sums = [[0; 3]; 2];
    check_folder(Path::new(&given), &mut sums);
    for (name, [queries, collisions, alarms]) in KINDS.iter().zip(sums) {
        println!("{name}: {queries} queries, {collisions} collisions, {alarms} false alarms");
    }
    println!("queries in all: {}", sums[0][0] + sums[1][0]);
}
