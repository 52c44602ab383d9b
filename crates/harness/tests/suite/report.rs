//! `harness report`: a folder of results as one page.

use crate::commands::{Folder, assert_has};
use std::fs;
use std::sync::LazyLock;

/// A copy of a folder with a measured scene and a measured trace, `results/r`, which are measured once.
fn measured() -> Folder {
    static ONCE: LazyLock<Folder> = LazyLock::new(|| {
        let folder = Folder::tiny();
        fs::rename(folder.at("tiny.scene"), folder.at("a<b.scene")).unwrap();
        folder.runs("record a<b.scene --out t.bpt --frames 4 --quiet");
        let run = "run a<b.scene t.bpt --objects 20,60 --frames 3 --warmup 1 --repeat 2";
        folder.runs(format!("{run} --out results/r --quiet"));
        folder
    });
    let copy = Folder::new();
    for name in
        ["frames.csv", "summary.csv", "machine.json"].map(|name| format!("results/r/{name}"))
    {
        copy.write(&name, ONCE.read(&name));
    }
    copy
}

/// Changes a file of the results, whose hash is left out, as older versions did.
fn change(folder: &Folder, name: &str, change: impl FnOnce(String) -> String) {
    let machine = folder.read("results/r/machine.json");
    folder.write("results/r/machine.json", machine.replace("\"tables\"", "\"former\""));
    let name = format!("results/r/{name}");
    folder.write(&name, change(folder.read(&name)));
}

#[test]
fn page_has_inputs_tables_charts_and_machine() {
    let folder = measured();
    folder.prints("report results/r", &["results/r/report.html"]);
    let page = folder.read("results/r/report.html");

    // Names of namespaces are no addresses.
    let without_names = page.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "href=", "url(", "@import", "import(", "<link"] {
        assert!(!without_names.contains(outside), "{outside}");
    }
    assert!(page.contains("a&lt;b.scene") && !page.contains("a<b.scene"));
    assert_eq!(page.matches("<script").count(), 1, "its own, at the end");
    let texts = [
        "n = 20, seed 7, 1 thread, 3 frames x 2",
        "Mean time of update",
        "Frames per second",
        "fast as brute force",
        "<th scope=\"row\">compiler</th>",
        "harness run a&lt;b.scene t.bpt",
    ];
    assert_has(&page, &texts);
    for algorithm in broadphase::registry::ALGORITHMS.families() {
        assert_has(&page, &[&format!("<th scope=\"row\">{}</th>", algorithm.id)]);
    }
    let tables: Vec<&str> = page.split("<tbody>").skip(1).collect();
    assert_eq!(tables.len(), 3);
    for table in tables {
        let first = "<tr class=\"fastest\"";
        assert!(table.starts_with(first) && table.matches(first).count() == 1, "{}", &table[..80]);
    }
    assert_eq!(page.matches("<th scope=\"col\" aria-sort=\"ascending\">median ms</th>").count(), 3);
    folder.refuses(1, "report results/r", "report.html exists already");
}

#[test]
fn cases_that_were_not_measured_are_a_warning() {
    let folder = measured();
    let warning = "1 of 3 cases are not measured; measure the rest with --resume";
    assert_eq!(folder.ends(0, "report results/r")[1], "");
    // As a kill in the last case leaves it: 60 spheres are the second case.
    for (file, left_out) in
        [("machine.json", "\"finished\""), ("summary.csv", ",t.bpt,"), ("frames.csv", ",t.bpt,")]
    {
        change(&folder, file, |text| {
            text.split_inclusive('\n').filter(|line| !line.contains(left_out)).collect()
        });
    }
    for command in ["report results/r --force --quiet", "plot results/r --out f.svg --quiet"] {
        let [_, reported] = folder.ends(0, command);
        assert_eq!(reported, format!("warning: results/r: {warning}\n"));
    }
    let shown = format!("<p class=\"warning\">Warning: results/r: {warning}");
    assert_has(&folder.read("results/r/report.html"), &[&shown]);
}

#[test]
fn names_cannot_become_markup_script_or_control() {
    let folder = measured();
    let evil = "\"</script><script>alert(1)</script>'&\u{1b}[2J\u{0}\u{202e}";
    for file in ["summary.csv", "frames.csv"] {
        let field = format!(",\"{}\",", evil.replace('"', "\"\""));
        change(&folder, file, |text| text.replace(",bsp,", &field));
    }
    folder.runs("report results/r");
    let page = folder.read("results/r/report.html");
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (1, 1));
    assert!(!page.contains(|c: char| c.is_control() && !"\n\t".contains(c)));
    assert!(!page.contains('\u{202e}'), "it turns the text after it");
    let row = "&quot;&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;'&amp;\\u{1b}[2J\\u{0}";
    assert_has(&page, &[&format!("data-name=\"{row}")]);

    folder.refuses(3, "report none", "cannot read none/summary.csv");
    change(&folder, "summary.csv", |_| "a\n1\n".to_owned());
    let reason = "summary.csv, line 1: expected the columns";
    folder.refuses(3, "report results/r --force", reason);
}
