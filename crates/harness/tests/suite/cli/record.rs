//! `harness record`, and what is measured of recorded and generated boxes.

use crate::commands::{Folder, assert_has};
use std::fs;

#[test]
fn recorded_scene_has_the_checksums_of_the_scene() {
    let folder = Folder::tiny();
    let record = "record tiny.scene --out tiny.bpt --frames 6 --algorithm bsp";
    folder.prints(record, &["6 frames of 60 boxes"]);
    let length = || fs::metadata(folder.at("tiny.bpt")).unwrap().len();
    assert_eq!(length(), 24 + 6 * 60 * 24);
    let run = "run tiny.scene tiny.bpt --frames 5 --warmup 1 --repeat 1 --algorithms kd-tree";
    folder.runs(format!("{run} --out out"));
    let summary = folder.rows("out/summary.csv");
    assert_eq!(summary.len(), 2);
    assert_eq!(summary[0]["checksum"], summary[1]["checksum"]);
    folder.prints("verify tiny.bpt", &["6 frames"]);

    let [_, reported] = folder.ends(1, "record tiny.scene --out tiny.bpt --frames 1");
    assert_has(&reported, &["tiny.bpt exists already", "--force"]);
    assert_eq!(length(), 24 + 6 * 60 * 24);
}

#[test]
fn generated_boxes_are_measured_verified_and_recorded() {
    let folder = Folder::new();
    let common = "--boxes brownian:150 --moving 0.5 --frames 4";
    folder.runs(format!("record {common} --out b.bpt"));
    let run = format!("run {common} b.bpt --warmup 0 --repeat 1 --out both");
    folder.prints(run, &["brownian --moving 0.5: n = 150, seed 1739, 1 thread"]);
    let summary = folder.rows("both/summary.csv");
    assert!(summary.iter().all(|row| row["checksum"] == summary[0]["checksum"]), "{summary:?}");
    let kinds = sim::GeneratedKind::ALL.iter().map(|kind| format!("{}:150", kind.name()));
    let kinds: Vec<String> = kinds.collect();
    let verify = format!("verify --boxes {} --frames 5 --threads 1,2", kinds.join(","));
    folder.prints(verify, &[&format!("{} case(s)", kinds.len()), "no difference"]);
}

#[test]
fn scene_with_layers_is_recorded_without_them() {
    let folder = Folder::new();
    let cloud = "i -1 -1 -1  2 2 2";
    let text = format!(
        "{cloud}  34 t\n{cloud}  33 t\n{cloud}  33 t\n#!objects 90\n#!radius 0.1\n#!speed 2\n\
         #!layer source 1 static\n#!layer source 2 group 1 meets 0,1\n#!layer source 3 group 2 \
         meets 0,2\n#!objetcs 5\n"
    );
    folder.write("layered.scene", text);
    let verify = "verify layered.scene --boxes statics:200 --frames 20 --threads 1,2";
    folder.prints(verify, &["2 case(s)", "no difference"]);
    // Without its layers the same scene has more pairs; so has its trace, which has none.
    let [_, reported] = folder.ends(0, "record layered.scene --frames 5 --out l.bpt");
    assert_has(&reported, &["objetcs", "a trace holds boxes alone, the layers are not recorded"]);
    let measure = "--warmup 0 --frames 5 --repeat 1 --algorithms bsp,brute-force";
    folder.runs(format!("run layered.scene l.bpt {measure} --out out"));
    let summary = folder.rows("out/summary.csv");
    let pairs = |row: usize| summary[row]["pairs"].parse::<f64>().unwrap();
    assert_eq!((pairs(0), pairs(2)), (pairs(1), pairs(3)));
    assert!(pairs(0) > 0.0 && pairs(0) < 0.8 * pairs(2), "{summary:?}");
}

#[test]
fn swept_boxes_contain_their_bodies_during_the_step() {
    let folder = Folder::new();
    // Two bodies that meet nothing in these frames.
    let text = "#!objects 0\n#!shape die box 1 1 1\n#!shape four tetrahedron 1\n\
        #!body die -8 0 -8  30 6 0 spin 0 9 0\n#!body four -8 4 8  60 -6 0\ni -10 -10 -10  20 20 20  100 t\n";
    folder.write("two.scene", text);
    let [plain, swept] = [("", "plain.bpt"), ("--swept", "swept.bpt")].map(|(options, out)| {
        folder.runs(format!("record two.scene {options} --frames 8 --quiet --out {out}"));
        let mut reader = sim::TraceReader::open(&folder.at(out)).unwrap();
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
