//! The files of a run are as their contract says; cells of the atlas as cases, and the frames that options choose.

use crate::common::{NEVER, crowded, measure, plan, row};
use broadphase::Aabb;
use measure::{
    Case, CaseOptions, Checksum, FrameRow, FramesFile, Input, Labels, RowReader, SummaryFile,
    record_case, run_directory,
};
use sim::atlas::{Cell, Placement};
use std::fs;

/// The columns of the contract; ours follow.
const FRAMES_HEADER: &str = "run_id,input,n,seed,algorithm,threads,repeat,frame,phase,update_ns,\
    pairs_ns,response_ns,render_ns,tests,pairs,hits,heap_bytes,allocations,checksum,";
const SUMMARY_HEADER: &str = "run_id,input,n,seed,algorithm,threads,frames,repeats,median_ns,\
    p95_ns,min_ns,ci_low_ns,ci_high_ns,update_median_ns,pairs_median_ns,tests,pairs,hits,\
    heap_bytes,allocations,fps,collision_share,checksum,status,reason,";

#[test]
fn rows_have_the_columns_of_the_contract_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let algorithms = [row("brute-force")];
    let (case, plan) = (crowded(1, 4), plan(&algorithms, 2));
    let cell = &measure(&case, &plan).cells[0];
    let [frames, summary] = ["frames.csv", "summary.csv"].map(|name| folder.path().join(name));
    let expected: Vec<FrameRow> = cell.frame_rows("r", &case).collect();
    FramesFile::create(&frames).unwrap().write(expected.clone()).unwrap();
    FramesFile::create(&summary).unwrap().write([cell.summary("r", &case, &plan)]).unwrap();
    let read = || {
        let rows = RowReader::open(&frames).unwrap().rows::<FrameRow>().unwrap();
        (rows, SummaryFile::read(&summary).unwrap().rows)
    };
    let [text, summaries] = [&frames, &summary].map(|path| fs::read_to_string(path).unwrap());
    assert!(text.starts_with(FRAMES_HEADER) && summaries.starts_with(SUMMARY_HEADER), "{text}");
    // No renderer, no counting allocator, no events: empty cells, not zeros.
    let first = text.lines().nth(1).unwrap();
    assert!(first.starts_with("r,crowded,60,1739,brute-force,1,0,0,warmup,10,10,10,,"), "{first}");
    assert!(expected.iter().all(|row| row.allocations.is_none() && row.events_ns.is_none()));
    assert_eq!(read(), (expected.clone(), vec![cell.summary("r", &case, &plan)]));

    // Earlier versions had fewer columns.
    for (path, text) in [(&frames, text), (&summary, summaries)] {
        fs::write(path, without_columns_from(&text, "volume_ns")).unwrap();
    }
    let (rebuilds, depth, listings, axis_overlaps) = (None, None, None, None);
    let old = |row| FrameRow { rebuilds, depth, listings, axis_overlaps, ..row };
    let (rows, summaries) = read();
    assert_eq!(rows, expected.into_iter().map(old).collect::<Vec<_>>());
    let [row] = &summaries[..] else { panic!("{summaries:?}") };
    assert!(row.depth.is_none() && row.rebuilds.is_none() && row.mean_ns.is_some(), "{row:?}");
}

#[test]
fn checksums_and_large_seeds_are_texts_that_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let cell = measure(&crowded(0, 1), &plan(&[row("bsp")], 1)).cells.remove(0);
    // As digits alone: infinite, an exponent, and a number that readers round.
    let values = [(0x091e_7318_9257_8660, 1 << 53), (0x1e5, (1 << 53) + 1), (0x11, u64::MAX)];
    let rows = values.map(|(checksum, seed)| {
        let labels = Labels { seed: Some(seed), ..crowded(0, 1).labels("r", "bsp", 1) };
        FrameRow { checksum: Checksum(checksum), ..cell.samples[0].clone() }.labelled(&labels)
    });
    let path = folder.path().join("rows.csv");
    FramesFile::create(&path).unwrap().write(rows.clone()).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    for field in
        [",9007199254740992,", ",s9007199254740993,", ",x091e731892578660,", ",x0000000000000011,"]
    {
        assert!(text.contains(field), "{field}: {text}");
    }
    // Earlier versions wrote the digits alone.
    for text in [text.clone(), text.replace(",x", ",").replace(",s9", ",9").replace(",s1", ",1")] {
        let reader = csv::Reader::from_reader(text.as_bytes());
        let read: Vec<FrameRow> = reader.into_deserialize().map(Result::unwrap).collect();
        assert_eq!(read, rows);
    }
}

/// The columns of a table from `first` on, with their commas.
fn without_columns_from(text: &str, first: &str) -> String {
    let header = text.lines().next().unwrap();
    let kept = header.split(',').position(|column| column == first).unwrap();
    let cut = |line: &str| line.split(',').take(kept).collect::<Vec<_>>().join(",") + "\r\n";
    text.lines().map(cut).collect()
}

#[test]
fn a_run_directory_is_never_shared() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..3)
        .map(|_| run_directory(folder.path(), "20260304-050607").unwrap())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, ["run-20260304-050607", "run-20260304-050607-2", "run-20260304-050607-3"]);
}

fn case(input: &Input, options: &CaseOptions) -> Case {
    input.cases(options).unwrap().remove(0)
}

#[test]
fn case_of_a_cell_counts_every_frame() {
    let cell = Cell { objects: 300, placement: Placement::Terrain, movers: 0.05, ..Cell::plain(7) };
    let case = Case::of_cell(cell);
    assert_eq!((case.input.as_str(), case.n, case.seed), ("atlas:7:0", 300, Some(7)));
    assert_eq!((case.warmup, case.frames, case.has_response()), (0, 300, false));
    let (mut expected, mut boxes) = (Vec::new(), Vec::new());
    cell.start().next_frame(&mut expected);
    let mut played = case.prescribed(0, &mut |_| true).unwrap().unwrap();
    played.next_frame(&mut boxes).unwrap();
    assert!(boxes == expected && played.layers().iter().any(|layer| layer.is_static));
    assert_eq!(case.space().union(&Aabb::bounds(&boxes)), case.space());
}

#[test]
fn options_choose_the_frames_but_not_the_seed_of_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bpt");
    let gas = Case::of_generated("gas:9".parse().unwrap(), 0, 20);
    record_case(&gas, row("bsp"), &path, true, &mut (), &NEVER).unwrap();
    let trace = case(&Input::open(&path).unwrap(), &CaseOptions::default());
    assert_eq!((trace.warmup, trace.frames), (2, 18), "a tenth of a trace warms up");
    let input = Input::boxes("atlas:7:12".parse().unwrap());
    assert!(!input.has_seed());
    let all = case(&input, &CaseOptions::default());
    assert_eq!((all.warmup, all.frames), (0, Cell::draw(7, 12).frames()));
    let (warmup, frames, seed) = (Some(3), Some(9), Some(1));
    let some = case(&input, &CaseOptions { warmup, frames, seed, ..CaseOptions::default() });
    assert_eq!((some.warmup, some.frames, some.seed), (3, 9, Some(7)));
    assert_eq!(some.content_hash().unwrap(), all.content_hash().unwrap());
}
