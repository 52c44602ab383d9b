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
    console::print(&format!(
        "\nparameters, as --set ID.PARAMETER=V:\n{}",
        parameters(&ALGORITHMS)
    ))?;
    console::print(&format!("\nbounding volumes of bodies:\n{}", volumes()))?;
    console::print(&format!("\nnarrow phases of bodies:\n{}", lines_of_narrow_phases()))?;
    console::print(&format!("\ntimes of impact of bodies:\n{}", impacts()))
}

/// For which motions a time of impact is right.
fn exactness(kind: &ImpactKind) -> &'static str {
    match kind.exactness {
        Exactness::Never => "no",
        Exactness::Translation => "translation",
        Exactness::ToTolerance => "yes",
    }
}

/// A line for each time of impact.
fn impacts() -> String {
    let width = times_of_impact().iter().map(|kind| kind.id.len()).max().unwrap_or(0);
    let line = |kind: &ImpactKind| {
        let ImpactKind { id, summary, source, .. } = kind;
        let exact = match kind.exactness {
            Exactness::Never => " Inexact: its faults are counted.",
            Exactness::Translation => " Exact unless a body rotates.",
            Exactness::ToTolerance => "",
        };
        let parameter = if kind.has_substeps { " As @k=K: K static tests." } else { "" };
        format!("{id:width$}  {summary}{exact}{parameter} [{source}]\n")
    };
    times_of_impact().iter().map(line).collect()
}

/// A line for each bounding volume.
fn volumes() -> String {
    let width = VOLUMES.iter().map(|kind| kind.id.len()).max().unwrap_or(0);
    let line = |kind: &VolumeKind| {
        let VolumeKind { id, summary, source, .. } = kind;
        let exact = if kind.exact { "" } else { " Inexact: it misses contacts." };
        format!("{id:width$}  {summary}{exact} [{source}]\n")
    };
    VOLUMES.iter().map(line).collect()
}

/// A line for each narrow phase; variants are indented below their family.
fn lines_of_narrow_phases() -> String {
    let indented = |kind: &NarrowPhaseKind| match kind.variant() {
        Some(_) => format!("  {}", kind.id),
        None => kind.id.to_owned(),
    };
    let width = narrow_phases().iter().map(|kind| indented(kind).len()).max().unwrap_or(0);
    let line = |kind: &NarrowPhaseKind| {
        format!("{:width$}  {} [{}]\n", indented(kind), kind.summary, kind.source)
    };
    narrow_phases().iter().map(line).collect()
}

/// A line for each parameter of a family: its default, what it is, and its values.
fn parameters(registry: &[Algorithm]) -> String {
    let families = registry.iter().filter(|entry| entry.variant.is_none());
    let all: Vec<(String, &Parameter)> = families
        .flat_map(|entry| entry.parameters.iter().map(|p| (format!("{}.{}", entry.id, p.name), p)))
        .collect();
    let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let line = |(name, parameter): &(String, &Parameter)| {
        let Parameter { default, meaning, .. } = parameter;
        format!("{name:width$}  {default:<5} {meaning} [{}]\n", parameter.values())
    };
    all.iter().map(line).collect()
}

/// A line for each entry; variants are indented below their family.
fn lines(registry: &[Algorithm]) -> String {
    let indented = |entry: &Algorithm| match entry.variant {
        Some(_) => format!("  {}", entry.id),
        None => entry.id.to_owned(),
    };
    let width = registry.iter().map(|entry| indented(entry).len()).max().unwrap_or(0);
    let line = |entry: &Algorithm| {
        let unavailable = entry.unavailable.map(|reason| format!(" Unavailable: {reason}."));
        let Algorithm { summary, source, .. } = entry;
        format!(
            "{:width$}  {summary}{} [{source}]\n",
            indented(entry),
            unavailable.unwrap_or_default()
        )
    };
    registry.iter().map(line).collect()
}

fn volume_as_json(kind: &VolumeKind) -> Value {
    json!({
        "stage": "volume",
        "id": kind.id,
        "name": kind.name,
        "summary": kind.summary,
        "source": kind.source,
        "exact": kind.exact,
    })
}

fn narrow_as_json(kind: &NarrowPhaseKind) -> Value {
    json!({
        "stage": "narrow",
        "id": kind.id,
        "family": kind.family(),
        "variant": kind.variant(),
        "name": kind.name,
        "summary": kind.summary,
        "source": kind.source,
        "cost": kind.cost,
        "peer": narrow::find(kind.id).is_none(),
    })
}

fn impact_as_json(kind: &ImpactKind) -> Value {
    json!({
        "stage": "impact",
        "id": kind.id,
        "name": kind.name,
        "summary": kind.summary,
        "source": kind.source,
        "cost": kind.cost,
        "peer": impact::find(kind.id).is_err(),
        "exact": exactness(kind),
    })
}

fn as_json(entry: &Algorithm) -> Value {
    json!({
        "stage": "broad",
        "id": entry.id,
        "family": entry.family,
        "variant": entry.variant,
        "name": entry.name,
        "summary": entry.summary,
        "source": entry.source,
        "peer": entry.peer,
        "unavailable": entry.unavailable,
        "parameters": entry.parameters.iter().map(parameter_as_json).collect::<Vec<_>>(),
    })
}

fn parameter_as_json(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name,
        "meaning": parameter.meaning,
        "default": parameter.default,
        "least": parameter.range[0],
        "most": parameter.range[1],
        "whole": parameter.is_whole,
    })
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
