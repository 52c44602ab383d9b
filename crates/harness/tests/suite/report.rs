//! `harness report`: a folder of results as one page.

use crate::commands::harness;
use measure::{BoxesSpec, CaseOptions, Clock, Input, MonotonicClock};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use viewer::measuring::{Job, Measuring, MeasuringState};
use viewer::platform::Platform;

/// A folder with a measured scene and a measured trace, `results/r`.
fn measured() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 60\n#!radius 0.1\n#!speed 2\n#!seed 7\n";
    fs::write(folder.path().join("a<b.scene"), text).unwrap();
    let run = |arguments| harness(folder.path(), arguments).assert().code(0);
    run("record a<b.scene --out t.bpt --frames 4 --quiet");
    run(
        "run a<b.scene t.bpt --objects 20,60 --frames 3 --warmup 1 --repeat 2 --out results/r --quiet",
    );
    folder
}

#[test]
fn page_has_inputs_tables_charts_and_machine() {
    let folder = measured();
    harness(folder.path(), "report results/r")
        .assert()
        .code(0)
        .stdout(contains("results/r/report.html"));
    let page = fs::read_to_string(folder.path().join("results/r/report.html")).unwrap();

    // Names of namespaces are no addresses.
    let without_names = page.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "href=", "url(", "@import", "import(", "<link"] {
        assert!(!without_names.contains(outside), "{outside}");
    }
    assert!(page.contains("a&lt;b.scene") && !page.contains("a<b.scene"));
    assert_eq!(page.matches("<script").count(), 1, "its own, at the end");
    assert!(page.contains("20 objects, seed 7, 1 thread, 3 frames x 2"), "tables");
    assert_eq!(page.matches("<tr class=\"fastest\"").count(), 3, "one for each table");
    for algorithm in broadphase::registry::ALGORITHMS.families() {
        let cell = format!("<th scope=\"row\">{}</th>", algorithm.id);
        assert!(page.contains(&cell), "{}", algorithm.id);
    }
    for caption in
        ["Median time of update", "Mean time of update", "Frames per second", "fast as brute force"]
    {
        assert!(page.contains(caption), "{caption}");
    }
    assert!(page.contains("<th scope=\"row\">compiler</th>"));
    assert!(page.contains("harness run a&lt;b.scene t.bpt"));
}

#[test]
fn the_fastest_row_comes_first() {
    let folder = measured();
    harness(folder.path(), "report results/r").assert().code(0);
    let page = fs::read_to_string(folder.path().join("results/r/report.html")).unwrap();
    let tables: Vec<&str> = page.split("<tbody>").skip(1).collect();
    assert_eq!(tables.len(), 3);
    for table in tables {
        assert!(table.starts_with("<tr class=\"fastest\""), "{}", &table[..80]);
    }
    assert_eq!(page.matches("<th scope=\"col\" aria-sort=\"ascending\">median ms</th>").count(), 3);
}

#[test]
fn cases_that_were_not_measured_are_a_warning() {
    let folder = measured();
    let path = folder.path();
    let warning = "1 of 3 cases are not measured; measure the rest with --resume";
    harness(path, "report results/r").assert().code(0).stderr("");
    // As a kill in the last case leaves it: 60 spheres are the second case.
    let sheet = path.join("results/r/machine.json");
    let text = fs::read_to_string(&sheet).unwrap();
    let lines = text.lines().filter(|line| !line.contains("\"finished\""));
    fs::write(&sheet, lines.collect::<String>()).unwrap();
    for file in ["summary.csv", "frames.csv"] {
        let path = path.join("results/r").join(file);
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.split_inclusive('\n').filter(|line| !line.contains(",t.bpt,"));
        fs::write(&path, lines.collect::<String>()).unwrap();
    }
    for command in ["report results/r --force --quiet", "plot results/r --out f.svg --quiet"] {
        let assert = harness(path, command).assert().code(0);
        assert.stderr(format!("warning: results/r: {warning}\n"));
    }
    let page = fs::read_to_string(path.join("results/r/report.html")).unwrap();
    assert!(
        page.contains(&format!("<p class=\"warning\">Warning: results/r: {warning}")),
        "{page}"
    );
}

