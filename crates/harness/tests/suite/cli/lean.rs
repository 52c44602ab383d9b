//! A build without the feature `peers`.

use crate::commands::Folder;

#[test]
fn build_without_peers_has_none_and_says_how_to_build_them_in() {
    let folder = Folder::new();
    assert!(!folder.runs("list").contains("peers"));
    let [printed, reported] = folder.ends(1, "speed --quick --out out");
    let build = "cargo run --release -p harness --features peers -- speed";
    assert!(reported.contains(build) && reported.lines().count() == 1, "{reported}");
    assert!(printed.is_empty() && !folder.has("out"));
}
