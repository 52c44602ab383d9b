//! `docs/algorithms.md` describes every algorithm of the registry, and no other. ARCHITECTURE.md names tests
//! that exist. `Cargo.toml` gives a reason for each dependency.

use broadphase::registry::{ALGORITHMS, Algorithm, Kind};
use std::collections::BTreeSet;
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

fn picture(family: &str) -> String {
    format!("pictures/algorithms/{family}.png")
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
        for part in ["**Idea.**", "**Cost.**", "**Wins**", "**Loses**", "**Source.**"] {
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

#[test]
fn every_variant_is_named_in_its_family_section() {
    let page = page();
    for entry in ALGORITHMS.iter().filter(|entry| entry.variant.is_some()) {
        assert!(section(&page, entry).contains(&format!("`{}`", entry.id)), "{}", entry.id);
    }
}

#[test]
fn every_family_has_a_picture() {
    let page = page();
    let mut expected = BTreeSet::new();
    for entry in ALGORITHMS.families() {
        let picture = picture(entry.id);
        assert!(section(&page, entry).contains(&format!("]({picture})")), "{}", entry.id);
        expected.insert(docs().join(picture));
    }
    let folder = fs::read_dir(docs().join("pictures/algorithms")).unwrap();
    let found: BTreeSet<_> = folder.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(found, expected);
    for path in found {
        let png = fs::read(&path).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.len() < 300_000, "{}", path.display());
    }
}

/// Names of the tests in all Rust files below a folder.
fn tests(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let after_attribute = text.split("#[test]").skip(1);
            let name = |text: &str| Some(text.split_once("fn ")?.1.split_once('(')?.0.to_owned());
            names.extend(after_attribute.filter_map(name));
            // Tests that run without libtest.
            let in_main = text.split("test(").skip(1).filter_map(|text| text.split('"').nth(1));
            names.extend(in_main.map(str::to_owned));
        }
    }
}

#[test]
fn invariants_name_tests_that_exist() {
    let page = fs::read_to_string(docs().join("../ARCHITECTURE.md")).unwrap();
    let invariants = below(&page, "## Invariants").unwrap();
    let mut known = BTreeSet::new();
    tests(&docs().join("../crates"), &mut known);
    // Names of four words or more are tests; shorter ones are parts of the code.
    let quoted = invariants.split('`').skip(1).step_by(2);
    let is_test = |name: &&str| {
        name.matches('_').count() >= 3
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let named: Vec<&str> = quoted.filter(is_test).collect();
    assert!(named.len() > 20, "{named:?}");
    for name in named {
        assert!(
            known.contains(name),
            "ARCHITECTURE.md names the test {name}, which does not exist"
        );
    }
}

#[test]
fn readme_states_the_claims_of_the_committed_pages() {
    let root = docs().join("..");
    let counts = |page: &Path| -> Vec<String> {
        let page = fs::read_to_string(page).unwrap();
        let lines = page.lines().filter_map(|line| line.strip_prefix("- "));
        lines.filter(|line| line.contains(" claims: ")).map(str::to_owned).collect()
    };
    let machines = fs::read_dir(root.join("results")).unwrap();
    let pages = machines.map(|machine| machine.unwrap().path().join("thesis.md"));
    let pages: BTreeSet<PathBuf> = pages.filter(|page| page.exists()).collect();
    let judged: Vec<String> = pages.iter().flat_map(|page| counts(page)).collect();
    let stated = counts(&root.join("README.md"));
    assert_eq!(stated.len(), judged.len());
    for (stated, judged) in stated.iter().zip(judged) {
        assert!(stated.ends_with(&judged), "README.md: {stated}; the page: {judged}");
    }
}

/// All tables of dependencies in a manifest, those for one system included.
fn dependency_tables(manifest: &toml::Table) -> Vec<&toml::Table> {
    let systems = manifest.get("target").and_then(toml::Value::as_table);
    let of_system = systems.into_iter().flat_map(|systems| systems.values());
    let holders = of_system.filter_map(toml::Value::as_table).chain([manifest]);
    let mut tables = Vec::new();
    for holder in holders {
        let names = ["dependencies", "dev-dependencies", "build-dependencies"];
        tables.extend(names.into_iter().filter_map(|name| holder.get(name)?.as_table()));
    }
    tables
}

#[test]
fn workspace_gives_a_reason_for_each_dependency() {
    let root = docs().join("..");
    let manifest =
        |path: &Path| -> toml::Table { fs::read_to_string(path).unwrap().parse().unwrap() };
    let workspace = manifest(&root.join("Cargo.toml"));
    let versions = workspace["workspace"]["dependencies"].as_table().unwrap();
    let is_ours = |name: &str| versions[name].get("path").is_some();
    let others = versions.keys().filter(|name| !is_ours(name)).cloned();
    let others: BTreeSet<String> = others.collect();

    let mut used = BTreeSet::new();
    for crate_folder in fs::read_dir(root.join("crates")).unwrap() {
        let manifest = manifest(&crate_folder.unwrap().path().join("Cargo.toml"));
        for (name, version) in dependency_tables(&manifest).into_iter().flatten() {
            assert_eq!(version.get("workspace"), Some(&true.into()), "{name}");
            used.extend((!is_ours(name)).then(|| name.clone()));
        }
    }
    assert_eq!(used, others, "the workspace has the versions of what its crates use");

    let text = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for name in others {
        let start = format!("{name} = ");
        let line = lines.iter().position(|line| line.starts_with(&start)).unwrap();
        let reason = lines[line - 1].strip_prefix("# ");
        assert!(reason.is_some_and(|words| words.split(' ').count() > 2), "{name} has no reason");
    }
}
