//! Writes down what the build was made with, for `machine.json`.

use std::process::Command;

fn main() {
    // Only the compiler and the build's settings are recorded, and a change of those rebuilds
    // this crate anyway.
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_default();
    record("MEASURE_RUSTC", version.trim());
    for (name, from) in [
        ("MEASURE_PROFILE", "PROFILE"),
        ("MEASURE_OPT_LEVEL", "OPT_LEVEL"),
        ("MEASURE_TARGET", "TARGET"),
        ("MEASURE_TARGET_FEATURES", "CARGO_CFG_TARGET_FEATURE"),
    ] {
        record(name, &std::env::var(from).unwrap_or_default());
    }
}

fn record(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={value}");
}
