//! Bodies for the tests of stages.

use crate::play::find_sorted;
use broadphase::registry::Settings;
use broadphase::{Frame, Pair};
use sim::{Hold, SceneDocument, World};

/// Large cubes and tetrahedra that find no room without overlap, in their first frame.
pub(super) struct Crowded {
    pub(super) world: World,
    /// Sorted.
    pub(super) candidates: Vec<Pair>,
}

impl Crowded {
    pub(super) fn new() -> Self {
        let text = b"i -1 -1 -1  2 2 2  100 t\n#!objects 150\n#!radius 0.2\n#!speed 3\n\
            #!shape die box 1 1 1\n#!shape four tetrahedron 1\n#!bodies source 1 die 50 four 50\n";
        let document = SceneDocument::parse("bodies", text).unwrap();
        let mut world = World::new(document.scene());
        world.step(Hold::None);
        let (mut boxes, mut candidates) = (Vec::new(), Vec::new());
        world.boxes(&mut boxes);
        let mut algorithm = crate::play::reference().build(&Settings::new(boxes.len()));
        find_sorted(&mut *algorithm, &Frame::new(&boxes), &mut candidates);
        Self { world, candidates }
    }
}
