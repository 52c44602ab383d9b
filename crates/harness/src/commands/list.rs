//! `harness list`: the algorithms, and the methods of the stages after them.

use crate::cli::ListOptions;
use crate::console;
use crate::failure::Failure;
use crate::registry::{self, narrow_phases, times_of_impact};
use broadphase::registry::{ALGORITHMS, Algorithm, Parameter};
use narrowphase::impact::{self, Exactness, ImpactKind};
use narrowphase::narrow::{self, NarrowPhaseKind};
use narrowphase::volume::{VOLUMES, VolumeKind};
use serde_json::{Value, json};

/// Prints the registry, and the peers behind it.
pub(crate) fn list(options: &ListOptions) -> Result<(), Failure> {
    if options.json {
        let narrow_phases = narrow_phases().iter().map(narrow_as_json);
        let impacts = times_of_impact().iter().map(impact_as_json);
        let stages = VOLUMES.iter().map(volume_as_json).chain(narrow_phases).chain(impacts);
        let rows: Vec<Value> = registry::offered().iter().map(as_json).chain(stages).collect();
        return console::print(&format!("{:#}\n", Value::from(rows)));
    }
    console::print(&lines(&ALGORITHMS))?;
    if !registry::PEERS.is_empty() {
        let versions = registry::peer_versions().join(", ");
        console::print(&format!("\npeers ({versions}):\n{}", lines(registry::PEERS)))?;
    }
    for (title, lines) in [
        ("parameters, as --set ID.PARAMETER=V", parameters()),
        ("bounding volumes of bodies", volumes()),
        ("narrow phases of bodies", lines_of_narrow_phases()),
        ("times of impact of bodies", impacts()),
    ] {
        console::print(&format!("\n{title}:\n{lines}"))?;
    }
    Ok(())
}

/// A line for each id and its text, the texts below each other.
fn aligned(rows: impl Iterator<Item = (String, String)>) -> String {
    let rows: Vec<(String, String)> = rows.collect();
    let width = rows.iter().map(|(id, _)| id.len()).max().unwrap_or(0);
    rows.iter().map(|(id, text)| format!("{id:width$}  {text}\n")).collect()
}

/// An id; variants are indented below their family.
fn indented(id: &str, variant: Option<&str>) -> String {
    format!("{}{id}", if variant.is_some() { "  " } else { "" })
}

fn impacts() -> String {
    aligned(times_of_impact().iter().map(|kind| {
        let ImpactKind { id, summary, source, .. } = kind;
        let exact = match kind.exactness {
            Exactness::Never => " Inexact: its faults are counted.",
            Exactness::Translation => " Exact unless a body rotates.",
            Exactness::ToTolerance => "",
        };
        let parameter = if kind.has_substeps { " As @k=K: K static tests." } else { "" };
        ((*id).to_owned(), format!("{summary}{exact}{parameter} [{source}]"))
    }))
}

fn volumes() -> String {
    aligned(VOLUMES.iter().map(|kind| {
        let VolumeKind { id, summary, source, .. } = kind;
        let exact = if kind.exact { "" } else { " Inexact: it misses contacts." };
        ((*id).to_owned(), format!("{summary}{exact} [{source}]"))
    }))
}

fn lines_of_narrow_phases() -> String {
    let text = |kind: &NarrowPhaseKind| format!("{} [{}]", kind.summary, kind.source);
    aligned(narrow_phases().iter().map(|kind| (indented(kind.id, kind.variant()), text(kind))))
}

/// The parameters of each family: the default, what it is, and its values.
fn parameters() -> String {
    let families = ALGORITHMS.iter().filter(|entry| entry.variant.is_none());
    aligned(families.flat_map(|entry| {
        entry.parameters.iter().map(|parameter| {
            let Parameter { name, default, meaning, .. } = parameter;
            let text = format!("{default:<5} {meaning} [{}]", parameter.values());
            (format!("{}.{name}", entry.id), text)
        })
    }))
}

/// A line for each entry.
fn lines(registry: &[Algorithm]) -> String {
    aligned(registry.iter().map(|entry| {
        let Algorithm { id, variant, summary, source, unavailable, .. } = entry;
        let unavailable = unavailable.map(|reason| format!(" Unavailable: {reason}."));
        let unavailable = unavailable.unwrap_or_default();
        (indented(id, *variant), format!("{summary}{unavailable} [{source}]"))
    }))
}

/// What all entries state, and `more` that only those of a stage do.
fn entry_as_json(stage: &str, [id, name, summary, source]: [&str; 4], more: &Value) -> Value {
    let mut entry =
        json!({ "stage": stage, "id": id, "name": name, "summary": summary, "source": source });
    for (key, value) in more.as_object().into_iter().flatten() {
        entry[key] = value.clone();
    }
    entry
}

fn volume_as_json(kind: &VolumeKind) -> Value {
    let texts = [kind.id, kind.name, kind.summary, kind.source];
    entry_as_json("volume", texts, &json!({ "exact": kind.exact }))
}

fn narrow_as_json(kind: &NarrowPhaseKind) -> Value {
    let more = json!({
        "family": kind.family(),
        "variant": kind.variant(),
        "cost": kind.cost,
        "peer": narrow::find(kind.id).is_none(),
    });
    entry_as_json("narrow", [kind.id, kind.name, kind.summary, kind.source], &more)
}

fn impact_as_json(kind: &ImpactKind) -> Value {
    let exact = match kind.exactness {
        Exactness::Never => "no",
        Exactness::Translation => "translation",
        Exactness::ToTolerance => "yes",
    };
    let is_peer = impact::find(kind.id).is_err();
    let more = json!({ "cost": kind.cost, "peer": is_peer, "exact": exact });
    entry_as_json("impact", [kind.id, kind.name, kind.summary, kind.source], &more)
}

fn as_json(entry: &Algorithm) -> Value {
    let parameter = |parameter: &Parameter| {
        json!({
            "name": parameter.name,
            "meaning": parameter.meaning,
            "default": parameter.default,
            "least": parameter.range[0],
            "most": parameter.range[1],
            "whole": parameter.is_whole,
        })
    };
    let more = json!({
        "family": entry.family,
        "variant": entry.variant,
        "peer": entry.peer,
        "unavailable": entry.unavailable,
        "parameters": entry.parameters.iter().map(parameter).collect::<Vec<_>>(),
    });
    entry_as_json("broad", [entry.id, entry.name, entry.summary, entry.source], &more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::tests::registry_with_variants;

    #[test]
    fn unavailable_algorithms_are_listed_with_their_reason() {
        let absent = Algorithm { unavailable: Some("no adapter"), ..registry_with_variants()[0] };
        assert_eq!(lines(&[absent]), "drops  faulty on purpose Unavailable: no adapter. [none]\n");
        assert_eq!(as_json(&absent)["unavailable"], "no adapter");
    }
}
