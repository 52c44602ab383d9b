//! The figure of `characters.scene` in fewer parts, as volumes of the figure: their answers refer to the same poses.

use super::plan::CHARACTERS;
use glam::{DQuat, DVec3};
use narrowphase::narrow;
use narrowphase::volume::{Outline, Placed, Volume, VolumeKind};
use narrowphase::{Answer, Body, BoxKind, PairCache, Pose, Shape};
use sim::SceneDocument;
use sim::scene::Catalogue;
use std::sync::LazyLock;

/// Ids of the figures of one and two parts.
pub(super) const COARSE: [&str; 2] = ["one-part", "two-parts"];

/// Creates a volume for the shapes of a scene.
type Fit = fn(&[Shape], bool) -> Box<dyn Volume>;

/// Volumes that are the figures of one and two parts. Compounds have them, other shapes are left as they are.
pub(super) static COARSE_FIGURES: LazyLock<[VolumeKind; 2]> = LazyLock::new(|| {
    let fits: [Fit; 2] =
        [|shapes, _| Coarse::fit(shapes, "one"), |shapes, _| Coarse::fit(shapes, "two")];
    let kind = |at: usize| {
        let mut kind = narrowphase::volume::VOLUMES[0];
        // The boxes of head and trunk leave a corner of the chest out.
        (kind.id, kind.exact, kind.fit) = (COARSE[at], false, fits[at]);
        kind
    };
    [kind(0), kind(1)]
});

/// A coarse figure for each shape.
struct Coarse {
    /// Each with its centre, as seen from the shape's own.
    figures: Vec<(Shape, DVec3)>,
}

impl Coarse {
    fn fit(shapes: &[Shape], name: &str) -> Box<dyn Volume> {
        let scene = SceneDocument::parse("characters.scene", CHARACTERS.as_bytes()).ok();
        let catalogue = scene.and_then(|document| Catalogue::new(document.scene()).ok());
        let figure = catalogue.and_then(|all| Some(all.shapes()[all.find(name)?].shape.clone()));
        let highest = |shape: &Shape| Body::new(shape, Pose::IDENTITY).bounds(BoxKind::Tight).max;
        let coarse = |shape: &Shape| match &figure {
            // All figures share the top of the head and its right side.
            Some(coarse) if shape.parts().len() > 1 => {
                (coarse.clone(), highest(shape) - highest(coarse))
            }
            _ => (shape.clone(), DVec3::ZERO),
        };
        Box::new(Self { figures: shapes.iter().map(coarse).collect() })
    }

    fn body(&self, placed: &Placed) -> Body<'_> {
        let (figure, centre) = &self.figures[placed.shape];
        let [scale, x, y, z, w] = placed.numbers[..5] else { unreachable!("five numbers") };
        let rotation = DQuat::from_xyzw(x, y, z, w);
        let position = placed.position + rotation * (*centre * scale);
        Body { scale, ..Body::new(figure, Pose { position, rotation }) }
    }
}

fn by_gjk(a: &Body<'_>, b: &Body<'_>) -> Answer {
    let gjk = narrow::find("gjk").expect("an entry of the registry");
    (gjk.build)().test(a, b, &mut PairCache::default())
}

impl Volume for Coarse {
    fn width(&self) -> usize {
        5
    }

    fn place(&self, _: usize, scale: f64, rotation: DQuat, numbers: &mut [f64]) {
        numbers[0] = scale;
        rotation.write_to_slice(&mut numbers[1..5]);
    }

    fn overlap(&self, a: &Placed, b: &Placed) -> bool {
        !matches!(by_gjk(&self.body(a), &self.body(b)), Answer::Separated { .. })
    }

    fn volume(&self, _: &Placed) -> Option<f64> {
        None
    }

    fn outline(&self, _: &Placed) -> Outline {
        Outline::Faces(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn coarse_figures_meet_what_the_four_parts_leave_free() {
        let document = SceneDocument::parse("characters.scene", CHARACTERS.as_bytes()).unwrap();
        let catalogue = Catalogue::new(document.scene()).unwrap();
        let shape = |name| catalogue.shapes()[catalogue.find(name).unwrap()].shape.clone();
        let shapes = [shape("four"), shape("leg")];
        let meets = |[x, z]: [f64; 2], angle: f64| {
            let turned = DQuat::from_rotation_y(angle);
            // From the top right corner of the figure, whatever its centre.
            let corner = Body::new(&shapes[0], Pose::IDENTITY).bounds(BoxKind::Tight).max;
            let position = turned * (DVec3::new(corner.x + x, 0.0, corner.z + z));
            let figure = Body::new(&shapes[0], Pose { rotation: turned, ..Pose::IDENTITY });
            let leg = Body::new(&shapes[1], Pose { position, rotation: turned });
            let exact = matches!(by_gjk(&figure, &leg), Answer::Touching { .. });
            let coarse = COARSE_FIGURES.each_ref().map(|kind| {
                let volume = (kind.fit)(&shapes, false);
                let mut numbers = [[0.0; 5]; 2];
                for (shape, numbers) in numbers.iter_mut().enumerate() {
                    volume.place(shape, 1.0, turned, numbers);
                }
                let [a, b] = &numbers;
                let a = Placed { shape: 0, position: DVec3::ZERO, numbers: a };
                volume.overlap(&a, &Placed { shape: 1, position, numbers: b })
            });
            [coarse[0], coarse[1], exact]
        };
        for angle in [0.0, FRAC_PI_2, 1.0] {
            assert_eq!(meets([-0.2, -0.2], angle), [true, true, true], "the head");
            assert_eq!(meets([-0.05, -0.8], angle), [true, false, false], "under the head");
            assert_eq!(meets([-0.25, -0.9], angle), [true, true, true], "a leg");
            assert_eq!(meets([0.05, -0.3], angle), [false, false, false], "right of the figure");
        }
    }
}
