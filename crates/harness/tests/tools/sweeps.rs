//! The scripts in `examples/sweeps`: all shards of a plan are measured, and their page is made.

use crate::{succeed, trial};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Two small cells.
const ATLAS: &str = "atlas --seed 5 --objects-up-to 300 --cells 2 --repeat 1 --threads 1 --quiet";
/// Two cases.
const RUN: &str = "run --boxes gas:30,gas:60 --algorithms bsp --frames 2 --repeat 1 --quiet";

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("gnu_parallel_measures_all_shards_and_makes_the_page", "bash, parallel", || {
            let folder = tempfile::tempdir()?;
            let script = |plan: &str| -> Result<String, Failed> {
                let mut bash = script("gnu-parallel.sh", folder.path());
                succeed(bash.args(["2", "a folder"]).args(plan.split_whitespace()))
            };
            let said = script(ATLAS)?;
            let page = fs::read_to_string(folder.path().join("a folder/page/atlas.md"))?;
            expect(&said, "On 2 of 2 cells of seed 5")?;
            expect(&page, "On 2 of 2 cells of seed 5")?;
            // What is done is not measured again.
            let rows = folder.path().join("a folder/shard-2/atlas/cells/atlas.csv");
            let before = fs::read(&rows)?;
            script(ATLAS)?;
            if fs::read(&rows)? != before {
                return Err("a shard that was done was measured again".into());
            }
            fs::remove_dir_all(folder.path().join("a folder"))?;
            script(RUN)?;
            let page = fs::read_to_string(folder.path().join("a folder/report.html"))?;
            expect(&page, "gas: n = 30,")?;
            expect(&page, "gas: n = 60,")
        }),
        trial("slurm_task_measures_its_shard", "bash", || {
            let folder = tempfile::tempdir()?;
            // Stands for Slurm: runs what follows its own options.
            let srun = folder.path().join("srun");
            fs::write(&srun, "#!/bin/sh\nshift\nexec \"$@\"\n")?;
            succeed(Command::new("chmod").arg("+x").arg(&srun))?;
            let path = std::env::var("PATH")?;
            for task in ["1", "2"] {
                let mut bash = script("slurm-array.sh", folder.path());
                bash.env("SLURM_ARRAY_TASK_ID", task);
                bash.env("PATH", format!("{}:{path}", folder.path().display()));
                succeed(
                    bash.args(["2", "out"]).args(RUN.replace(" --quiet", "").split_whitespace()),
                )?;
            }
            let harness = assert_cmd::cargo::cargo_bin!("harness");
            let report = ["report", "out/shard-1", "out/shard-2", "--out", "r.html"];
            succeed(Command::new(harness).current_dir(folder.path()).args(report)).map(drop)
        }),
    ]
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sweeps").join(name)
}

/// A script that is run in a folder.
fn script(name: &str, folder: &Path) -> Command {
    let mut bash = Command::new("bash");
    let harness = assert_cmd::cargo::cargo_bin!("harness");
    bash.arg(example(name).canonicalize().unwrap()).current_dir(folder).env("HARNESS", harness);
    bash
}

fn expect(text: &str, part: &str) -> Result<(), Failed> {
    if text.contains(part) { Ok(()) } else { Err(format!("no `{part}` in {text}").into()) }
}
