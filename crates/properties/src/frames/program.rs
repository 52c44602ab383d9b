//! A program: operations on objects, which give the boxes of frames.

use super::number::{point, sides, step};
use arbitrary::{Result, Unstructured};
use broadphase::benchmark::mix;
use broadphase::registry::{Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Layer};
use glam::Vec3;
use std::sync::atomic::AtomicBool;

/// Most objects, frames and boxes of all frames: a program takes milliseconds with all algorithms.
const MAX_OBJECTS: usize = 320;
const MAX_FRAMES: usize = 96;
const MAX_BOXES: usize = 1000;

/// Boxes of an earlier frame that an object may return to.
const HISTORY: usize = 40;

/// Simulated seconds a frame, unless the program sets others. `kd-tree` adjusts every 0.2 s.
const TIME_STEP: f32 = 1.0 / 14.0;

/// A flag that is set: the frame's pairs are not wanted.
static STOP: AtomicBool = AtomicBool::new(true);

/// Settings of the algorithms, and frames.
pub(crate) struct Program {
    threads: usize,
    settings: Settings,
    frames: Vec<Snapshot>,
}

/// The input of a frame.
struct Snapshot {
    boxes: Vec<Aabb>,
    layers: Vec<Layer>,
    time_step: f32,
    is_stopped: bool,
}

impl Program {
    /// Decodes a program. Any bytes are one.
    pub(crate) fn decode(bytes: &mut Unstructured<'_>) -> Self {
        let head: u8 = bytes.arbitrary().unwrap_or_default();
        let mut objects = Objects { time_step: TIME_STEP, ..Objects::default() };
        // Where the bytes end within an operation, zeros follow.
        while !bytes.is_empty() && !objects.is_full() && objects.operate(bytes).is_ok() {}
        objects.show(1);
        let hint = [0, 16, 1000, objects.boxes.len()][usize::from(head / 4 % 4)];
        let unit = Aabb::around_sphere(Vec3::ZERO, 1.0);
        let world = if head & 2 == 0 { Aabb::EMPTY } else { unit };
        let settings = Settings::new(hint).world(world);
        Self { threads: 1 + usize::from(head & 1), settings, frames: objects.frames }
    }

    /// Threads that the algorithms may use, 1 or 2.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// An algorithm with the program's settings.
    pub(crate) fn create(&self, entry: &Algorithm) -> Box<dyn BroadPhase> {
        entry.create(&self.settings).expect("memory is not limited")
    }

    /// The frames.
    pub(crate) fn frames(&self) -> impl Iterator<Item = Frame<'_>> {
        self.frames.iter().map(|snapshot| {
            let Snapshot { boxes, layers, time_step, is_stopped } = snapshot;
            let frame = Frame::new(boxes).layered(layers).time_step(*time_step);
            if *is_stopped { frame.stopped_by(&STOP) } else { frame }
        })
    }
}

/// The objects between two frames.
#[derive(Default)]
struct Objects {
    boxes: Vec<Aabb>,
    /// Displacement of each box in every frame.
    velocities: Vec<Vec3>,
    layers: Vec<Layer>,
    time_step: f32,
    is_stopped: bool,
    frames: Vec<Snapshot>,
    /// Boxes of all frames.
    shown: usize,
}

impl Objects {
    fn is_full(&self) -> bool {
        self.frames.len() >= MAX_FRAMES || self.shown >= MAX_BOXES
    }

