//! `run --shard`: a plan that several processes measure, with its page and figures.

use crate::commands::{Folder, Row, assert_has};

/// Four cases, two algorithms.
const PLAN: &str = "run --boxes gas:30,gas:60,plane:40,line:50 --algorithms brute-force,bsp \
                    --frames 3 --repeat 1 --threads 1,2 --quiet";

/// The columns that distinguish the rows of a summary, and their checksums.
fn rows(folder: &Folder, names: &[&str]) -> Vec<String> {
    let columns = ["input", "n", "seed", "algorithm", "threads", "checksum", "status"];
    let all = names.iter().flat_map(|name| folder.rows(&format!("{name}/summary.csv")));
    let mut rows: Vec<String> =
        all.map(|row: Row| columns.map(|column| row[column].clone()).join(" ")).collect();
    rows.sort();
    rows
}

#[test]
fn shards_together_are_the_whole_plan() {
    let folder = Folder::new();
    folder.runs(format!("{PLAN} --out whole"));
    for shard in 1..=3 {
        folder.runs(format!("{PLAN} --shard {shard}/3 --out s{shard}"));
    }
    assert_eq!(rows(&folder, &["s1", "s2", "s3"]), rows(&folder, &["whole"]));
    assert_eq!(rows(&folder, &["s1"]).len(), 2 * 4, "cases 0 and 3");
    let own = rows(&folder, &["s2"]);
    assert_eq!(own.len(), 4, "all algorithms and threads of a case stay together");

    folder.runs("report s3 s1 s2 --out page.html");
    let texts = ["gas: n = 30,", "plane: n = 40,", "line: n = 50,", "<h2>Machines</h2>"];
    assert_has(&folder.read("page.html"), &texts);
    folder.prints("plot s1 s2 s3 --figures time --out t.svg", &["t-gas.svg", "t-line.svg"]);

    folder.refuses(2, "report s1 s2 s3", "--out F.html");
    folder.refuses(2, "plot s1 t-gas.svg --out p.svg", "give either files or folders");
    for command in ["report --out p.html s1", "plot --out p.svg s1"] {
        let reason = "s1 is shard 1/3, but of its plan 2/3, 3/3 are missing";
        folder.refuses(3, command, reason);
    }
    assert!(!folder.has("p.svg") && !folder.has("p.html"));
}