/// Leaves the hashes of the tables out, as older versions did.
fn forget_tables(folder: &Path) {
    let path = folder.join("machine.json");
    let mut sheet: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    sheet.as_object_mut().unwrap().remove("tables").unwrap();
    fs::write(path, sheet.to_string()).unwrap();
}

/// The numbers by which the cells of a column are sorted, of the first row of each table.
fn first_numbers(page: &str, column: usize) -> Vec<f64> {
    let number = |row: &str| row.split("data-sort=\"").nth(column)?.split('"').next()?.parse().ok();
    page.split("<tbody>").skip(1).map(|table| number(table).unwrap()).collect()
}

/// Algorithm and mean time in ns of each cell: of three measured frames, twice.
fn means_of_frames(frames: &Path) -> Vec<(String, f64)> {
    let mut times = BTreeMap::<[String; 3], Vec<u64>>::new();
    let mut reader = csv::Reader::from_path(frames).unwrap();
    for row in reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap) {
        if row["phase"] == "measure" {
            let ns = |column: &str| row[column].parse::<u64>().unwrap();
            let cell = ["input", "n", "algorithm"].map(|column| row[column].clone());
            times.entry(cell).or_default().push(ns("update_ns") + ns("pairs_ns"));
        }
    }
    let mean = |([.., algorithm], ns): ([String; 3], Vec<u64>)| {
        assert_eq!(ns.len(), 6, "{algorithm}");
        (algorithm, (ns.iter().sum::<u64>() as f64 / 6.0).round())
    };
    times.into_iter().map(mean).collect()
}

#[test]
fn means_stand_beside_medians_also_of_older_summaries() {
    let folder = measured();
    harness(folder.path(), "report results/r").assert().code(0);
    let page = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let new = page("results/r/report.html");
    let means = first_numbers(&new, 2);
    let expected = means_of_frames(&folder.path().join("results/r/frames.csv"));
    let fastest = new.split("<tr class=\"fastest\" data-name=\"").skip(1);
    let fastest: Vec<&str> = fastest.map(|row| row.split('"').next().unwrap()).collect();
    assert_eq!(
        (fastest.len(), means.len()),
        (3, 3),
        "a table for each input and number of objects"
    );
    for (algorithm, mean) in fastest.into_iter().zip(&means) {
        let own = (algorithm.to_owned(), *mean);
        assert!(expected.contains(&own), "{own:?} is not among {expected:?}");
    }

    // A summary that was written before there was the column `mean_ns`, or one of the nine behind it.
    forget_tables(&folder.path().join("results/r"));
    let summary = folder.path().join("results/r/summary.csv");
    let text = fs::read_to_string(&summary).unwrap();
    let older = text.lines().map(|line| line.rsplitn(11, ',').last().unwrap().to_owned() + "\r\n");
    fs::write(&summary, older.collect::<String>()).unwrap();
    harness(folder.path(), "report results/r --out older.html").assert().code(0);
    assert_eq!(first_numbers(&page("older.html"), 2), means, "from the frames");
    fs::remove_file(folder.path().join("results/r/frames.csv")).unwrap();
    harness(folder.path(), "report results/r --out bare.html").assert().code(0);
    assert!(!page("bare.html").contains("Mean time of update"));
}

#[test]
fn names_cannot_become_markup_script_or_control() {
    let folder = measured();
    let summary = folder.path().join("results/r/summary.csv");
    let frames = folder.path().join("results/r/frames.csv");
    forget_tables(&folder.path().join("results/r"));
    let evil = "\"</script><script>alert(1)</script>'&\u{1b}[2J\u{0}\u{202e}";
    for file in [&summary, &frames] {
        let text = fs::read_to_string(file).unwrap();
        let field = format!("\"{}\"", evil.replace('"', "\"\""));
        fs::write(file, text.replace(",bsp,", &format!(",{field},"))).unwrap();
    }
    harness(folder.path(), "report results/r").assert().code(0);
    let page = fs::read_to_string(folder.path().join("results/r/report.html")).unwrap();
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (1, 1));
    assert!(!page.contains(|c: char| c.is_control() && !"\n\t".contains(c)));
    assert!(!page.contains('\u{202e}'), "it turns the text after it");
    let row = "&quot;&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;'&amp;\\u{1b}[2J\\u{0}";
    assert!(page.contains(&format!("data-name=\"{row}")), "{page}");
}

