//! One stage after the other on the pairs of a frame, and the audit of their answers.

use super::wrong_pair::{Suspects, describe};
use super::{StageFigures, Stages};
use crate::Clock;
use broadphase::Pair;
use broadphase::benchmark::mix;
use glam::DVec3;
use narrowphase::Answer;
use sim::stages::{Audit, ContactStage, NarrowStage, Tally, VolumeStage};
use sim::{Bodies, Scene, World};
use std::path::Path;

/// The stages of one repetition.
pub(crate) struct Chain<'a> {
    /// Folder for wrong pairs.
    folder: Option<&'a Path>,
    /// The scene that has the shapes.
    scene: &'a Scene,
    volume: VolumeStage,
    narrow: NarrowStage,
    contacts: ContactStage,
    passed: Vec<Pair>,
    touching: Vec<Pair>,
    audit: Audit,
}

impl<'a> Chain<'a> {
    /// Fits the volumes to the shapes of `bodies`.
    pub(crate) fn new(stages: &Stages<'a>, scene: &'a Scene, bodies: &Bodies) -> Self {
        let shapes = bodies.shapes().iter().map(|named| &named.shape);
        Self {
            folder: stages.folder,
            scene,
            volume: VolumeStage::new(stages.volume, shapes),
            narrow: NarrowStage::new(stages.narrow),
            contacts: ContactStage::default(),
            passed: Vec::new(),
            touching: Vec::new(),
            audit: Audit::default(),
        }
    }

    /// Runs all stages on the sorted candidates of a frame, each under the clock. Then compares all answers
    /// with the reference, unless they are bit by bit those that `sound` has of this frame: fingerprints of
    /// what was found right.
    ///
    /// # Errors
    ///
    /// The first wrong answer in words. Its pair is written into the folder for them.
    pub(crate) fn frame(
        &mut self,
        clock: &dyn Clock,
        world: &World,
        candidates: &[Pair],
        frame: u32,
        sound: &mut Vec<u64>,
    ) -> Result<Option<StageFigures>, String> {
        let Some(bodies) = world.bodies() else { return Ok(None) };
        let figures = self.run(clock, bodies, candidates);
        let fingerprint = self.fingerprint(world, candidates);
        if sound.get(frame as usize) != Some(&fingerprint) {
            self.check(bodies, candidates)?;
            if sound.len() == frame as usize {
                sound.push(fingerprint);
            }
        }
        Ok(Some(figures))
    }

    fn run(&mut self, clock: &dyn Clock, bodies: &Bodies, candidates: &[Pair]) -> StageFigures {
        let Self { volume, narrow, contacts, passed, touching, .. } = self;
        // A list that grows is no work of the volume.
        passed.reserve(candidates.len().saturating_sub(passed.len()));
        let begin = clock.now_ns();
        volume.place(bodies);
        volume.filter(bodies, candidates, passed);
        let filtered = clock.now_ns();
        narrow.test(bodies, passed);
        let tested = clock.now_ns();
        touching.clear();
        let each = passed.iter().zip(narrow.answers());
        let touches = each.filter(|(_, answer)| matches!(answer, Answer::Touching { .. }));
        touching.extend(touches.map(|(pair, _)| *pair));
        let listed = clock.now_ns();
        let count = contacts.find(bodies, touching);
        let found = clock.now_ns();
        StageFigures {
            volume_ns: filtered - begin,
            volume_passed: passed.len() as u64,
            narrow_ns: tested - filtered,
            contact_ns: found - listed,
            contact_points: count.points,
        }
    }

    /// A hash of the world and of all answers of the last frame, bit by bit.
    fn fingerprint(&self, world: &World, candidates: &[Pair]) -> u64 {
        let ids = |pairs: &[Pair], hash| {
            let id = |pair: &Pair| u64::from(pair.a) << 32 | u64::from(pair.b);
            pairs.iter().fold(mix(hash ^ pairs.len() as u64), |hash, pair| mix(hash ^ id(pair)))
        };
        let hash = ids(&self.passed, ids(candidates, world.hash()));
        self.narrow.answers().iter().fold(hash, |hash, answer| {
            let (kind, witness) = match *answer {
                Answer::Separated { axis } => (1, axis),
                Answer::Touching { point } => (2, point),
                Answer::Failed => (3, None),
            };
            let bits = witness
                .map_or([u64::MAX; 3], |witness: DVec3| witness.to_array().map(f64::to_bits));
            bits.iter().fold(mix(hash ^ kind), |hash, bits| mix(hash ^ bits))
        })
    }

    /// Compares all answers of the last frame with the reference, and the reference with its witnesses.
    fn check(&mut self, bodies: &Bodies, candidates: &[Pair]) -> Result<(), String> {
        let Self { folder, scene, volume, narrow, passed, audit, .. } = self;
        audit.examine(bodies, candidates);
        let tallies = [
            ("reference", audit.reference(bodies)),
            (volume.kind().id, audit.volume(volume.kind(), passed)),
            (narrow.kind().id, audit.narrow(bodies, narrow.kind(), passed, narrow.answers())),
        ];
        let name = |object: usize| bodies.shapes()[bodies.shape_of(object)].name.as_str();
        let suspects = Suspects { scene, folder: *folder, bodies, name: &name };
        let fault = |(method, tally): (&str, Tally)| {
            tally.wrong.map(|wrong| describe(method, &wrong, &suspects))
        };
        tallies.into_iter().find_map(fault).map_or(Ok(()), Err)
    }
}
