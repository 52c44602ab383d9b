//! Which points of a contact a pair had in the last frame.

use super::{Contacts, PointId};

/// What is kept of a pair from frame to frame, which separates new points from kept ones (000
/// §6.2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactMemory {
    ids: Vec<PointId>,
}

impl ContactMemory {
    /// Marks the points that the last call saw too, and remembers those of this frame. Call it in
    /// each frame, after [`Contacts::find`].
    pub fn mark(&mut self, contacts: &mut Contacts) {
        for point in &mut contacts.points {
            point.is_kept = self.ids.binary_search(&point.id).is_ok();
        }
        self.ids.clear();
        self.ids.extend(contacts.points.iter().map(|point| point.id));
        self.ids.sort_unstable();
    }
}
