//! Tests that need programs of the system, where libtest cannot decide at run time what is ignored.

use libtest_mimic::{Failed, Trial};
use std::process::Command;

/// A test that needs `tools`, separated by commas.
pub(crate) fn trial(
    name: &str,
    tools: &str,
    test: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    let there = |tool: &&str| Command::new(tool).arg("--version").output().is_ok();
    let missing = tools.split(", ").find(|tool| !there(tool)).map(str::to_owned);
    match missing {
        None => Trial::test(name, test),
        // `--include-ignored` runs it all the same; it must not pass then.
        Some(tool) => {
            let reason = format!("no {tool}");
            Trial::test(name, move || Err(format!("{tool} cannot be started").into()))
                .with_kind(reason)
                .with_ignored_flag(true)
        }
    }
}

/// Runs a program that must succeed. Gives its standard output.
pub(crate) fn succeed(command: &mut Command) -> Result<String, Failed> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{command:?}: {output:?}").into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
