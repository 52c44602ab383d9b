//! `harness record`, and what is measured of recorded and generated boxes.

use super::{CHECKSUM, PAIRS, folder, harness, prints, rows};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;

#[test]
fn recorded_scene_has_the_checksums_of_the_scene() {
    let folder = folder();
    let record = "record tiny.scene --out tiny.bpt --frames 6 --algorithm bsp";
    prints(folder.path(), record, "6 frames of 60 boxes");
    let length = fs::metadata(folder.path().join("tiny.bpt")).unwrap().len();
    assert_eq!(length, 24 + 6 * 60 * 24);
    let run =
        "run tiny.scene tiny.bpt --frames 5 --warmup 1 --repeat 1 --algorithms kd-tree --out out";
    harness(folder.path(), run).assert().code(0);
    let summary = rows(folder.path().join("out/summary.csv"));
    assert_eq!(summary.len(), 2);
    assert_eq!(summary[0][CHECKSUM], summary[1][CHECKSUM]);
    prints(folder.path(), "verify tiny.bpt", "6 frames");

    let refused = harness(folder.path(), "record tiny.scene --out tiny.bpt --frames 1").assert();
    refused.code(1).stderr(contains("tiny.bpt exists already").and(contains("--force")));
    assert_eq!(fs::metadata(folder.path().join("tiny.bpt")).unwrap().len(), length);
}

#[test]
fn generated_boxes_are_measured_verified_and_recorded() {
    let folder = folder();
    let path = folder.path();
    let common = "--boxes brownian:150 --moving 0.5 --frames 4";
    harness(path, &format!("record {common} --out b.bpt")).assert().code(0);
    let run = format!("run {common} b.bpt --warmup 0 --repeat 1 --out both");
    prints(path, run, "brownian --moving 0.5: n = 150, seed 1739, 1 thread");
    let summary = rows(path.join("both/summary.csv"));
    assert!(summary.iter().all(|row| row[CHECKSUM] == summary[0][CHECKSUM]), "{summary:?}");
    let kinds = sim::GeneratedKind::ALL.iter().map(|kind| format!("{}:150", kind.name()));
    let (kinds, cases) =
        (kinds.collect::<Vec<_>>().join(","), format!("{} case(s)", sim::GeneratedKind::ALL.len()));
    harness(path, &format!("verify --boxes {kinds} --frames 5 --threads 1,2"))
        .assert()
        .code(0)
        .stdout(contains(cases).and(contains("no difference")));
}

#[test]
fn scene_with_layers_is_recorded_without_them() {
    let folder = folder();
    let path = folder.path();
    let cloud = "i -1 -1 -1  2 2 2";
    let text = format!(
        "{cloud}  34 t\n{cloud}  33 t\n{cloud}  33 t\n#!objects 90\n#!radius 0.1\n#!speed 2\n\
         #!layer source 1 static\n#!layer source 2 group 1 meets 0,1\n#!layer source 3 group 2 \
         meets 0,2\n"
    );
    fs::write(path.join("layered.scene"), text).unwrap();
    harness(path, "verify layered.scene --boxes statics:200 --frames 20 --threads 1,2")
        .assert()
        .code(0)
        .stdout(contains("2 case(s)").and(contains("no difference")));
    // Without its layers the same scene has more pairs; so has its trace, which has none.
    let note = "a trace holds boxes alone, the layers are not recorded";
    let record = harness(path, "record layered.scene --frames 5 --out l.bpt").assert().code(0);
    record.stderr(contains(note));
    let measure = "--warmup 0 --frames 5 --repeat 1 --algorithms bsp,brute-force";
    harness(path, &format!("run layered.scene l.bpt {measure} --out out")).assert().code(0);
    let summary = rows(path.join("out/summary.csv"));
    let pairs = |row: usize| summary[row][PAIRS].parse::<f64>().unwrap();
    assert_eq!((pairs(0), pairs(2)), (pairs(1), pairs(3)));
    assert!(pairs(0) > 0.0 && pairs(0) < 0.8 * pairs(2), "{summary:?}");
}

#[test]
fn swept_boxes_contain_their_bodies_during_the_step() {
    let folder = folder();
    // Two bodies that meet nothing in these frames.
    let text = "#!objects 0\n#!shape die box 1 1 1\n#!shape four tetrahedron 1\n\
        #!body die -8 0 -8  30 6 0 spin 0 9 0\n#!body four -8 4 8  60 -6 0\ni -10 -10 -10  20 20 20  100 t\n";
    fs::write(folder.path().join("two.scene"), text).unwrap();
    let [plain, swept] = [("", "plain.bpt"), ("--swept", "swept.bpt")].map(|(options, out)| {
        let command = format!("record two.scene {options} --frames 8 --quiet --out {out}");
        harness(folder.path(), &command).assert().code(0);
        let mut reader = sim::TraceReader::open(&folder.path().join(out)).unwrap();
        let mut boxes = Vec::new();
        [(); 8].map(|()| {
            assert!(reader.read_frame(&mut boxes).unwrap());
            boxes.clone()
        })
    });
    for (frame, swept) in swept.iter().enumerate().skip(1) {
        for (object, own) in swept.iter().enumerate() {
            for plain in [&plain[frame - 1], &plain[frame]] {
                assert_eq!(own.union(&plain[object]), *own, "frame {frame}, object {object}");
            }
        }
    }
}