    /// Reads and carries out an operation.
    fn operate(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        match bytes.arbitrary::<u8>()? % 24 {
            // Frames are the most frequent: without them nothing is tested.
            0..=3 => self.show(1),
            4 => self.show(1 + usize::from(bytes.arbitrary::<u8>()? % 40)),
            5 => self.insert(corner_and_sides(bytes)?),
            6 => self.crowd(bytes)?,
            7 => *self.one(bytes)?.0 = Aabb::EMPTY,
            8 => *self.one(bytes)?.0 = corner_and_sides(bytes)?,
            9 => self.by_step(bytes, |b, step| Aabb::new(b.min + step, b.max + step))?,
            10 => {
                let object = self.any(bytes)?;
                self.velocities[object] = step(bytes)?;
            }
            11 => self.return_one(bytes)?,
            12 => self.return_all(bytes)?,
            13 => {
                self.by_step(bytes, |b, step| Aabb::new(b.min + step.abs(), b.max - step.abs()))?
            }
            14 => {
                self.by_step(bytes, |b, step| Aabb::new(b.min - step.abs(), b.max + step.abs()))?
            }
            15 => self.copy(bytes, |b, _| b)?,
            // They touch: the highest corner of one is the lowest of the other.
            16 => self.copy(bytes, |b, own| Aabb::new(b.max, b.max + own.size()))?,
            // Next to each other, without a point in common.
            17 => self.copy(bytes, |b, own| {
                let corner = Vec3::from(b.max.to_array().map(f32::next_up));
                Aabb::new(corner, corner + own.size())
            })?,
            18 => self.set_layer(bytes)?,
            19 => self.layers.clear(),
            20 => {
                let left = usize::from(bytes.arbitrary::<u8>()?);
                self.boxes.truncate(left);
                self.velocities.truncate(left);
            }
            21 => {
                let byte: u8 = bytes.arbitrary()?;
                self.time_step = [0.0, 1.0 / 60.0, 0.1, 1.0][usize::from(byte % 4)];
            }
            22 => self.is_stopped = true,
            _ => self.drift(bytes)?,
        }
        Ok(())
    }

    /// Appends frames. Between two of them, objects move by their velocities.
    fn show(&mut self, frames: usize) {
        for _ in 0..frames {
            for (b, velocity) in self.boxes.iter_mut().zip(&self.velocities) {
                if *velocity != Vec3::ZERO {
                    *b = usable(Aabb::new(b.min + *velocity, b.max + *velocity));
                }
            }
            self.frames.push(Snapshot {
                boxes: self.boxes.clone(),
                layers: self.layers.clone(),
                time_step: self.time_step,
                is_stopped: std::mem::take(&mut self.is_stopped),
            });
            // An empty frame takes time, too.
            self.shown += self.boxes.len() + 8;
            if self.is_full() {
                return;
            }
        }
    }

    fn insert(&mut self, b: Aabb) {
        if self.boxes.len() < MAX_OBJECTS {
            self.boxes.push(usable(b));
            self.velocities.push(Vec3::ZERO);
        }
    }

    /// An object: its box, and its index.
    fn one(&mut self, bytes: &mut Unstructured<'_>) -> Result<(&mut Aabb, usize)> {
        let object = self.any(bytes)?;
        Ok((&mut self.boxes[object], object))
    }

    /// The index of an object; the first one is inserted if there is none.
    fn any(&mut self, bytes: &mut Unstructured<'_>) -> Result<usize> {
        if self.boxes.is_empty() {
            self.insert(Aabb::new(Vec3::ZERO, Vec3::ONE));
        }
        let byte: u8 = bytes.arbitrary()?;
        // Spread over all objects, where there are more than a byte can count.
        let count = self.boxes.len();
        Ok(if count <= 256 { usize::from(byte) % count } else { usize::from(byte) * count / 256 })
    }

    /// Many boxes in a cube, from a seed: as many as most structures need before they divide anything.
    fn crowd(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let [seed, shape]: [u8; 2] = bytes.arbitrary()?;
        let count = 4usize << (shape % 7);
        let spread = [0.25, 1.0, 2.0, 8.0][usize::from(shape / 8 % 4)];
        let size = [0.0, 0.05, 0.2, 1.0][usize::from(shape / 32 % 4)];
        let is_flat = shape >= 128;
        for number in 0..count as u64 {
            let random = |axis: u64| {
                let bits = mix(u64::from(seed) << 32 | number << 2 | axis);
                // 16 random bits, from -1 to 1.
                f32::from(bits as u16) / 32_767.5 - 1.0
            };
            let corner = Vec3::new(random(0), random(1), if is_flat { 0.0 } else { random(2) });
            let sides = Vec3::splat(size * (0.5 + 0.5 * random(3).abs()));
            let corner = corner * spread;
            self.insert(Aabb::new(corner, corner + sides));
        }
        Ok(())
    }

