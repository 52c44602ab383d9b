//! The last search of a snapshot.

use crate::session::{SearchFigures, Session};
use broadphase::Counters;
use broadphase::inspect::{Alternative, Work};

/// The running algorithm's last search: its pairs, and their cost.
#[derive(Clone, Debug, Default)]
pub struct SearchState {
    /// Whether pairs, tests and figures are those of the present positions.
    pub searched: bool,
    /// Figures of the search of the present positions; `None` until it is done.
    pub found: Option<SearchFigures>,
    /// Whether each structure is validated after each of its updates.
    pub validate: bool,
    /// The algorithm's counters of its last step.
    pub counters: Counters,
    /// Its own kinds of work in that step.
    pub work: Vec<Work>,
    /// Decisions of the structure in the last step, with the reasons, in sentences.
    pub remarks: Vec<String>,
    /// How it could have answered the last step, with the predicted costs.
    pub alternatives: Vec<Alternative>,
}

impl SearchState {
    pub(super) fn of(session: &Session) -> Self {
        let structure = session.structure();
        let inspect = structure.inspect();
        let mut state = Self {
            searched: session.is_searched(),
            found: session.found(),
            validate: session.validates(),
            counters: structure.counters(),
            ..Self::default()
        };
        inspect.work(&mut |work| state.work.push(work));
        inspect.remarks(&mut |remark| state.remarks.push(remark));
        inspect.alternatives(&mut |way| state.alternatives.push(way));
        state
    }
}
