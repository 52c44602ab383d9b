//! A recorded or generated motion, at one of its frames.

use broadphase::registry::Settings;
use broadphase::{Aabb, Layer};
use glam::Vec3;
use measure::{Case, InputError, Prescribed};

/// Boxes whose motion the input prescribes, at one of its frames.
pub(super) struct Played {
    source: Prescribed,
    seed: Option<u64>,
    /// The number of boxes, and the space that fixed trees divide.
    settings: Settings,
    /// The space that all boxes are in, as far as it is known.
    extent: Aabb,
    /// The frame that is shown, from 0, and the last one that was.
    frame: u32,
    furthest: u32,
    /// The same before the last advance.
    furthest_before: u32,
    /// The boxes of the frame before, for speeds; empty where they are not known.
    before: Vec<Aabb>,
    /// Memory for the next frame: a frame with a bad box does not replace the one that is shown.
    next: Vec<Aabb>,
}

impl Played {
    /// The case's first frame, which fills `boxes`; `None` for a scene. Kept states of generated boxes take at most `room`
    /// bytes.
    pub(super) fn new(
        case: &Case,
        room: usize,
        boxes: &mut Vec<Aabb>,
    ) -> Result<Option<Self>, InputError> {
        let Some(mut source) = case.prescribed(room as u64)? else { return Ok(None) };
        source.next_frame(boxes)?;
        let space = case.space();
        let extent = if space.is_empty() { source.sampled_bounds() } else { space };
        Ok(Some(Self {
            source,
            seed: case.seed,
            settings: Settings::new(case.n).world(space),
            extent: extent.union(&Aabb::bounds(boxes)),
            frame: 0,
            furthest: 0,
            furthest_before: 0,
            before: Vec::new(),
            next: Vec::new(),
        }))
    }

    /// Fills `boxes` with the next frame. After an error all is as it was.
    pub(super) fn advance(&mut self, boxes: &mut Vec<Aabb>) -> Result<(), InputError> {
        let frame = self.frame + 1;
        if self.source.upcoming() != frame {
            self.source.go_to(frame)?;
        }
        self.source.next_frame(&mut self.next)?;
        std::mem::swap(&mut self.before, boxes);
        std::mem::swap(boxes, &mut self.next);
        self.furthest_before = self.furthest;
        self.show(frame);
        Ok(())
    }

    /// Fills `boxes` with a frame. After an error all is as it was.
    pub(super) fn go_to(&mut self, frame: u32, boxes: &mut Vec<Aabb>) -> Result<(), InputError> {
        // The frame before it is needed for speeds alone: without it there are none.
        let before = frame.checked_sub(1).map(|before| self.source.go_to(before));
        let has_before =
            matches!(before, Some(Ok(()))) && self.source.next_frame(&mut self.next).is_ok();
        let mut shown = Vec::new();
        self.source.go_to(frame)?;
        self.source.next_frame(&mut shown)?;
        *boxes = shown;
        std::mem::swap(&mut self.before, &mut self.next);
        if !has_before {
            self.before.clear();
        }
        self.show(frame);
        Ok(())
    }

    /// Takes the last advance back. After an error all is as it was.
    pub(super) fn undo(&mut self, boxes: &mut Vec<Aabb>) -> Result<(), InputError> {
        self.go_to(self.frame.saturating_sub(1), boxes)?;
        self.furthest = self.furthest_before;
        Ok(())
    }

    /// Bytes of kept states.
    pub(super) fn kept_bytes(&self) -> usize {
        self.source.kept_bytes()
    }

    fn show(&mut self, frame: u32) {
        self.frame = frame;
        self.furthest = self.furthest.max(frame);
    }

    /// The velocity of a box's centre since the frame before, in units/s; `None` in the first frame, and where the
    /// object was absent.
    pub(super) fn velocity(&self, object: usize, boxes: &[Aabb]) -> Option<Vec3> {
        match (self.before.get(object), boxes.get(object)) {
            (Some(before), Some(now)) if !before.is_empty() && !now.is_empty() => {
                Some((now.center() - before.center()) / self.source.time_step())
            }
            _ => None,
        }
    }

    /// The frame that is shown, from 0.
    pub(super) fn frame(&self) -> u32 {
        self.frame
    }

    /// The number of frames; `None` for generated boxes, which move on without end.
    pub(super) fn frames(&self) -> Option<u32> {
        self.source.frames()
    }

    /// The last frame that is known: of a trace its last one, of generated boxes the last one that was shown.
    pub(super) fn last_known(&self) -> u32 {
        self.frames().map_or(self.furthest, |frames| frames.saturating_sub(1))
    }

    /// Whether there is no further frame.
    pub(super) fn is_at_end(&self) -> bool {
        self.frames().is_some_and(|frames| self.frame + 1 >= frames)
    }

    /// Simulated seconds from frame to frame.
    pub(super) fn time_step(&self) -> f32 {
        self.source.time_step()
    }

    /// The objects' layers; empty where every box meets every other.
    pub(super) fn layers(&self) -> &[Layer] {
        self.source.layers()
    }

    /// The seed of generated boxes.
    pub(super) fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// What algorithms are created for.
    pub(super) fn settings(&self) -> Settings {
        self.settings
    }

    /// The space that all boxes are in, as far as it is known.
    pub(super) fn extent(&self) -> Aabb {
        self.extent
    }
}
