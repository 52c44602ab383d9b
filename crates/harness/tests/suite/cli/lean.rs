//! A build without the feature `peers`.

use super::{folder, harness};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

#[test]
fn build_without_peers_lists_none() {
    harness(folder().path(), "list").assert().code(0).stdout(contains("peers").not());
}

#[test]
fn speed_without_peers_says_how_to_build_them_in() {
    let folder = folder();
    let refusal = harness(folder.path(), "speed --quick --out out").assert().code(1);
    let errors = refusal.stdout(is_empty()).get_output().stderr.clone();
    let errors = String::from_utf8(errors).unwrap();
    assert!(
        errors.contains("cargo run --release -p harness --features peers -- speed"),
        "{errors}"
    );
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(!folder.path().join("out").exists());
}