    /// Changes a box by a step.
    fn by_step(
        &mut self,
        bytes: &mut Unstructured<'_>,
        change: impl Fn(Aabb, Vec3) -> Aabb,
    ) -> Result<()> {
        let (b, _) = self.one(bytes)?;
        *b = usable(change(*b, step(bytes)?));
        Ok(())
    }

    /// Changes a box by that of another object.
    fn copy(
        &mut self,
        bytes: &mut Unstructured<'_>,
        change: impl Fn(Aabb, Aabb) -> Aabb,
    ) -> Result<()> {
        let from = *self.one(bytes)?.0;
        let (b, _) = self.one(bytes)?;
        *b = usable(change(from, *b));
        Ok(())
    }

    /// An earlier frame.
    fn earlier(&self, bytes: &mut Unstructured<'_>) -> Result<Option<&Snapshot>> {
        let ago = usize::from(bytes.arbitrary::<u8>()?) % HISTORY;
        Ok(self.frames.len().checked_sub(ago + 1).map(|frame| &self.frames[frame]))
    }

    /// An object returns to the bits of an earlier frame, and rests.
    fn return_one(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let object = self.any(bytes)?;
        let then = self.earlier(bytes)?.and_then(|frame| frame.boxes.get(object).copied());
        self.boxes[object] = then.unwrap_or(self.boxes[object]);
        self.velocities[object] = Vec3::ZERO;
        Ok(())
    }

    /// All objects return to an earlier frame, also those that were removed since.
    fn return_all(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        if let Some(boxes) = self.earlier(bytes)?.map(|frame| frame.boxes.clone()) {
            self.velocities.resize(boxes.len(), Vec3::ZERO);
            self.boxes = boxes;
        }
        Ok(())
    }

    /// Gives many objects a velocity: the same one, or one of their own.
    fn drift(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let [kind, every]: [u8; 2] = bytes.arbitrary()?;
        let velocity = step(bytes)?;
        let objects = self.velocities.iter_mut().zip(0u64..).step_by(usize::from(every % 8) + 1);
        for (own, object) in objects {
            let sign = |axis: u64| if mix(object << 2 | axis) & 1 == 0 { 1.0 } else { -1.0 };
            let signs = Vec3::new(sign(0), sign(1), sign(2));
            *own = match kind % 3 {
                0 => Vec3::ZERO,
                1 => velocity,
                _ => velocity * signs,
            };
        }
        Ok(())
    }

    /// Gives an object a layer. Those before it get the layer of all, unless they have one.
    fn set_layer(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let object = self.any(bytes)?;
        let layer = layer(bytes)?;
        self.layers.resize(self.layers.len().max(object + 1), Layer::ALL);
        self.layers[object] = layer;
        Ok(())
    }
}

/// Any layer.
pub(crate) fn layer(bytes: &mut Unstructured<'_>) -> Result<Layer> {
    let [kind, mask]: [u8; 2] = bytes.arbitrary()?;
    Ok(Layer {
        group: kind % Layer::GROUPS,
        // The lowest groups by bits, the others together.
        mask: u32::from(mask & 0x7f) | if mask < 128 { !0x7f } else { 0 },
        is_static: kind >= 128,
    })
}

/// Any box that an algorithm may be given.
pub(crate) fn corner_and_sides(bytes: &mut Unstructured<'_>) -> Result<Aabb> {
    let corner = point(bytes)?;
    Ok(usable(Aabb::new(corner, corner + sides(bytes)?)))
}

/// The box that an algorithm may be given: finite, or absent where a coordinate is no number.
fn usable(b: Aabb) -> Aabb {
    if b.min.is_nan() || b.max.is_nan() {
        return Aabb::EMPTY;
    }
    if b.is_empty() {
        return b;
    }
    let finite = |corner: Vec3| corner.clamp(Vec3::splat(-f32::MAX), Vec3::splat(f32::MAX));
    Aabb::new(finite(b.min), finite(b.max))
}
