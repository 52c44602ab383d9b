//! Times of impact in `harness bodies`, and continuous scenes in other commands.

use super::bodies::{SHORT, stages, with_bodies};
use super::harness;
use measure::{Stage, StageRow, SummaryFile};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::Path;

#[test]
fn impacts_of_pairs_in_motion_are_measured_drawn_and_compared() {
    let folder = with_bodies();
    let few = "--narrow gjk --volumes none --impacts discrete --quiet";
    let command = format!(
        "bodies --pairs box,box:40 --motion 0.25,2 --resting --contact approximate {few} {SHORT}"
    );
    for out in ["a", "b"] {
        harness(folder.path(), &format!("{command} --out {out}")).assert().code(0);
    }
    let rows = stages(&folder.path().join("a"));
    let impacts: Vec<&StageRow> = rows.iter().filter(|row| row.stage == Stage::Impact).collect();
    let contacts = rows.iter().filter(|row| row.stage == Stage::Contact);
    let contacts: Vec<&str> = contacts.map(|row| row.method.as_str()).collect();
    assert_eq!(contacts, ["clip", "exact", "approximate"].repeat(2));
    let cases: Vec<_> = impacts.iter().map(|row| (row.input.as_str(), row.speed)).collect();
    let name = |speed| format!("box,box:uniform@motion={speed},resting");
    assert_eq!(cases, [(name("0.25").as_str(), Some(0.25)), (name("2").as_str(), Some(2.0))]);
    assert!(impacts[1].missed > impacts[0].missed, "{impacts:?}");

    let compare = "compare a/stages.csv b/stages.csv --quiet";
    harness(folder.path(), compare).assert().code(0);
    harness(folder.path(), &format!("{command} --resume --out a")).assert().code(0);
    let other = command.replace("--motion 0.25,2", "--motion 0.25,4");
    harness(folder.path(), &format!("{other} --resume --out a")).assert().code(1);
    harness(folder.path(), "plot a --figures stages,impacts --out f.svg").assert().code(0);
    let drawn = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
    let drawn: Vec<String> = drawn.map(|name| name.to_string_lossy().into_owned()).collect();
    let of_faults =
        drawn.iter().filter(|name| name.starts_with("f-impacts") && name.ends_with("svg"));
    assert_eq!(of_faults.count(), 2, "{drawn:?}");
    harness(folder.path(), "report a").assert().code(0);
    let page = fs::read_to_string(folder.path().join("a/report.html")).unwrap();
    assert!(page.contains(">impact</th>") && page.contains("largest error"), "{page}");

    // Another right answer is a disagreement, fewer misses are none.
    let text = fs::read_to_string(folder.path().join("b/stages.csv")).unwrap();
    let change = |text: &str, by: [u64; 2]| -> String {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in reader.deserialize() {
            let mut row: StageRow = row.unwrap();
            if row.stage == Stage::Impact {
                row.passed = row.passed.map(|passed| passed + by[0]);
                row.missed = row.missed.map(|missed| missed - by[1]);
            }
            writer.serialize(row).unwrap();
        }
        String::from_utf8(writer.into_inner().unwrap()).unwrap()
    };
    for (by, code) in [([1, 1], 0), ([1, 0], 4)] {
        fs::create_dir_all(folder.path().join("c")).unwrap();
        fs::write(folder.path().join("c/stages.csv"), change(&text, by)).unwrap();
        harness(folder.path(), "compare b/stages.csv c/stages.csv --quiet").assert().code(code);
    }
}

/// `dice.scene`, of which all bodies collide within steps.
fn continuous(folder: &Path) {
    let text = fs::read_to_string(folder.join("dice.scene")).unwrap();
    fs::write(folder.join("steps.scene"), text + "#!continuous all\n").unwrap();
}

#[test]
fn rows_of_continuous_scenes_name_the_rule() {
    let folder = with_bodies();
    continuous(folder.path());
    let run = "run steps.scene dice.scene --algorithms bsp --frames 2 --repeat 1 --quiet --out run";
    harness(folder.path(), run).assert().code(0);
    let summary = SummaryFile::read(&folder.path().join("run")).unwrap();
    let rules: Vec<&str> = summary.rows.iter().map(|row| row.continuous.as_str()).collect();
    assert_eq!(rules, ["all", ""]);
    let few = "--narrow gjk --volumes none --impacts all --quiet";
    let command = format!("bodies steps.scene {few} {SHORT} --out stages");
    harness(folder.path(), &command).assert().code(0);
    let rows = stages(&folder.path().join("stages"));
    assert!(rows.iter().all(|row| row.continuous == "all" && row.speed.is_none()));
    let ours = |row: &&StageRow| row.stage == Stage::Impact && row.method != "parry";
    let impacts = rows.iter().filter(ours).count();
    assert_eq!(impacts, narrowphase::impact::TIMES_OF_IMPACT.len() + 1, "and the relative sweep");

    let verify = "verify steps.scene --frames 3 --algorithms bsp";
    harness(folder.path(), verify)
        .assert()
        .code(0)
        .stdout(contains("continuous all, threads 1").and(contains(", first contacts of ")));
    let json = harness(folder.path(), &format!("{verify} --json")).assert().code(0);
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    let impacts = narrowphase::impact::TIMES_OF_IMPACT.len();
    assert_eq!(json[0]["methods"], 18 + impacts);
    assert!(json[0]["impacts_checked"].as_u64() > Some(0) && json[0]["continuous"] == "all");
}
