//! The trajectory of each scene of the project, as it is on every machine.
//!
//! Whole trajectories are played where `TRAJECTORY_STEPS=1000` asks for them, as `.ci/extended` does: on 1, 2 and 4 threads,
//! and with each instruction set. There `harness verify` also compares the trajectories of all algorithms.

use crate::common::{NEVER, SetClock, plan, row};
use broadphase::benchmark::{SimdLimit, limit_simd, simd_name};
use measure::{CaseOptions, Input, Method, Plan, Stages, Watch, verify_case};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// The hash of the world after 30 steps and after 1000. It changes only where the motion is meant to.
const HASHES: [(&str, [u64; 2]); 17] = [
    ("bullet", [0xd60e_c037_4111_24e4, 0x1b6c_df68_13d3_c6ca]),
    ("cars", [0xb943_372a_ccd6_8700, 0x367c_8eab_fd41_d2ee]),
    ("characters", [0x76e7_cf53_d9c8_b32a, 0xc5a4_feab_0cf4_4329]),
    ("contacts", [0x9db7_59a4_b16a_0ed1, 0xc6b8_5c26_ca04_c4ac]),
    ("fer", [0x23f2_3f3e_91a8_0140, 0x7e66_8a16_5e10_665d]),
    ("fig-6-4", [0xef22_e9a9_e46c_29af, 0x0835_42f8_07f2_87a8]),
    ("first", [0x286e_aa03_fb0a_1f62, 0x2beb_94f8_6e37_a193]),
    ("jacks", [0x5f25_f8dd_73a2_7dac, 0x139b_4e2d_66bd_5b4f]),
    ("lab", [0xf482_748a_aea0_2e98, 0x85bc_090d_aa2f_bf36]),
    ("layers", [0xe45a_567e_03c8_b811, 0x110d_d622_3b53_f36f]),
    ("pad", [0x2c99_75b9_6e7c_2fc0, 0x6b3c_251d_eab5_574e]),
    ("paper", [0x90f9_b159_5627_3da1, 0x5ec2_4b9d_7bda_c091]),
    ("random", [0x1385_a24c_e971_2821, 0x7f3b_4478_2d75_4b0f]),
    ("rods", [0x97f4_ad04_5536_8ede, 0x2fdc_c7e1_5ae7_47a7]),
    ("simple-shapes", [0x23ef_d4b0_4cfe_ccbe, 0x2d84_ef4f_dbea_2746]),
    ("stepenice", [0x43a3_b2e0_2925_eb96, 0x8325_d49d_eb3e_63e2]),
    ("zoo", [0x9d43_f313_4473_59d5, 0x4ddf_955a_9e97_e81b]),
];

#[test]
fn each_scene_has_its_trajectory() {
    let _alone = crate::ALONE.lock();
    let is_whole = match std::env::var("TRAJECTORY_STEPS").as_deref() {
        Err(_) | Ok("30") => false,
        Ok("1000") => true,
        Ok(other) => panic!("TRAJECTORY_STEPS={other}: expected 30 or 1000"),
    };
    let steps = if is_whole { 1000 } else { 30 };
    let limits = if is_whole { &SimdLimit::ALL[..] } else { &[SimdLimit::None] };
    let mut played = HashSet::new();
    for limit in limits {
        limit_simd(*limit);
        // A processor without AVX-512 has the same best set again.
        if played.insert(simd_name()) {
            println!("{steps} steps, {}", simd_name());
            // Answers about bodies have no vector code.
            let methods = match limit {
                SimdLimit::None => Method::all(),
                _ => Vec::new(),
            };
            check(steps, &methods, if is_whole { &[1, 2, 4][..] } else { &[1] });
        }
    }
}

/// Plays all scenes on these numbers of threads.
fn check(steps: u32, methods: &[Method], threads: &[u32]) {
    let is_whole = steps == 1000;
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let (stages, clock) = (Some(Stages::Each(methods)), SetClock::new());
    let plan = Plan { stages, threads, ..plan(&[], 1) };
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(scenes).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let options =
            CaseOptions { warmup: Some(0), frames: Some(steps), ..CaseOptions::default() };
        let cases = Input::open(&path).unwrap().cases(&options).unwrap();
        let watch = Watch { observer: &mut (), stop: &NEVER, finished: Vec::new() };
        let report = verify_case(&cases[0], row("auto"), &plan, &clock, watch).unwrap();
        assert_eq!((report.findings, report.frames), (vec![], steps), "{name}, {}", simd_name());
        found.insert(name, format!("{:016x}", report.hash));
    }
    let expected = HASHES
        .map(|(name, hashes)| (name.to_owned(), format!("{:016x}", hashes[usize::from(is_whole)])));
    assert_eq!(found, BTreeMap::from(expected));
}
