//! Builds with the feature `peers` and without it.

use crate::commands::{Folder, assert_has};

#[test]
#[cfg(feature = "peers")]
fn peers_are_listed_and_measured_as_ours() {
    let folder = Folder::new();
    folder.prints("list", &["\npeers (parry3d "]);
    let run = "run --frames 4 --repeat 2 --out out --boxes gas:300 --algorithms";
    folder.runs(format!("{run} peers,bsp"));
    let summary = folder.rows("out/summary.csv");
    assert!(summary.iter().all(|row| row["status"] == "ok"), "{summary:?}");
    let peers = ::peers::PEERS.iter().map(|peer| peer.id);
    let ids: Vec<&str> = summary.iter().map(|row| &*row["algorithm"]).collect();
    assert!(ids.iter().copied().eq(std::iter::once("bsp").chain(peers)), "{ids:?}");
    let (name, version) = ::peers::VERSIONS[0];
    assert_has(&folder.read("out/machine.json"), &[&format!("\"{name} {version}\"")]);
    folder.runs("compare bsp obvhs --boxes gas:300 --frames 3");

    let short = "speed --quick --only gas:200 --frames 3 --repeat 1 --out out";
    folder.prints(short, &["out/speed.md"]);
    let rows = folder.read("out/speed.csv");
    let rows_of = |id: &str| format!(",{id},true,");
    ::peers::PEERS.iter().for_each(|peer| assert_has(&rows, &[&rows_of(peer.id)]));
    assert_has(&folder.read("out/speed.md"), &[&format!("{name} {version}")]);
    folder.refuses(1, short, "exists already");
}

#[test]
#[cfg(not(feature = "peers"))]
fn build_without_peers_has_none_and_says_how_to_build_them_in() {
    let folder = Folder::new();
    assert!(!folder.runs("list").contains("peers"));
    let [printed, reported] = folder.ends(1, "speed --quick --out out");
    let build = "cargo run --release -p harness --features peers -- speed";
    assert_has(&reported, &[build]);
    assert_eq!(reported.lines().count(), 1, "{reported}");
    assert!(printed.is_empty() && !folder.has("out"));
}
