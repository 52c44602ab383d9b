use super::*;

/// The first frame warms up. Motion 100, update `10 * (frame + 1)`, pairs 5, response 20.
fn sample(repeat: u32, frame: u32) -> FrameRow {
    let number = u64::from(frame);
    let counters = Counters { tests: 7 * number, nodes: 15, depth: 4, ..Counters::default() };
    let row = FrameRow {
        repeat,
        frame,
        phase: if frame == 0 { Phase::Warmup } else { Phase::Measure },
        motion_ns: Some(100),
        update_ns: 10 * (number + 1),
        pairs_ns: 5,
        allocations: Some(number),
        allocated_bytes: Some(64 * number),
        peak_heap_bytes: Some(5000 - number),
        instructions: Some(1000),
        response_ns: Some(20),
        pairs: number,
        hits: Some(1),
        heap_bytes: Some(1000 - number),
        checksum: Checksum(number),
        ..FrameRow::default()
    };
    row.counted(&counters)
}

fn two_repetitions() -> Vec<FrameRow> {
    (0..10).map(|at| sample(at / 5, at % 5)).collect()
}

fn summary(samples: &[FrameRow]) -> SummaryRow {
    summarise(&Labels::default(), samples, 1)
}

#[test]
fn a_summary_matches_the_figures_worked_out_by_hand() {
    let row = summary(&two_repetitions());
    // Update + pairs of frames 1..=4: 25, 35, 45, 55, twice.
    assert_eq!((row.frames, row.repeats), (4, 2));
    assert_eq!([row.median_ns, row.mean_ns, row.p95_ns, row.min_ns], [40, 40, 55, 25].map(Some));
    assert_eq!([row.update_median_ns, row.pairs_median_ns], [Some(35), Some(5)]);
    assert_eq!([row.tests, row.pairs, row.hits], [17.5, 2.5, 1.0].map(Some));
    assert_eq!([row.allocations, row.allocated_bytes], [2.5, 160.0].map(Some));
    assert_eq!(row.heap_bytes, Some(999));
    // The peak was reached while warming up.
    assert_eq!(row.peak_heap_bytes, Some(5000));
    assert_eq!((row.response_median_ns, row.nodes, row.depth), (Some(20), Some(15.0), Some(4.0)));
    assert_eq!((row.listings, row.rebuilds), (Some(0.0), Some(0.0)));
    assert_eq!((row.instructions, row.cache_misses), (Some(1000.0), None));
    // Median of 45, 55, 65, 75 is 60 ns.
    assert_eq!(row.fps, Some(1e9 / 60.0));
    // Collisions 45 + 55 + 65 + 75 = 240 of 640 with the motion.
    assert_eq!(row.collision_share, Some(240.0 / 640.0));
    assert_eq!((row.status, row.reason), (Status::Ok, None));
    let (low, high) = (row.ci_low_ns.unwrap(), row.ci_high_ns.unwrap());
    assert!((25..=40).contains(&low) && (40..=55).contains(&high), "{low} {high}");
}

#[test]
fn events_drawing_and_a_slow_frame_change_their_figures_alone() {
    let mut samples = two_repetitions();
    let without = summary(&samples);
    assert_eq!((without.events_median_ns, without.began, without.ended), (None, None, None));
    samples[4].update_ns += 8000;
    for s in &mut samples {
        s.render_ns = Some(40);
        // Frames 1..=4, twice: 30 to 120 ns.
        let frame = u64::from(s.frame);
        (s.events_ns, s.began, s.ended) = (Some(30 * frame), Some(frame), Some(1));
    }
    let with = summary(&samples);
    assert_eq!((with.events_median_ns, with.began, with.ended), (Some(75), Some(2.5), Some(1.0)));
    assert_eq!((with.median_ns, with.mean_ns), (Some(40), Some(1040)));
    assert_eq!(with.fps, Some(1e9 / 100.0));
}

#[test]
fn figures_that_do_not_exist_are_left_out() {
    let mut samples = two_repetitions();
    for s in &mut samples {
        (s.motion_ns, s.response_ns, s.hits, s.allocations) = (None, None, None, None);
    }
    let row = summary(&samples);
    let many: Vec<FrameRow> = (0..=20).map(|frame| sample(0, frame)).collect();
    assert_eq!(summary(&many).p95_ns, Some(10 * 20 + 5), "the 19th of 20");
    assert_eq!((row.hits, row.allocations, row.collision_share), (None, None, None));
    let nothing = summary(&[]);
    assert_eq!((nothing.median_ns, nothing.checksum, nothing.fps), (None, None, None));
}

#[test]
fn the_checksum_depends_on_the_order_of_the_frames() {
    let mut samples = two_repetitions();
    let first = summary(&samples).checksum;
    assert_eq!(first, summary(&samples[..5]).checksum);
    samples[1].checksum = samples[2].checksum;
    assert_ne!(first, summary(&samples).checksum);
}
