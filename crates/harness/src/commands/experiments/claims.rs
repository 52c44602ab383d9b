//! The claims of the sources, each with its section. Verdicts are computed, never written.

use super::plan::Experiment;
use super::rows::{ExperimentRows, Outcome};
use crate::study::Statement;

struct Claim {
    /// The source and its section.
    source: &'static str,
    what: &'static str,
    from: Experiment,
    /// The outcome as a result, so that a missing row ends the rule.
    rule: fn(&ExperimentRows) -> Result<Outcome, Outcome>,
}

/// Checks every claim. Its basis is the source, and the experiment.
pub(super) fn check(rows: &ExperimentRows) -> Vec<Statement> {
    let checked = |claim: &Claim| {
        let (verdict, figure) = (claim.rule)(rows).unwrap_or_else(|outcome| outcome);
        let basis = format!("{}; {}", claim.source, claim.from.folder());
        Statement { what: claim.what.to_owned(), verdict, figure, basis }
    };
    CLAIMS.iter().map(checked).collect()
}

const CLAIMS: &[Claim] = &[
    Claim {
        source: "001, first attempt",
        what: "A test at the end with halving works only below half a length a step",
        from: Experiment::Moving,
        rule: |rows| rows.works_below_half_a_length("halving"),
    },
    Claim {
        source: "001, second attempt",
        what: "Boxes around whole displacements work only below half a length a step",
        from: Experiment::Moving,
        rule: |rows| rows.works_below_half_a_length("swept-boxes"),
    },
    Claim {
        source: "001; 000 §3.1",
        what: "Moving SAT finds the first contact exactly",
        from: Experiment::Moving,
        rule: |rows| rows.is_exact("moving-sat"),
    },
    Claim {
        source: "001",
        what: "Moving SAT of two boxes, with their 15 axes, finds the first contact exactly",
        from: Experiment::Moving,
        rule: |rows| rows.is_exact("moving-sat+boxes"),
    },
    Claim {
        source: "001",
        what: "Moving SAT of two boxes is fast: faster than a test at both ends of the step",
        from: Experiment::Moving,
        rule: |rows| rows.is_fast("moving-sat+boxes"),
    },
    Claim {
        source: "001",
        what: "Where bodies move a length a step, rotation can be neglected",
        from: Experiment::Rotating,
        rule: |rows| rows.rotation_can_be_neglected("moving-sat"),
    },
    Claim {
        source: "000 §4.1",
        what: "A discrete test misses less if the path of a step is shorter",
        from: Experiment::Moving,
        rule: |rows| rows.short_paths_miss_less(),
    },
    Claim {
        source: "000 §4.2, figure 4.3",
        what: "Swept volumes raise false alarms between moving bodies",
        from: Experiment::Moving,
        rule: |rows| rows.has_false_alarms(Experiment::Moving, "swept-boxes", true),
    },
    Claim {
        source: "000 §4.2, figure 4.2",
        what: "Swept volumes raise none against bodies at rest",
        from: Experiment::Resting,
        rule: |rows| rows.has_false_alarms(Experiment::Resting, "swept-boxes", false),
    },
    Claim {
        source: "000 §4.2",
        what: "Coarse sampling misses contacts, dense sampling takes too long",
        from: Experiment::Moving,
        rule: |rows| rows.sampling_is_coarse_or_slow(),
    },
    Claim {
        source: "000 §4.2",
        what: "Enlarged bodies cover the whole path: sampling with them misses nothing",
        from: Experiment::Moving,
        rule: |rows| rows.never_misses("substeps+enlarged@k=8"),
    },
    Claim {
        source: "000 §4.2",
        what: "Adaptive sampling needs fewer tests than a fixed number",
        from: Experiment::Moving,
        rule: |rows| rows.adaptive_needs_fewer_tests(),
    },
    Claim {
        source: "000 §4.2, alg. 4.1",
        what: "Bisection is O(log n), n being the path in tolerances",
        from: Experiment::Moving,
        rule: |rows| rows.bisection_is_logarithmic(),
    },
    Claim {
        source: "000 §2.2",
        what: "A search for extreme vertices in O(log n) pays from 32 to 64 vertices on",
        from: Experiment::Vertices,
        rule: |rows| rows.climbing_pays(),
    },
    Claim {
        source: "000 §2.2",
        what: "Testing the last step's separating axis first speeds up SAT",
        from: Experiment::Coherence,
        rule: |rows| rows.caching_pays(["sat", "sat+cached"]),
    },
    Claim {
        source: "002 §6.3",
        what: "Starting from the last direction speeds up GJK",
        from: Experiment::Coherence,
        rule: |rows| rows.caching_pays(["gjk", "gjk+cached"]),
    },
    Claim {
        source: "000 §5.2.4",
        what: "Tightness grows from sphere over AABB, k-DOP and OBB to hull",
        from: Experiment::Volumes,
        rule: |rows| rows.order_of_tightness(),
    },
    Claim {
        source: "000 §5.2.4",
        what: "The time of a test grows from sphere over k-DOP and OBB to hull",
        from: Experiment::Volumes,
        rule: |rows| rows.order_of_cost(),
    },
    Claim {
        source: "000 §5.2.4",
        what: "k-DOPs are expensive to build, the more so the greater k is",
        from: Experiment::Volumes,
        rule: |rows| rows.dops_are_expensive_to_build(),
    },
    Claim {
        source: "002 §6.2",
        what: "A volume is a compromise: the tighter it is, the longer it takes",
        from: Experiment::Volumes,
        rule: |rows| rows.tighter_takes_longer(),
    },
    Claim {
        source: "000 §6.4",
        what: "A figure of more parts has fewer false contacts",
        from: Experiment::Parts,
        rule: |rows| rows.parts_are_accurate(),
    },
    Claim {
        source: "000 §4.3, §6.4",
        what: "A figure of more parts takes longer to test",
        from: Experiment::Parts,
        rule: |rows| rows.parts_cost(),
    },
    Claim {
        source: "004, figure 2",
        what: "With the inscribed radius contacts of corners are found late",
        from: Experiment::Radii,
        rule: |rows| rows.inscribed_is_late(),
    },
    Claim {
        source: "004",
        what: "With the circumscribed radius contacts are found before bodies touch",
        from: Experiment::Radii,
        rule: |rows| rows.circumscribed_is_early(),
    },
    Claim {
        source: "004",
        what: "The mean of both radii is a compromise",
        from: Experiment::Radii,
        rule: |rows| rows.mean_is_a_compromise(),
    },
    Claim {
        source: "004",
        what: "Two areas need fewer tests than one table of all obstacles",
        from: Experiment::Areas,
        rule: |rows| rows.areas_test_less(),
    },
];
