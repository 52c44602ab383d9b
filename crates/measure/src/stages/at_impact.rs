//! Where bodies touch at their first contacts.

use super::step_impacts::StepImpacts;
use crate::process::Clock;
use broadphase::Pair;
use sim::stages::{ContactFault, FirstContacts, MovingBodies, RegionErrors};

/// A method to find where bodies touch at their first contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactMethod {
    /// The contact sets at the poses of the first contact.
    Exact,
    /// 001's region from positions and velocities alone, measured against the exact contact points.
    Approximate,
}

impl ContactMethod {
    /// Its id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Approximate => "approximate",
        }
    }
}

/// Counts and errors of a method in a step.
#[derive(Default)]
pub(super) struct ContactsAtImpact {
    pub(super) ns: u64,
    /// Contact sets or regions.
    pub(super) passed: u64,
    /// Points of contact sets.
    pub(super) points: u64,
    /// Errors of approximate regions.
    pub(super) errors: RegionErrors,
}

impl ContactMethod {
    /// Runs under the clock at the first contacts that the reference knows, then compares approximate regions with exact
    /// contact sets, as long as `goes_on`.
    pub(super) fn find(
        self,
        stage: &mut FirstContacts,
        bodies: &impl MovingBodies,
        candidates: &[Pair],
        impacts: &StepImpacts<'_>,
        clock: &dyn Clock,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<ContactsAtImpact, ContactFault> {
        let (audit, begin) = (impacts.audit, clock.now_ns());
        match self {
            Self::Exact => {
                let count = stage.exact(bodies, candidates, audit)?;
                let ns = clock.now_ns() - begin;
                let (passed, points) = (count.sets, count.points);
                Ok(ContactsAtImpact { ns, passed, points, ..ContactsAtImpact::default() })
            }
            Self::Approximate => {
                let passed = stage.approximate(bodies, candidates, audit);
                let ns = clock.now_ns() - begin;
                let errors = stage.compare(bodies, candidates, audit, goes_on)?;
                Ok(ContactsAtImpact { ns, passed, errors, ..ContactsAtImpact::default() })
            }
        }
    }
}
