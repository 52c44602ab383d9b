//! A recorded or generated motion, at one of its frames.

use broadphase::Aabb;
use broadphase::registry::Settings;
use glam::Vec3;
use measure::{Case, InputError, Prescribed};
use std::sync::atomic::AtomicBool;

/// Boxes whose motion the input prescribes, at one of its frames.
pub(super) struct Played {
    pub(super) source: Prescribed,
    pub(super) seed: Option<u64>,
    /// The number of boxes, and the space that fixed trees divide.
    pub(super) settings: Settings,
    /// The space that all boxes are in, as far as it is known.
    pub(super) extent: Aabb,
    /// The frame that is shown, from 0.
    pub(super) frame: u32,
    /// The boxes of the frame before, for speeds; empty where they are not known.
    pub(super) before: Vec<Aabb>,
    /// Memory for the next frame: a frame with a bad box does not replace the one that is shown. After an advance, the boxes
    /// two frames before.
    next: Vec<Aabb>,
    /// The frame whose boxes are in `next`, after it was undone.
    undone: Option<u32>,
}

impl Played {
    /// The case's first frame, which fills `boxes`; `None` for a scene, and where `goes_on` ends the placing. Kept states of
    /// generated boxes take at most `room` bytes.
    pub(super) fn new(
        case: &Case,
        room: usize,
        boxes: &mut Vec<Aabb>,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<Self>, InputError> {
        let source = case.prescribed(room as u64, goes_on)?;
        let Some(mut source) = source else { return Ok(None) };
        source.next_frame(boxes)?;
        let space = case.space();
        let extent = if space.is_empty() { source.sampled_bounds() } else { space };
        Ok(Some(Self {
            source,
            seed: case.seed,
            settings: Settings::new(case.n).world(space),
            extent: extent.union(&Aabb::bounds(boxes)),
            frame: 0,
            before: Vec::new(),
            next: Vec::new(),
            undone: None,
        }))
    }

    /// Fills `boxes` with the next frame. Returns whether that was done before `stop` was set. If not, and after an error,
    /// all is as it was.
    pub(super) fn advance(
        &mut self,
        boxes: &mut Vec<Aabb>,
        stop: &AtomicBool,
    ) -> Result<bool, InputError> {
        let frame = self.frame + 1;
        if self.undone.take() != Some(frame) {
            if self.source.upcoming() != frame && !self.source.go_to_unless(frame, stop)? {
                return Ok(false);
            }
            self.source.next_frame(&mut self.next)?;
        }
        std::mem::swap(&mut self.before, boxes);
        std::mem::swap(boxes, &mut self.next);
        self.frame = frame;
        Ok(true)
    }

    /// Fills `boxes` with a frame. Returns whether that was done before `stop` was set. If not, and after an error, all is
    /// as it was.
    pub(super) fn go_to(
        &mut self,
        frame: u32,
        boxes: &mut Vec<Aabb>,
        stop: &AtomicBool,
    ) -> Result<bool, InputError> {
        self.undone = None;
        // The frame before it is needed for speeds alone: without it there are none.
        let before = frame.checked_sub(1).map(|before| self.source.go_to_unless(before, stop));
        let has_before =
            matches!(before, Some(Ok(true))) && self.source.next_frame(&mut self.next).is_ok();
        let mut shown = Vec::new();
        if !self.source.go_to_unless(frame, stop)? {
            return Ok(false);
        }
        self.source.next_frame(&mut shown)?;
        *boxes = shown;
        std::mem::swap(&mut self.before, &mut self.next);
        if !has_before {
            self.before.clear();
        }
        self.frame = frame;
        Ok(true)
    }

    /// Takes the advance back that was the last change, without the source: it would generate many frames again.
    pub(super) fn undo(&mut self, boxes: &mut Vec<Aabb>) {
        self.undone = Some(self.frame);
        std::mem::swap(boxes, &mut self.next);
        std::mem::swap(&mut self.before, boxes);
        self.frame -= 1;
    }

    /// Shows a frame that was shown before, of which all boxes are known.
    pub(super) fn come_back(&mut self, frame: u32, before: Vec<Aabb>) {
        (self.undone, self.before, self.frame) = (None, before, frame);
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

    /// Whether there is no further frame.
    pub(super) fn is_at_end(&self) -> bool {
        self.source.frames().is_some_and(|frames| self.frame + 1 >= frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use measure::Input;
    use sim::TraceWriter;

    #[test]
    fn advance_is_taken_back_without_the_source() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bpt");
        let mut writer = TraceWriter::create(&path, 1, 0.5).unwrap();
        let at = |x: u8| Aabb::around_sphere(Vec3::X * f32::from(x), 0.5);
        (0..4).for_each(|frame| writer.write_frame(&[at(frame)]).unwrap());
        writer.finish().unwrap();
        let case = Input::open(&path).unwrap().cases(&Default::default()).unwrap().remove(0);
        let (mut boxes, never) = (Vec::new(), AtomicBool::new(false));
        let mut played = Played::new(&case, 0, &mut boxes, &mut |_| true).unwrap().unwrap();
        for _ in 0..2 {
            assert!(played.advance(&mut boxes, &never).unwrap());
        }
        let velocity = played.velocity(0, &boxes);
        assert_eq!(velocity, Some(Vec3::X * 2.0));
        assert!(played.advance(&mut boxes, &never).unwrap());
        std::fs::remove_file(&path).unwrap();
        played.undo(&mut boxes);
        assert_eq!((played.frame, &boxes[..]), (2, &[at(2)][..]));
        assert_eq!(played.velocity(0, &boxes), velocity);
        assert!(played.advance(&mut boxes, &never).unwrap());
        assert_eq!((played.frame, &boxes[..]), (3, &[at(3)][..]));
    }
}
