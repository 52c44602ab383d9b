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

/// Bounds of a fraction of two whole numbers, however long; `None` for anything else.
fn bounds_of([numerator, denominator]: [&str; 2]) -> Option<[f64; 2]> {
    let is_whole = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = is_whole(numerator.strip_prefix('-').unwrap_or(numerator));
    if !is_number || !is_whole(denominator) {
        return None;
    }
    // Both are divided by the same power of ten, so that neither is infinite.
    let scale = numerator.len().max(denominator.len()).saturating_sub(300);
    let value = |digits: &str| format!("{digits}e-{scale}").parse::<f64>().ok();
    let quotient = value(numerator)? / value(denominator)?;
    // Three roundings, each of half a unit in the last place.
    let error = 4.0 * f64::EPSILON * quotient.abs() + f64::MIN_POSITIVE;
    quotient.is_finite().then_some([quotient - error, quotient + error])
}

/// The bounds of a point, and the truth of its query.
fn point_of(row: &str) -> Option<([DVec3; 2], bool)> {
    let fields: Vec<&str> = row.split(',').collect();
    let &[x0, x1, y0, y1, z0, z1, truth] = &fields[..] else { return None };
    let [x, y, z] = [bounds_of([x0, x1])?, bounds_of([y0, y1])?, bounds_of([z0, z1])?];
    let point = [0, 1].map(|end| DVec3::new(x[end], y[end], z[end]));
    matches!(truth, "0" | "1").then_some((point, truth == "1"))
}

/// Queries, collisions, and false alarms of swept boxes in a file, whose first feature has `first` of the four points.
fn count(name: &str, text: &str, first: usize) -> Result<[usize; 3], String> {
    let rows: Vec<&str> = text.lines().collect();
    let mut counts = [0; 3];
    for (query, rows) in rows.chunks(8).enumerate() {
        let place = |row: usize| format!("{name}, line {}", 8 * query + row + 1);
        let (mut boxes, mut truths) = ([[Aabb::EMPTY]; 2], Vec::new());
        for (at, row) in rows.iter().enumerate() {
            let ([min, max], truth) = point_of(row).ok_or_else(|| {
                let form = "expected x_num,x_den,y_num,y_den,z_num,z_den,truth in whole numbers, truth 0 or 1";
                format!("{}: {form}; found `{row}`", place(at))
            })?;
            let [own] = &mut boxes[usize::from(at % 4 >= first)];
            *own = own.union(&Aabb::from_f64(min, max));
            truths.push(truth);
        }
        let collides = truths[0];
        if truths != [collides; 8] {
            return Err(format!("{}: expected 8 rows with one truth", place(0)));
        }
        let mut pairs = Vec::new();
        join(&boxes[0], &boxes[1], &mut pairs);
        if collides && pairs.is_empty() {
            return Err(format!("{}: the features collide, their swept boxes do not", place(0)));
        }
        counts[0] += 1;
        counts[1] += usize::from(collides);
        counts[2] += usize::from(!collides && !pairs.is_empty());
    }
    Ok(counts)
}

/// Adds the counts of all files in a folder and below it. A file's own folder says which features it has.
fn check_folder(folder: &Path, sums: &mut [[usize; 3]; 2]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            check_folder(&path, sums)?;
            continue;
        }
        let kind = KINDS.iter().position(|kind| folder.ends_with(kind));
        let is_table = path.extension().is_some_and(|extension| extension == "csv");
        if let Some(kind) = kind.filter(|_| is_table) {
            let name = path.display().to_string();
            let text =
                std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
            let found = count(&name, &text, 2 - kind)?;
            (0..3).for_each(|at| sums[kind][at] += found[at]);
        }
    }
    Ok(())
}

