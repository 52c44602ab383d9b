//! `harness list`: the algorithms.

use crate::cli::ListOptions;
use crate::console;
use crate::failure::Failure;
use crate::registry;
use broadphase::registry::{ALGORITHMS, Algorithm};
use serde_json::{Value, json};

/// Prints the registry, and the peers behind it.
pub(crate) fn list(options: &ListOptions) -> Result<(), Failure> {
    if options.json {
        let rows: Vec<Value> = registry::rows().map(as_json).collect();
        return console::print(&format!("{:#}\n", Value::from(rows)));
    }
    console::print(&lines(ALGORITHMS))?;
    if !registry::PEERS.is_empty() {
        let versions = registry::peer_versions().join(", ");
        console::print(&format!("\npeers ({versions}):\n{}", lines(registry::PEERS)))?;
    }
    Ok(())
}

/// A line for each row; variants are indented below their family.
fn lines(registry: &[Algorithm]) -> String {
    let indented = |row: &Algorithm| match row.variant {
        Some(_) => format!("  {}", row.id),
        None => row.id.to_owned(),
    };
    let width = registry.iter().map(|row| indented(row).len()).max().unwrap_or(0);
    let line =
        |row: &Algorithm| format!("{:width$}  {} [{}]\n", indented(row), row.summary, row.source);
    registry.iter().map(line).collect()
}

fn as_json(row: &Algorithm) -> Value {
    json!({
        "id": row.id,
        "family": row.family,
        "variant": row.variant,
        "name": row.name,
        "summary": row.summary,
        "source": row.source,
        "peer": row.peer,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::tests::registry_with_variants;

    #[test]
    fn variants_stand_indented_below_their_family() {
        let registry = registry_with_variants();
        let text = "faulty on purpose [none]";
        let expected = format!(
            "drops         {text}\n  drops+slow  {text}\n  drops+fast  {text}\npanics        {text}\n"
        );
        assert_eq!(lines(&registry), expected);
        let variants: Vec<Value> =
            registry.iter().map(|row| as_json(row)["variant"].clone()).collect();
        assert_eq!(variants, [json!(null), json!("slow"), json!("fast"), json!(null)]);
        assert!(registry[..3].iter().all(|row| as_json(row)["family"] == "drops"));
    }
}