#[test]
fn rows_without_a_result_are_shown_with_the_reason() {
    let folder = measured();
    forget_tables(&folder.path().join("results/r"));
    let summary = folder.path().join("results/r/summary.csv");
    let text = fs::read_to_string(&summary).unwrap();
    let header = text.lines().next().unwrap();
    // Every column by its name: more of them may come.
    let shown = [
        ("run_id", "x"),
        ("input", "gone"),
        ("n", "9"),
        ("seed", "7"),
        ("algorithm", "bsp"),
        ("threads", "1"),
        ("frames", "3"),
        ("repeats", "2"),
        ("status", "error"),
        ("reason", "its <pairs> differ"),
    ];
    let value = |column: &str| shown.iter().find(|(name, _)| *name == column).map_or("", |t| t.1);
    let row: Vec<&str> = header.split(',').map(value).collect();
    fs::write(&summary, format!("{header}\r\n{}\r\n", row.join(","))).unwrap();
    harness(folder.path(), "report results/r --quiet").assert().code(0).stdout("");
    let page = fs::read_to_string(folder.path().join("results/r/report.html")).unwrap();
    assert!(page.contains("<tr class=\"error\"") && page.contains("its &lt;pairs&gt; differ"));
    assert!(page.contains("there is nothing to draw"));
}

#[test]
fn what_is_missing_or_in_the_way_is_named() {
    let folder = measured();
    let report = "report results/r";
    harness(folder.path(), "report none")
        .assert()
        .code(3)
        .stderr(contains("cannot read none/summary.csv"));
    harness(folder.path(), report).assert().code(0);
    harness(folder.path(), report)
        .assert()
        .code(1)
        .stderr(contains("report.html exists already").and(contains("--force")));
    harness(folder.path(), "report results/r --force").assert().code(0);
    harness(folder.path(), "report results/r --out none/p.html")
        .assert()
        .code(1)
        .stderr(contains("cannot write none/p.html"));
    fs::write(folder.path().join("results/r/machine.json"), "[").unwrap();
    harness(folder.path(), "report results/r --force")
        .assert()
        .code(3)
        .stderr(contains("machine.json: line 1, column 1"));
    fs::write(folder.path().join("results/r/summary.csv"), "a\n1\n").unwrap();
    harness(folder.path(), "report results/r --force")
        .assert()
        .code(3)
        .stderr(contains("summary.csv, line 1: expected the columns"));
}

#[test]
fn window_writes_the_same_page() {
    let folder = tempfile::tempdir().unwrap();
    let spec: BoxesSpec = "gas:50".parse().unwrap();
    let options = CaseOptions { frames: Some(5), ..CaseOptions::default() };
    let job = Job {
        case: Input::boxes(spec).cases(&options).unwrap().remove(0),
        algorithms: broadphase::registry::ALGORITHMS.families().collect(),
        threads: 1,
        parent: folder.path().to_owned(),
        command_line: vec!["viewer".to_owned(), "--boxes".to_owned(), "gas:50".to_owned()],
    };
    let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
    let mut measuring = Measuring::requested(job, clock);
    measuring.begin(Platform::system(clock));
    let since = Instant::now();
    while measuring.is_running() {
        assert!(since.elapsed() < Duration::from_secs(1800));
        std::thread::sleep(Duration::from_millis(5));
    }
    let MeasuringState::Done(ranking) = measuring.state() else { panic!("not done") };
    let of_run = ranking.folder().display().to_string();
    harness(folder.path(), &format!("report '{of_run}'")).assert().code(0);
    let page = fs::read_to_string(ranking.folder().join("report.html")).unwrap();
    assert!(page == ranking.page().unwrap());
}
