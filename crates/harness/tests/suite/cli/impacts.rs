//! Times of impact in `harness bodies`.

use super::bodies::{SHORT, stages, with_bodies};
use super::harness;
use measure::{Stage, StageRow};
use std::fs;

#[test]
fn impacts_of_pairs_in_motion_are_measured_drawn_and_compared() {
    let folder = with_bodies();
    let few = "--narrow gjk --volumes sphere --impacts discrete --quiet";
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
    harness(folder.path(), "plot a --figures stages,impacts,volumes --out f.svg").assert().code(0);
    harness(folder.path(), "report a").assert().code(0);
    let page = fs::read_to_string(folder.path().join("a/report.html")).unwrap();
    assert!(page.contains(">impact</th>") && page.contains("largest error"), "{page}");
}
