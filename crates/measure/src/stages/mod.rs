//! The stages after the broad phase, under the clock: bounding volume, narrow phase, contact sets, times of impact.

mod at_impact;
mod bench;
mod candidates;
mod case;
mod chain;
#[cfg(test)]
mod crowd_for_tests;
mod flat_poses;
mod frames;
mod holders;
mod pair_motion;
mod plan;
mod random_pairs;
mod repetition_frame;
mod step_impacts;
mod times;
mod track;
mod verification;
mod wrong_pair;

pub use at_impact::ContactMethod;
pub use bench::{MeasuredStages, measure_stages};
pub use case::{StageCase, finder};
pub use chain::Stages;
pub(crate) use chain::{Chain, ChainEnd, KnownAnswers};
pub use holders::stage_holders;
pub use pair_motion::PairMotion;
pub use plan::StagePlan;
pub use proofs::oracle::MAX_EDGE_PAIRS;
pub use random_pairs::{PairsSpec, PairsSpecError, RandomPairs};
pub use verification::{Checked, StageMethods, VerifiedBodies};
pub(crate) use verification::{StageVerification, VerifiedFrame};
