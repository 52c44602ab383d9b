//! `harness bodies`, with times of impact, and bodies in other commands.

use crate::commands::{Folder, assert_has};
use measure::{Stage, StageRow, StagesFile, Status, SummaryFile};
use std::fs;

/// A folder with `dice.scene`: 60 cubes and tetrahedra.
fn with_bodies() -> Folder {
    let folder = Folder::tiny();
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 60\n#!radius 0.2\n#!speed 2\n#!seed 7\n\
        #!shape die box 1 1 1\n#!shape four tetrahedron 1\n#!bodies source 1 die 50 four 50\n";
    folder.write("dice.scene", text);
    folder
}

fn stages(folder: &Folder, name: &str) -> Vec<StageRow> {
    StagesFile::read(&folder.at(name)).unwrap().rows
}

const SHORT: &str = "--frames 2 --warmup 1 --repeat 1";

#[test]
fn bodies_writes_a_row_for_every_method() {
    let folder = with_bodies();
    let command = format!("bodies dice.scene --objects 20,60 --threads 1,2 --out out {SHORT}");
    let heading = "dice.scene: n = 60, seed 7, 2 threads, tight boxes, 2 frames x 1";
    folder.prints(command, &[heading, "gjk+cached", "results in out"]);
    let mut rows = stages(&folder, "out");
    rows.retain(|row| row.method != "parry");
    let methods =
        1 + 2 * narrowphase::volume::VOLUMES.len() + narrowphase::narrow::NARROW_PHASES.len() + 1;
    assert_eq!(rows.len(), 4 * methods);
    assert!(rows.iter().all(|row| row.status == Status::Ok && row.input == "dice.scene"));
    assert!(rows.iter().any(|row| row.stage == Stage::Contact && row.n == 60));
    assert!(folder.has("out/machine.json"));

    let some = "--volumes obb,dop26 --narrow sat --box-kind sphere,tight --quiet";
    assert_eq!(folder.runs(format!("bodies dice.scene {some} --out few {SHORT}")), "");
    let rows = stages(&folder, "few");
    let names: Vec<&str> = rows.iter().map(|row| row.method.as_str()).collect();
    let some = ["obb", "dop26", "obb", "dop26", "sat", "clip"];
    assert_eq!(names, [&["tight"][..], &some, &["sphere"], &some].concat());
}

#[test]
fn pairs_need_no_scene() {
    let folder = with_bodies();
    let few = format!("--narrow gjk --volumes sphere --json {SHORT}");
    let pairs = "bodies --pairs cube,rod:30 --pairs die,hull16:20:near dice.scene";
    let rows: Vec<StageRow> = serde_json::from_str(&folder.runs(format!("{pairs} {few}"))).unwrap();
    let inputs: Vec<(&str, u64)> = rows.iter().map(|row| (row.input.as_str(), row.n)).collect();
    assert_eq!(inputs[..4], [("cube,rod:uniform", 30); 4]);
    assert_eq!(inputs[4..], [("die@dice.scene,hull16:near", 20); 4]);
    assert!(rows.iter().all(|row| row.box_kind.is_empty()));
    assert!(fs::read_dir(folder.at("results")).unwrap().count() == 1);
}

#[test]
fn run_has_figures_of_the_stages_for_bodies_alone() {
    let folder = with_bodies();
    let short = "--frames 2 --warmup 0 --repeat 1 --algorithms bsp,kd-tree --quiet";
    for (scene, has_stages) in [("dice", true), ("tiny", false)] {
        folder.runs(format!("run {scene}.scene {short} --out {scene}"));
        let rows = SummaryFile::read(&folder.at(scene)).unwrap().rows;
        assert!(rows.iter().all(|row| row.volume_ns.is_some() == has_stages));
        assert_eq!(rows[0].volume_passed, rows[1].volume_passed);
        let frames = folder.rows(&format!("{scene}/frames.csv"));
        assert!(frames.iter().all(|row| row["volume_ns"].is_empty() != has_stages), "{scene}");
        let machine = folder.read(&format!("{scene}/machine.json"));
        assert_eq!(machine.contains("gjk+cached"), has_stages);
    }
}

