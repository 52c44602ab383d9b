//! `harness report`: a folder of results as one page.

use crate::commands::{harness, refused};
use predicates::str::contains;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A folder with a measured scene and a measured trace, `results/r`.
struct Measured(TempDir);

impl Measured {
    /// A copy of results that are measured once.
    fn new() -> Self {
        static ONCE: LazyLock<Measured> = LazyLock::new(Measured::measure);
        let copy = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(copy.file("")).unwrap();
        for name in ["frames.csv", "summary.csv", "machine.json"] {
            fs::copy(ONCE.file(name), copy.file(name)).unwrap();
        }
        copy
    }

    fn measure() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 60\n#!radius 0.1\n#!speed 2\n#!seed 7\n";
        fs::write(folder.path().join("a<b.scene"), text).unwrap();
        let measured = Self(folder);
        measured.succeeds("record a<b.scene --out t.bpt --frames 4 --quiet");
        let run = "run a<b.scene t.bpt --objects 20,60 --frames 3 --warmup 1 --repeat 2";
        measured.succeeds(&format!("{run} --out results/r --quiet"));
        measured
    }

    fn succeeds(&self, command: &str) -> assert_cmd::assert::Assert {
        harness(self.0.path(), command).assert().code(0)
    }

    #[track_caller]
    fn fails(&self, command: &str, code: i32, reason: &str) {
        refused(self.0.path(), command, code, reason);
    }

    /// A file of the results.
    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join("results/r").join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    /// The page of the results.
    fn page(&self) -> String {
        self.succeeds("report results/r --force");
        self.read("report.html")
    }

    /// Leaves the hashes of the tables out, as older versions did.
    fn forget_tables(&self) {
        let path = self.file("machine.json");
        let mut sheet: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        sheet.as_object_mut().unwrap().remove("tables").unwrap();
        fs::write(path, sheet.to_string()).unwrap();
    }
}

#[test]
fn page_has_inputs_tables_charts_and_machine() {
    let measured = Measured::new();
    measured.succeeds("report results/r").stdout(contains("results/r/report.html"));
    let page = measured.read("report.html");

    // Names of namespaces are no addresses.
    let without_names = page.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "href=", "url(", "@import", "import(", "<link"] {
        assert!(!without_names.contains(outside), "{outside}");
    }
    assert!(page.contains("a&lt;b.scene") && !page.contains("a<b.scene"));
    assert_eq!(page.matches("<script").count(), 1, "its own, at the end");
    for text in [
        "n = 20, seed 7, 1 thread, 3 frames x 2",
        "Mean time of update",
        "Frames per second",
        "fast as brute force",
        "<th scope=\"row\">compiler</th>",
        "harness run a&lt;b.scene t.bpt",
    ] {
        assert!(page.contains(text), "{text}");
    }
    for algorithm in broadphase::registry::ALGORITHMS.families() {
        let cell = format!("<th scope=\"row\">{}</th>", algorithm.id);
        assert!(page.contains(&cell), "{}", algorithm.id);
    }
    let tables: Vec<&str> = page.split("<tbody>").skip(1).collect();
    assert_eq!(tables.len(), 3);
    for table in tables {
        let first = "<tr class=\"fastest\"";
        assert!(table.starts_with(first) && table.matches(first).count() == 1, "{}", &table[..80]);
    }
    assert_eq!(page.matches("<th scope=\"col\" aria-sort=\"ascending\">median ms</th>").count(), 3);
}

#[test]
fn cases_that_were_not_measured_are_a_warning() {
    let measured = Measured::new();
    let warning = "1 of 3 cases are not measured; measure the rest with --resume";
    measured.succeeds("report results/r").stderr("");
    // As a kill in the last case leaves it: 60 spheres are the second case.
    for (file, left_out) in
        [("machine.json", "\"finished\""), ("summary.csv", ",t.bpt,"), ("frames.csv", ",t.bpt,")]
    {
        let text = measured.read(file);
        let lines = text.split_inclusive('\n').filter(|line| !line.contains(left_out));
        let text = lines.collect::<String>();
        let text = if file == "machine.json" { text.replace(['\r', '\n'], "") } else { text };
        fs::write(measured.file(file), text).unwrap();
    }
    for command in ["report results/r --force --quiet", "plot results/r --out f.svg --quiet"] {
        measured.succeeds(command).stderr(format!("warning: results/r: {warning}\n"));
    }
    let page = measured.read("report.html");
    let shown = format!("<p class=\"warning\">Warning: results/r: {warning}");
    assert!(page.contains(&shown), "{page}");
}

#[test]
fn names_cannot_become_markup_script_or_control() {
    let measured = Measured::new();
    measured.forget_tables();
    let evil = "\"</script><script>alert(1)</script>'&\u{1b}[2J\u{0}\u{202e}";
    for file in ["summary.csv", "frames.csv"] {
        let field = format!(",\"{}\",", evil.replace('"', "\"\""));
        fs::write(measured.file(file), measured.read(file).replace(",bsp,", &field)).unwrap();
    }
    let page = measured.page();
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (1, 1));
    assert!(!page.contains(|c: char| c.is_control() && !"\n\t".contains(c)));
    assert!(!page.contains('\u{202e}'), "it turns the text after it");
    let row = "&quot;&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;'&amp;\\u{1b}[2J\\u{0}";
    assert!(page.contains(&format!("data-name=\"{row}")), "{page}");
}

#[test]
fn what_is_missing_or_in_the_way_is_named() {
    let measured = Measured::new();
    measured.fails("report none", 3, "cannot read none/summary.csv");
    measured.page();
    measured.fails("report results/r", 1, "report.html exists already");
    fs::write(measured.file("summary.csv"), "a\n1\n").unwrap();
    measured.fails("report results/r --force", 3, "summary.csv, line 1: expected the columns");
}
