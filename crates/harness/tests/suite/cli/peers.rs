//! What a build with the feature `peers` adds.

use super::{ALGORITHM, STATUS, folder, harness, prints, refused, rows};
use std::fs;

#[test]
fn peers_are_listed_and_measured_as_ours() {
    let folder = folder();
    let path = folder.path();
    prints(path, "list", "\npeers (parry3d ");
    let run = "--frames 4 --repeat 2 --out out --boxes gas:300 --algorithms";
    harness(path, &format!("run {run} peers,bsp")).assert().code(0);
    let summary = rows(path.join("out/summary.csv"));
    assert!(summary.iter().all(|row| &row[STATUS] == "ok"), "{summary:?}");
    let peers = ::peers::PEERS.iter().map(|peer| peer.id);
    let ids: Vec<&str> = summary.iter().map(|row| &row[ALGORITHM]).collect();
    assert!(ids.iter().copied().eq(std::iter::once("bsp").chain(peers)), "{ids:?}");
    let machine = fs::read_to_string(path.join("out/machine.json")).unwrap();
    let (name, version) = ::peers::VERSIONS[0];
    assert!(machine.contains(&format!("\"{name} {version}\"")), "{machine}");
    harness(path, "compare bsp obvhs --boxes gas:300 --frames 3").assert().code(0);
}

#[test]
fn speed_measures_ours_and_all_peers() {
    let folder = folder();
    let path = folder.path();
    let short = "speed --quick --only gas:200 --frames 3 --repeat 1 --out out";
    prints(path, short, "out/speed.md");
    let page = fs::read_to_string(path.join("out/speed.md")).unwrap();
    let rows = fs::read_to_string(path.join("out/speed.csv")).unwrap();
    for peer in ::peers::PEERS {
        assert!(rows.contains(&format!(",{},true,", peer.id)), "{rows}");
    }
    let (name, version) = ::peers::VERSIONS[0];
    assert!(page.contains(&format!("{name} {version}")), "{page}");
    refused(path, short, 1, "exists already");
}