/// Eight rows of a vertex that falls from z = 1/3 onto a triangle at rest in z = 0, or passes aside by `x`/4.
fn falling(x: i32, truth: u8) -> String {
    let face = ["0,1,0,1,0,1", "1,1,0,1,0,1", "0,1,1,1,0,1"].map(|at| format!("{at},{truth}\n"));
    let face = face.concat();
    format!("{x},4,1,4,1,3,{truth}\n{face}{x},4,1,4,-1,3,{truth}\n{face}")
}

/// The counts of all queries of a folder, which has both kinds.
fn check(folder: &Path) -> Result<[[usize; 3]; 2], String> {
    let mut sums = [[0; 3]; 2];
    check_folder(folder, &mut sums)?;
    for (name, [queries, ..]) in KINDS.iter().zip(sums) {
        if queries == 0 {
            let place = folder.display();
            return Err(format!("expected {name}/*.csv in {place} or below it, found none"));
        }
    }
    Ok(sums)
}

#[test]
fn swept_boxes_lose_no_collision_of_the_queries() {
    let folder = tempfile::tempdir().unwrap();
    let own = |kind: &str| folder.path().join("scene").join(kind);
    std::fs::create_dir_all(own("vertex-face")).unwrap();
    // A collision, one aside but in the box of the triangle, and one outside of it.
    let rows = falling(1, 1) + &falling(4, 0) + &falling(5, 0);
    std::fs::write(own("vertex-face").join("a.csv"), rows).unwrap();
    let error = check(folder.path()).unwrap_err();
    assert!(error.starts_with("expected edge-edge/*.csv in "), "{error}");
    // As two edges, of which the first one moves with one point.
    std::fs::create_dir_all(own("edge-edge")).unwrap();
    std::fs::write(own("edge-edge").join("a.csv"), falling(5, 0)).unwrap();
    assert_eq!(check(folder.path()), Ok([[1, 0, 1], [3, 1, 1]]));
    let lost = count("a", &(falling(1, 1) + &falling(5, 1)), 1).unwrap_err();
    assert_eq!(lost, "a, line 9: the features collide, their swept boxes do not");

    // The queries of the benchmark, where a folder has them.
    let Some(given) = std::env::var_os("SAMPLE_QUERIES") else { return };
    let sums = check(Path::new(&given)).unwrap();
    for (name, [queries, collisions, alarms]) in KINDS.iter().zip(sums) {
        println!("{name}: {queries} queries, {collisions} collisions, {alarms} false alarms");
    }
    println!("queries in all: {}", sums[0][0] + sums[1][0]);
}

#[test]
fn fractions_are_bounded_however_long_they_are() {
    let zeros = "0".repeat(400);
    let (long, longer) = (format!("2{zeros}"), format!("5{zeros}0"));
    for (numerator, denominator, value) in [
        ("1", "3", 1.0 / 3.0),
        ("-8", "36028797018963968", -(2f64.powi(-52))),
        (&longer, &long, 25.0),
    ] {
        let [low, high] = bounds_of([numerator, denominator]).unwrap();
        assert!(low < value && value < high && high - low < 1e-14 * value.abs(), "{value}");
    }
}

#[test]
fn wrong_rows_are_refused_with_their_place() {
    let good = "1,2,1,2,1,2,1\n";
    for row in [
        "1,2,1,2,1,2",
        "1,0,1,2,1,2,1",
        "1,-2,1,2,1,2,1",
        ",2,1,2,1,2,1",
        "0.5,1,1,2,1,2,1",
        "1,2,1,2,1,2,yes",
    ] {
        let error = count("f.csv", &format!("{good}{row}\n"), 2).unwrap_err();
        assert!(error.starts_with("f.csv, line 2: expected x_num,x_den,"), "{error}");
        assert!(error.ends_with(&format!("found `{row}`")), "{error}");
    }
    for (text, line) in [(good.repeat(10), 9), (good.repeat(7) + "1,2,1,2,1,2,0\n", 1)] {
        let error = count("f.csv", &text, 2).unwrap_err();
        assert_eq!(error, format!("f.csv, line {line}: expected 8 rows with one truth"));
    }
}
