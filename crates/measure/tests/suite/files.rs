//! The files of a run are as their contract says.

use crate::common::{crowded, measure, plan, row};
use measure::{
    Case, Cell, FinishedRepetition, FrameRow, FramesFile, Labels, Machine, Output, OutputError,
    Plan, RowReader, RunId, Sample, Status, SummaryFile, SummaryRow, Table, run_directory,
};
use std::fs;
use std::path::{Path, PathBuf};

/// The columns of the contract; ours follow.
const FRAMES_HEADER: &str = "run_id,input,n,seed,algorithm,threads,repeat,frame,phase,update_ns,\
    pairs_ns,response_ns,render_ns,tests,pairs,hits,heap_bytes,allocations,checksum,";
const SUMMARY_HEADER: &str = "run_id,input,n,seed,algorithm,threads,frames,repeats,median_ns,\
    p95_ns,min_ns,ci_low_ns,ci_high_ns,update_median_ns,pairs_median_ns,tests,pairs,hits,\
    heap_bytes,allocations,fps,collision_share,checksum,status,reason,";

fn machine() -> Machine {
    Machine::detect(&RunId::now(), vec!["harness".into(), "run".into()])
}

fn create(folder: &Path) -> Output {
    Output::create(folder, Table::of_cells(), false, &machine()).unwrap()
}

/// Writes the rows of a cell. Returns the run's name in them.
fn write(folder: &Path, cell: &Cell, case: &Case, plan: &Plan<'_>) -> String {
    let mut output = create(folder);
    for samples in cell.samples.chunk_by(|a, b| a.repeat == b.repeat) {
        let finished = FinishedRepetition {
            algorithm: cell.algorithm.clone(),
            threads: cell.threads,
            repeat: samples[0].repeat,
            spent_ns: 0,
            outcome: None,
            samples: samples.to_vec(),
        };
        output.keep(case, &finished).unwrap();
    }
    let id = output.run_id().to_owned();
    output.add_cells(&[cell.summary(&id, case, plan)]).unwrap();
    output.finish("now", &[]).unwrap();
    id
}

#[test]
fn rows_have_the_columns_of_the_contract_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let algorithms = [row("brute-force")];
    let (case, plan) = (crowded(1, 4), plan(&algorithms, 2));
    let cell = &measure(&case, &plan).cells[0];
    let id = write(folder.path(), cell, &case, &plan);

    let text = fs::read_to_string(folder.path().join("frames.csv")).unwrap();
    assert!(text.starts_with(FRAMES_HEADER), "{text}");
    // No renderer, no counting allocator, no events: empty cells, not zeros.
    let first = text.lines().nth(1).unwrap();
    let start = format!("{id},crowded,60,1739,brute-force,1,0,0,warmup,10,10,10,,");
    assert!(first.starts_with(&start), "{first}");
    let frames: Vec<FrameRow> =
        csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect();
    let expected: Vec<FrameRow> = cell.frame_rows(&id, &case).collect();
    assert_eq!(frames, expected);
    assert_eq!(frames.len(), 10);
    assert!(frames.iter().all(|row| row.allocations.is_none() && row.events_ns.is_none()));

    let text = fs::read_to_string(folder.path().join("summary.csv")).unwrap();
    assert!(text.starts_with(SUMMARY_HEADER));
    let rows: Vec<SummaryRow> =
        csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect();
    assert_eq!(rows, [cell.summary(&id, &case, &plan)]);
}

/// The value that pandas, R or a spreadsheet reads.
fn as_number(field: &str) -> Option<f64> {
    let hexadecimal =
        field.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    field.parse().ok().or(hexadecimal.map(|number| number as f64))
}

