//! `harness list`: the algorithms.

use crate::cli::ListOptions;
use crate::console;
use crate::failure::Failure;
use broadphase::ALGORITHMS;
use serde_json::{Value, json};

/// Prints the registry.
pub(crate) fn list(options: &ListOptions) -> Result<(), Failure> {
    if options.json {
        let rows: Vec<Value> = ALGORITHMS
            .iter()
            .map(|a| json!({"id": a.id, "name": a.name, "summary": a.summary, "source": a.source}))
            .collect();
        return console::print(&format!("{:#}\n", Value::from(rows)));
    }
    let width = ALGORITHMS.iter().map(|a| a.id.len()).max().unwrap_or(0);
    let lines: String = ALGORITHMS
        .iter()
        .map(|a| format!("{:width$}  {} [{}]\n", a.id, a.summary, a.source))
        .collect();
    console::print(&lines)
}
