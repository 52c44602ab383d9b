//! `harness run --worlds`.

use super::{folder, harness, rows};
use predicates::str::contains;

#[test]
fn worlds_have_a_verified_row_for_each_method() {
    let folder = folder();
    harness(
        folder.path(),
        "run --boxes gas:20,statics:50 --worlds 1,40 --frames 3 --warmup 1 --repeat 2 --threads 1,2 --out out",
    )
    .assert()
    .code(0)
    .stdout(contains("gas: 40 worlds of 20 from seed"))
    .stdout(contains("ns a world"));
    let rows = rows(folder.path().join("out/worlds.csv"));
    assert_eq!(rows.len(), 2 * 2 * 2 * 3);
    let [n, worlds, pairs, checksum, proven, status] = [3, 2, 12, 14, 15, 16];
    for row in &rows {
        assert_eq!((&row[status], &row[proven]), ("ok", "true"), "{row:?}");
        assert!(&row[pairs] != "0.0" || &row[worlds] == "1", "{row:?}");
        let same =
            rows.iter().filter(|other| (&other[n], &other[worlds]) == (&row[n], &row[worlds]));
        assert!(
            same.clone().count() == 6 && same.clone().all(|other| other[checksum] == row[checksum])
        );
    }
}

#[test]
fn worlds_of_other_inputs_are_refused() {
    let folder = folder();
    for (options, reason) in [
        ("--worlds 4", "--boxes"),
        ("tiny.scene --boxes gas:20 --worlds 4", "cannot be used with"),
        ("--boxes atlas:1:1 --worlds 4", "not for cells of the atlas"),
        ("--boxes gas:1000000 --worlds 1000", "expected at most 67108864 boxes"),
        ("--boxes gas:20 --worlds 4 --algorithms auto", "cannot be used with"),
    ] {
        let mut refused = harness(folder.path(), &format!("run {options} --out out"));
        refused.assert().code(2).stderr(contains(reason));
        assert!(!folder.path().join("out").exists(), "{options}");
    }
}
