//! `harness list`: the algorithms.

use crate::cli::ListOptions;
use crate::console;
use crate::failure::Failure;
use crate::registry;
use broadphase::{ALGORITHMS, Algorithm};
use serde_json::{Value, json};

/// Prints the registry, and the peers behind it.
pub(crate) fn list(options: &ListOptions) -> Result<(), Failure> {
    if options.json {
        let row = |a: &Algorithm, peer: bool| {
            json!({
                "id": a.id,
                "name": a.name,
                "summary": a.summary,
                "source": a.source,
                "peer": peer,
            })
        };
        let ours = ALGORITHMS.iter().map(|a| row(a, false));
        let rows: Vec<Value> = ours.chain(registry::PEERS.iter().map(|a| row(a, true))).collect();
        return console::print(&format!("{:#}\n", Value::from(rows)));
    }
    let width = registry::rows().map(|a| a.id.len()).max().unwrap_or(0);
    let lines = |rows: &[Algorithm]| -> String {
        rows.iter().map(|a| format!("{:width$}  {} [{}]\n", a.id, a.summary, a.source)).collect()
    };
    console::print(&lines(ALGORITHMS))?;
    if !registry::PEERS.is_empty() {
        let versions = registry::peer_versions().join(", ");
        console::print(&format!("\npeers ({versions}):\n{}", lines(registry::PEERS)))?;
    }
    Ok(())
}
