//! `docs/algorithms.md` describes every algorithm of the registry, and no other.

use broadphase::registry::{ALGORITHMS, Algorithm, Kind};
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn page() -> String {
    fs::read_to_string(docs().join("algorithms.md")).unwrap()
}

/// The text below a heading, up to the next heading of the same or a higher level.
fn below<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let rank = heading.split(' ').next()?.len();
    let start = page.find(&format!("\n{heading}\n"))? + heading.len() + 2;
    let text = &page[start..];
    let ends = (1..=rank).filter_map(|rank| text.find(&format!("\n{} ", "#".repeat(rank))));
    Some(&text[..ends.min().unwrap_or(text.len())])
}

/// The section of an algorithm's family.
#[track_caller]
fn section<'a>(page: &'a str, entry: &Algorithm) -> &'a str {
    let family = entry.family;
    below(page, &format!("### `{family}`")).unwrap_or_else(|| panic!("no section for {family}"))
}

#[test]
fn every_family_has_a_table_row_and_a_section() {
    let page = page();
    for entry in ALGORITHMS.families() {
        let id = entry.id;
        let start = format!("| [`{id}`](#{id}) |");
        let line = page.lines().find(|line| line.starts_with(&start));
        let cells: Vec<&str> =
            line.unwrap_or_else(|| panic!("{id} is not in the table")).split('|').collect();
        assert_eq!(cells[3].trim(), entry.cost, "{id}: the time of a frame");
        let kind = below(&page, &format!("## {}", entry.kind.name())).unwrap();
        assert!(kind.contains(&format!("\n### `{id}`\n")), "{id} has no section below its kind");
        let picture = format!("pictures/algorithms/{id}.png");
        assert!(docs().join(&picture).is_file(), "{picture}");
        let link = format!("]({picture})");
        for part in ["**Idea.**", "**Cost.**", "**Wins**", "**Loses**", "**Source.**", &link] {
            assert!(section(&page, entry).contains(part), "{id}: no {part}");
        }
    }
    let sections = page.lines().filter(|line| line.starts_with("### ")).count();
    assert_eq!(
        sections,
        ALGORITHMS.families().count(),
        "a section describes a family that is not in the registry"
    );
    assert!(Kind::ALL.iter().all(|kind| page.contains(&format!("\n## {}\n", kind.name()))));
}
