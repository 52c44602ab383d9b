//! `harness run --worlds`.

use crate::commands::Folder;
use measure::{SummaryFile, SummaryRow};

#[test]
fn worlds_have_a_verified_row_for_each_method() {
    let folder = Folder::new();
    let run = "run --boxes gas:20,statics:50,atlas:1:20 --worlds 1,40 --frames 3 --warmup 1 --repeat 2 --threads 1,2";
    folder.prints(format!("{run} --out out"), &["gas --worlds 40: n = 800"]);
    let rows = SummaryFile::read(&folder.at("out")).unwrap().rows;
    assert_eq!(rows.len(), 3 * 2 * 2 * 3);
    for row in &rows {
        assert!(row.pairs > Some(0.0) || row.input.ends_with(" 1"), "{row:?}");
        assert!(row.tests.or(row.nodes).or(row.rebuilds).is_none(), "not counted: {row:?}");
        let is_same =
            |other: &&SummaryRow| (&other.input, other.checksum) == (&row.input, row.checksum);
        assert_eq!(rows.iter().filter(is_same).count(), 6);
    }
    let machine = folder.read("out/machine.json");
    assert!(!machine.contains("brute force has not"), "all pairs are proven: {machine}");
}
