//! Where bodies touch at their first contacts.

use super::step_impacts::StepImpacts;
use crate::process::Clock;
use narrowphase::impact::ApproximateContact;
use sim::stages::{
    BodyList, ContactFault, Errors, FramePairs, approximate_contacts, exact_contacts, region_errors,
};

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
pub(super) struct ContactsAtImpact {
    pub(super) ns: u64,
    /// First contacts.
    pub(super) tests: usize,
    /// Contact sets or regions.
    pub(super) passed: u64,
    /// Points of contact sets.
    pub(super) points: u64,
    /// Errors of approximate regions.
    pub(super) errors: Errors,
}

impl ContactMethod {
    /// Runs under the clock at the first contacts that the reference knows. Then approximate regions are compared with
    /// exact contact sets. `regions` is memory that is used again.
    pub(super) fn find(
        self,
        regions: &mut Vec<Option<ApproximateContact>>,
        of: &FramePairs<'_, impl BodyList>,
        impacts: &StepImpacts<'_>,
        clock: &dyn Clock,
    ) -> Result<ContactsAtImpact, ContactFault> {
        let contacts = impacts.audit.first_contacts();
        let tests = contacts.len();
        let begin = clock.now_ns();
        match self {
            Self::Exact => {
                let count = exact_contacts(of, &contacts)?;
                let ns = clock.now_ns() - begin;
                let (passed, points, errors) = (count.sets, count.points, Errors::default());
                Ok(ContactsAtImpact { ns, tests, passed, points, errors })
            }
            Self::Approximate => {
                approximate_contacts(of, &contacts, regions);
                let ns = clock.now_ns() - begin;
                let errors = region_errors(of, &contacts, regions)?;
                Ok(ContactsAtImpact { ns, tests, passed: tests as u64, points: 0, errors })
            }
        }
    }
}
