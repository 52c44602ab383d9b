//! `harness list`: the algorithms, and the methods of the stages after them.

use crate::console;
use crate::failure::Failure;
use crate::registry::{self, narrow_phases, times_of_impact};
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::Args;
use narrowphase::impact::{self, Exactness, ImpactKind};
use narrowphase::narrow::{self, NarrowPhaseKind};
use narrowphase::volume::{VOLUMES, VolumeKind};
use serde_json::{Value, json};

#[derive(Debug, Args)]
pub(crate) struct ListOptions {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Prints the registry, and the peers behind it.
pub(crate) fn list(options: &ListOptions) -> Result<(), Failure> {
    let volumes: Vec<Value> = VOLUMES.iter().map(volume).collect();
    let narrow_phases: Vec<Value> = narrow_phases().iter().map(narrow_phase).collect();
    let impacts: Vec<Value> = times_of_impact().iter().map(time_of_impact).collect();
    if options.json {
        let ours = registry::offered().iter().map(algorithm).collect();
        let rows = [ours, volumes, narrow_phases, impacts].concat();
        return console::print(&format!("{:#}\n", Value::from(rows)));
    }
    let of = |entries: &[Algorithm]| lines(&entries.iter().map(algorithm).collect::<Vec<_>>());
    let versions = registry::peer_versions().join(", ");
    let mut text = of(&ALGORITHMS);
    for (title, lines) in [
        (format!("peers ({versions})"), of(registry::PEERS)),
        ("parameters, as --set ID.PARAMETER=V".to_owned(), parameters()),
        ("bounding volumes of bodies".to_owned(), lines(&volumes)),
        ("narrow phases of bodies".to_owned(), lines(&narrow_phases)),
        ("times of impact of bodies".to_owned(), lines(&impacts)),
    ] {
        if !lines.is_empty() {
            text += &format!("\n{title}:\n{lines}");
        }
    }
    console::print(&text)
}

/// A line for each id and its text, the texts below each other.
fn aligned(rows: &[(String, String)]) -> String {
    let width = rows.iter().map(|(id, _)| id.len()).max().unwrap_or(0);
    rows.iter().map(|(id, text)| format!("{id:width$}  {text}\n")).collect()
}

/// A line for each entry. Variants are indented below their family.
fn lines(entries: &[Value]) -> String {
    let row = |entry: &Value| {
        let text = |key: &str| entry[key].as_str().unwrap_or_default();
        let unavailable = entry["unavailable"].as_str();
        let unavailable = unavailable.map(|reason| format!(" Unavailable: {reason}."));
        let exact = match &entry["exact"] {
            Value::Bool(false) => " Inexact: it misses contacts.",
            exact if exact == "no" => " Inexact: its faults are counted.",
            exact if exact == "translation" => " Exact unless a body rotates.",
            _ => "",
        };
        let parameter = if entry["substeps"] == true { " As @k=K: K static tests." } else { "" };
        let (summary, source) = (text("summary"), text("source"));
        let unavailable = unavailable.unwrap_or_default();
        let indent = if entry["variant"].is_string() { "  " } else { "" };
        let text = format!("{summary}{unavailable}{exact}{parameter} [{source}]");
        (format!("{indent}{}", entry["id"].as_str().unwrap_or_default()), text)
    };
    aligned(&entries.iter().map(row).collect::<Vec<_>>())
}

/// The parameters of each family: the default, what it is, and its values.
fn parameters() -> String {
    let rows = ALGORITHMS.families().flat_map(|entry| {
        entry.parameters.iter().map(|parameter| {
            let (default, meaning) = (parameter.default, parameter.meaning);
            let text = format!("{default:<5} {meaning} [{}]", parameter.values());
            (format!("{}.{}", entry.id, parameter.name), text)
        })
    });
    aligned(&rows.collect::<Vec<_>>())
}

fn volume(kind: &VolumeKind) -> Value {
    let (VolumeKind { id, name, summary, source, .. }, exact) = (kind, kind.exact);
    json!({ "stage": "volume", "id": id, "name": name, "summary": summary, "source": source, "exact": exact })
}

fn narrow_phase(kind: &NarrowPhaseKind) -> Value {
    let (NarrowPhaseKind { id, name, summary, source, .. }, cost) = (kind, kind.cost);
    json!({
        "stage": "narrow", "id": id, "name": name, "summary": summary, "source": source, "cost": cost,
        "family": kind.family(), "variant": kind.variant(), "peer": narrow::find(id).is_none(),
    })
}

fn time_of_impact(kind: &ImpactKind) -> Value {
    let ImpactKind { id, name, summary, source, .. } = kind;
    let (cost, has_substeps) = (kind.cost, kind.has_substeps);
    let exact = match kind.exactness {
        Exactness::Never => "no",
        Exactness::Translation => "translation",
        Exactness::ToTolerance => "yes",
    };
    json!({
        "stage": "impact", "id": id, "name": name, "summary": summary, "source": source, "cost": cost,
        "peer": impact::find(id).is_err(), "exact": exact, "substeps": has_substeps,
    })
}

fn algorithm(entry: &Algorithm) -> Value {
    let &Algorithm { id, name, summary, source, family, variant, peer, unavailable, .. } = entry;
    let parameters = entry.parameters.iter().map(|parameter| {
        let ([least, most], default) = (parameter.range, parameter.default);
        json!({
            "name": parameter.name, "meaning": parameter.meaning, "default": default, "least": least, "most": most,
            "whole": parameter.is_whole,
        })
    });
    json!({
        "stage": "broad", "id": id, "name": name, "summary": summary, "source": source, "family": family,
        "variant": variant, "peer": peer, "unavailable": unavailable,
        "parameters": parameters.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::tests::DROPS;

    #[test]
    fn unavailable_algorithms_are_listed_with_their_reason() {
        let absent = algorithm(&Algorithm { unavailable: Some("no adapter"), ..DROPS });
        assert_eq!(
            lines(std::slice::from_ref(&absent)),
            "drops  faulty on purpose Unavailable: no adapter. [none]\n"
        );
        assert_eq!(absent["unavailable"], "no adapter");
    }
}