#[test]
fn verify_checks_every_method_of_bodies() {
    let folder = with_bodies();
    let json = folder.runs("verify dice.scene --frames 3 --algorithms bsp --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    // All of the 18 methods but the contact sets answer about each candidate. At most 8 gaps and contact sets of a frame are checked.
    let number = |name: &str| json[0][name].as_u64().unwrap();
    let pairs = number("pairs_compared");
    assert!(pairs > 20, "{pairs}");
    assert_eq!((number("answers_compared"), number("witnesses_checked")), (17 * pairs, pairs));
    assert!((1..=24).contains(&number("gaps_checked")), "{json}");
    assert!((1..=24).contains(&number("contact_pairs_checked")), "{json}");
    assert_eq!(number("pairs_beyond_the_oracle"), 0);
}

#[test]
fn bodies_without_room_are_a_warning_that_is_kept() {
    let folder = Folder::new();
    let crowded = "i -1 -1 -1  2 2 2  100 t\n#!objects 150\n#!radius 0.2\n\
        #!shape die box 1 1 1\n#!bodies source 1 die 100\n";
    folder.write("crowded.scene", crowded);
    for command in ["bodies crowded.scene --volumes none", "run crowded.scene --algorithms bsp"] {
        let command = format!("{command} --narrow sat --out out --force {SHORT}");
        let [_, reported] = folder.ends(0, command);
        for text in [reported, folder.read("out/machine.json")] {
            assert_has(&text, &["has no room for", "a single repetition"]);
        }
    }
}

#[test]
fn wrong_options_of_bodies_are_refused_with_a_reason() {
    let folder = with_bodies();
    for (arguments, reason) in [
        ("bodies tiny.scene", "tiny.scene has no bodies; `harness run` measures spheres"),
        ("bodies dice.scene --narrow box", "expected one of sat, sat+naive, sat+climbing"),
        #[cfg(not(feature = "peers"))]
        ("bodies dice.scene --narrow parry", "parry needs a build with the feature `peers`"),
        ("bodies dice.scene --contact approximate", "needs bodies that collide within steps"),
        ("bodies dice.scene --impacts never", "unknown time of impact `never`; known are all, "),
        ("bodies --pairs cube,rod:5 --box-kind all", "--box-kind has no effect on --pairs"),
        ("bodies --pairs cube,rod:5 --motion 0", "not a number from 0.000001 to 1000000"),
    ] {
        folder.refuses(2, arguments, reason);
    }
}

#[test]
fn replaced_results_leave_no_table_of_another_command() {
    let folder = with_bodies();
    let run = "run dice.scene --frames 2 --repeat 1 --algorithms bsp --quiet --out out";
    let few = "--narrow sat --volumes none --quiet";
    let bodies = format!("bodies dice.scene {few} {SHORT} --out out");
    for (command, expected) in [(run, [true, true, false]), (&bodies, [false, false, true])] {
        for old in ["worlds.csv", "unfinished.jsonl"] {
            folder.write(&format!("out/{old}"), "rows");
        }
        folder.runs(format!("{command} --force"));
        let has = |name: &str| folder.has(&format!("out/{name}"));
        assert_eq!(["frames.csv", "summary.csv", "stages.csv"].map(has), expected, "{command}");
        assert!(!has("worlds.csv") && !has("unfinished.jsonl"), "{command}");
    }
    folder.ends(1, bodies);
}

#[test]
fn impacts_of_pairs_in_motion_are_measured_drawn_and_compared() {
    let folder = with_bodies();
    let few = "--narrow gjk --volumes sphere --impacts discrete --quiet";
    let motion = "--pairs box,box:40 --motion 0.25,2 --resting --contact approximate";
    for out in ["a", "b"] {
        folder.runs(format!("bodies {motion} {few} {SHORT} --out {out}"));
    }
    let rows = stages(&folder, "a");
    let of = |stage| rows.iter().filter(move |row| row.stage == stage);
    let contacts: Vec<&str> = of(Stage::Contact).map(|row| row.method.as_str()).collect();
    assert_eq!(contacts, ["clip", "exact", "approximate"].repeat(2));
    let impacts: Vec<&StageRow> = of(Stage::Impact).collect();
    let cases: Vec<_> = impacts.iter().map(|row| (row.input.as_str(), row.speed)).collect();
    let name = |speed| format!("box,box:uniform@motion={speed},resting");
    assert_eq!(cases, [(name("0.25").as_str(), Some(0.25)), (name("2").as_str(), Some(2.0))]);
    assert!(impacts[1].missed > impacts[0].missed, "{impacts:?}");

    folder.runs("compare a/stages.csv b/stages.csv --quiet");
    folder.runs("plot a --figures stages,impacts,volumes --out f.svg");
    folder.runs("report a");
    assert_has(&folder.read("a/report.html"), &[">impact</th>", "largest error"]);
}
