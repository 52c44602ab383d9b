//! Times of impact in `harness bodies`.

use super::bodies::{SHORT, stages, with_bodies};
use crate::commands::assert_has;
use measure::{Stage, StageRow};

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
