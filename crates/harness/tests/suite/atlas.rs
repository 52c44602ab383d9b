//! `harness atlas`: measured, resumed, redrawn and put together of shards, on small cells.

use crate::commands::{Folder, Row, assert_has};

/// The columns that distinguish the rows of cells, without second measurements: which champion is measured
/// twice, and which is too slow, depends on times.
fn measured(folder: &Folder, names: &[&str]) -> Vec<[String; 3]> {
    let all = names.iter().flat_map(|name| folder.rows(&format!("{name}/atlas/cells/atlas.csv")));
    let first = all.filter(|row| row["again"] == "false");
    let name = |row: Row| ["cell", "input", "algorithm"].map(|column| row[column].clone());
    let mut names: Vec<[String; 3]> = first.map(name).collect();
    names.sort();
    names
}

/// Spoils the page, and asserts that it is drawn again from its rows.
fn assert_redrawn(folder: &Folder, name: &str) {
    let file = format!("{name}/atlas.md");
    let page = folder.read(&file);
    folder.write(&file, "spoilt");
    assert_eq!(folder.runs(format!("atlas --redraw {name} --quiet")), "");
    assert_eq!(folder.read(&file), page);
}

#[test]
fn cells_are_measured_and_redrawn_from_their_rows() {
    let folder = Folder::new();
    let command = "atlas --seed 5 --cells 2 --objects-up-to 400 --repeat 2 --out here";
    folder.prints(command, &["On 2 of 2 cells of seed 5, 1 thread", "here/atlas.md"]);
    let rows = folder.rows("here/atlas/cells/atlas.csv");
    // Five champions and one of them again, on one and two threads.
    assert_eq!(rows.len(), 2 * 2 * 6);
    for cell in rows.chunk_by(|a, b| a["cell"] == b["cell"]) {
        assert_eq!(cell.iter().filter(|row| row["again"] == "true").count(), 2, "{cell:?}");
        let (ok, slow): (Vec<&Row>, Vec<&Row>) = cell.iter().partition(|row| row["status"] == "ok");
        assert!(slow.iter().all(|row| row["reason"].starts_with("too slow")), "{cell:?}");
        let is_same = |row: &&Row| row["checksum"] == ok[0]["checksum"];
        assert!(ok.iter().all(|row| is_same(row) && !row["mean_ns"].is_empty()), "{cell:?}");
        let n: u64 = cell[0]["n"].parse().unwrap();
        assert!(cell[0]["input"].starts_with("atlas:5:") && (200..=400).contains(&n), "{cell:?}");
    }
    assert_redrawn(&folder, "here");
    folder.refuses(1, command, "atlas.csv exists already");
    folder.runs(format!("{command} --resume --quiet"));
    let again = folder.rows("here/atlas/cells/atlas.csv");
    assert_eq!(again, rows, "finished cells are not measured again");
}

#[test]
fn shards_together_are_the_whole_plan() {
    let folder = Folder::new();
    let small = "atlas --seed 5 --objects-up-to 400 --repeat 1 --threads 1 --cells 3 --quiet";
    folder.runs(format!("{small} --out whole"));
    for shard in 1..=2 {
        folder.runs(format!("{small} --shard {shard}/2 --out s{shard}"));
        assert!(!folder.has(&format!("s{shard}/atlas.md")), "the page is of all shards");
    }
    let whole = measured(&folder, &["whole"]);
    assert_eq!(measured(&folder, &["s2", "s1"]), whole);
    assert_eq!(measured(&folder, &["s2"]).len(), 5, "one cell of three");

    folder.runs("atlas --redraw s2 s1 --out all");
    assert_eq!(measured(&folder, &["all"]), whole);
    let more = [1, 2].map(|shard| format!("[more](atlas/cells/shard-{shard}/machine.json)"));
    assert_has(&folder.read("all/atlas.md"), &["On 3 of 3 cells of seed 5", &more[0], &more[1]]);
    assert_redrawn(&folder, "all");

    for (folders, code, reason) in [
        ("s1", 3, "s1/atlas/cells is shard 1/2, but of its plan 2/2 is missing"),
        ("s1 s2", 2, "--out DIR is needed"),
        ("s1 s2 --out s2", 2, "is one of the folders that are read"),
        ("s1 s2 --out all", 1, "atlas.md exists already"),
        ("none", 3, "cannot read none/atlas/cells/machine.json"),
    ] {
        folder.refuses(code, format!("atlas --redraw {folders}"), reason);
    }
    // An atlas that was killed, or is being measured: it has files, but no page.
    let left = "left/atlas/cells/unfinished/case-00000001.json";
    folder.write(left, "{}");
    folder.refuses(1, "atlas --redraw s1 s2 --out left", "exists already");
    assert!(folder.has(left) && !folder.has("left/atlas.md"));
    folder.runs("atlas --redraw s1 s2 --out left --force --quiet");
    assert_eq!(measured(&folder, &["left"]), whole);
}

#[test]
fn traces_are_measured_instead_of_cells() {
    let folder = Folder::new();
    folder.write("other/x", "");
    for (boxes, file) in
        [("gas:200", "gas.bpt"), ("jitter:300", "still.bpt"), ("gas:50", "other/gas.bpt")]
    {
        folder.runs(format!("record --boxes {boxes} --frames 8 --out {file}"));
    }
    let command = "atlas --trace gas.bpt still.bpt --repeat 1 --threads 1 --out here";
    folder.prints(command, &["On 2 traces, 1 thread: `auto` takes "]);
    let rows = folder.rows("here/atlas/traces/traces.csv");
    let columns = |at: usize| ["input", "n", "description", "frames"].map(|c| &*rows[at][c]);
    assert_eq!(rows.len(), 2 * 6, "five champions, and one of them again");
    assert_eq!(columns(0), ["gas", "200", "gas.bpt", "8"]);
    assert_eq!(columns(6), ["still", "300", "still.bpt", "8"]);
    assert_redrawn(&folder, "here");
    let same = "atlas --trace gas.bpt other/gas.bpt --out no";
    folder.refuses(2, same, "another trace is called `gas`");
    assert!(!folder.has("no"));
}