#[test]
fn no_text_in_a_table_reads_as_a_number() {
    let (folder, cell) =
        (tempfile::tempdir().unwrap(), measure(&crowded(0, 1), &plan(&[row("bsp")], 1)));
    // As digits alone: infinite, equal as floating-point numbers, an exponent, a hexadecimal number.
    let checksums = [
        0x091e_7318_9257_8660,
        0x1234_5678_9012_3456,
        0x1234_5678_9012_3457,
        0x0000_0000_0000_01e5,
        0x0000_0000_0000_0011,
    ];
    assert_eq!(as_number("091e731892578660"), Some(f64::INFINITY));
    let seeds = [1, 1 << 53, (1 << 53) + 1, u64::MAX - 1, u64::MAX];
    let rows = checksums.iter().zip(seeds).map(|(&checksum, seed)| {
        let labels = Labels {
            run_id: RunId::now().to_string(),
            input: "a.scene".into(),
            n: 3,
            seed: Some(seed),
            algorithm: "bsp".into(),
            threads: 1,
        };
        FrameRow::new(&labels, &Sample { checksum, ..cell.cells[0].samples[0] })
    });
    let rows: Vec<FrameRow> = rows.collect();
    let path = folder.path().join("rows.csv");
    FramesFile::create(&path).unwrap().write(rows.clone()).unwrap();
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let header = reader.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let column = |name: &str| -> Vec<&str> {
        let place = header.iter().position(|column| column == name).unwrap();
        records.iter().map(|record| &record[place]).collect()
    };
    for name in ["run_id", "input", "algorithm", "phase", "checksum"] {
        let numbers: Vec<&str> =
            column(name).into_iter().filter(|field| as_number(field).is_some()).collect();
        assert!(numbers.is_empty(), "{name}: {numbers:?}");
    }
    // A number is the seed itself.
    for (field, seed) in column("seed").into_iter().zip(seeds) {
        assert!(
            as_number(field).is_none_or(|number| number as u128 == u128::from(seed)),
            "{field}"
        );
    }
    // Earlier versions wrote the digits alone.
    for text in [
        fs::read_to_string(&path).unwrap(),
        fs::read_to_string(&path)
            .unwrap()
            .replace(",x", ",")
            .replace(",s1", ",1")
            .replace(",s9", ",9"),
    ] {
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
fn rows_of_earlier_versions_without_stages_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let algorithms = [row("bsp")];
    let (case, plan) = (crowded(0, 2), plan(&algorithms, 1));
    let cell = &measure(&case, &plan).cells[0];
    let id = write(folder.path(), cell, &case, &plan);

    let old = |name: &str| {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        let text = without_columns_from(&text, "volume_ns");
        fs::write(folder.path().join("old.csv"), &text).unwrap();
        (folder.path().join("old.csv"), text)
    };
    // What is read has the columns that are there.
    let again =
        |path: PathBuf| without_columns_from(&fs::read_to_string(path).unwrap(), "volume_ns");
    let (path, text) = old("frames.csv");
    let frames = RowReader::open(&path).unwrap().rows::<FrameRow>().unwrap();
    assert!(frames.len() == cell.samples.len() && frames.iter().all(|row| row.volume_ns.is_none()));
    let file = FramesFile::create(&folder.path().join("again.csv")).unwrap();
    assert_eq!(again(file.write(frames).unwrap()), text);
    let (path, text) = old("summary.csv");
    let rows = SummaryFile::read(&path).unwrap().rows;
    assert!(rows.len() == 1 && rows[0].depth.is_none(), "{rows:?}");
    let file = FramesFile::create(&folder.path().join("again.csv")).unwrap();
    assert_eq!(again(file.write(rows).unwrap()), text);
    let summary = cell.summary(&id, &case, &plan);
    assert!(summary.depth > Some(0.0) && summary.listings >= Some(60.0), "{summary:?}");

    let repetition = serde_json::to_value(cell.samples[0]).unwrap();
    let mut fields = repetition.as_object().unwrap().clone();
    assert!(fields.remove("stages").is_some());
    let sample: Sample = serde_json::from_value(fields.into()).unwrap();
    assert_eq!(sample, cell.samples[0]);
}

#[test]
fn reason_with_commas_quotes_and_line_ends_is_one_field() {
    let folder = tempfile::tempdir().unwrap();
    let mut output = create(folder.path());
    let labels = Labels {
        run_id: "id".into(),
        input: "a,b.scene".into(),
        n: 3,
        seed: None,
        algorithm: "bsp".into(),
        threads: 1,
    };
    let reason = "pair (1, 2) \"is\"\nmissing";
    let row = SummaryRow::without_figures(&labels, 9, 1, Status::Error, Some(reason.into()));
    output.add_cells(std::slice::from_ref(&row)).unwrap();
    let mut reader = csv::Reader::from_path(folder.path().join("summary.csv")).unwrap();
    let rows: Vec<SummaryRow> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows, [row]);
}

#[test]
fn results_are_replaced_only_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("summary.csv"), "precious").unwrap();
    let refused = Output::create(folder.path(), Table::of_cells(), false, &machine());
    assert!(matches!(refused, Err(OutputError::Exists(path)) if path.ends_with("summary.csv")));
    assert!(!folder.path().join("frames.csv").exists());
    assert_eq!(fs::read_to_string(folder.path().join("summary.csv")).unwrap(), "precious");
    Output::create(folder.path(), Table::of_cells(), true, &machine()).unwrap();
    let text = fs::read_to_string(folder.path().join("summary.csv")).unwrap();
    assert!(text.starts_with(SUMMARY_HEADER) && text.lines().count() == 1, "{text}");
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

#[test]
fn machine_file_has_the_machine_and_the_build() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let text = fs::read_to_string(folder.path().join("machine.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let keys = "cpu physical_cores logical_cores memory_bytes os gpu rustc profile target_features simd git date \
        command_line warnings";
    for key in keys.split_whitespace() {
        assert!(json.get(key).is_some(), "{key} is missing: {text}");
    }
    assert!(json["rustc"].as_str().unwrap().starts_with("rustc 1."), "{text}");
    assert_eq!(json["command_line"][1], "run");
    // Tests are built without optimisation or with debug assertions.
    assert!(json["warnings"][0].as_str().unwrap().contains("debug build"), "{text}");
}
