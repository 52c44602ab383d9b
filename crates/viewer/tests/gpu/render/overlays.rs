//! Background, planes, glass and lines.

use super::*;

pub(crate) fn gradient(gpu: &Gpu) {
    let theme = Theme { vignette: 0.0, ..Theme::LIGHT };
    let picture = draw(gpu, &SceneView::new(front(), &theme));
    let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
    assert_near(picture.pixel(7, 0), opaque(theme.background_top), 1);
    assert_near(picture.pixel(200, HEIGHT - 1), opaque(theme.background_bottom), 1);
}

pub(crate) fn plane_blend(gpu: &Gpu) {
    let white = [255, 255, 255, 255];
    let spheres = [sphere(Vec3::ZERO, 0.5, white)];
    for (y, tinted) in [(-1.0, true), (1.0, false)] {
        let planes = [plane(Vec3::Y * y, Axis::Y, 0.4)];
        let picture = draw(gpu, &SceneView { spheres: &spheres, planes: &planes, ..view() });
        // Beside the sphere the plane is visible at both depths.
        let beside = at(&picture, Vec3::new(0.7, 0.0, 0.0));
        let empty = at(&draw(gpu, &view()), Vec3::new(0.7, 0.0, 0.0));
        assert!(beside[1] > empty[1] + 20, "{beside:?} against {empty:?}");
        if tinted {
            // Straight alpha, encoded values: 0.6 white + 0.4 of the colour of x-z planes.
            let blend = |c: u8| (0.6 * 255.0 + 0.4 * f32::from(c)).round() as u8;
            let [r, g, b] = THEME.planes[Axis::Y.index()].map(blend);
            assert_near(middle(&picture), [r, g, b, 255], 2);
        } else {
            assert_eq!(middle(&picture), white);
        }
    }
}

pub(crate) fn plane_order(gpu: &Gpu) {
    // The shares of the colours show which one is in front.
    let near = Plane { normal: Axis::Y, ..plane(Vec3::Y * -0.5, Axis::Y, 0.7) };
    let far = Plane { normal: Axis::Y, ..plane(Vec3::Y * 0.5, Axis::Y, 0.7) };
    let panes = [Pane { selected: true, ..pane(Vec3::ZERO, true) }];
    let a = draw(gpu, &SceneView { planes: &[near, far], panes: &panes, ..view() });
    let b = draw(gpu, &SceneView { planes: &[far, near], panes: &panes, ..view() });
    assert_eq!(a, b);
    // A pane is darker behind the near plane than in front of it.
    let before = [Pane { selected: true, ..pane(Vec3::Y * -0.8, true) }];
    let c = draw(gpu, &SceneView { planes: &[near, far], panes: &before, ..view() });
    assert!(brightness(middle(&c)) > brightness(middle(&a)) + 20);
}

pub(crate) fn glass(gpu: &Gpu) {
    let spheres = [sphere(Vec3::Y * 0.5, 0.4, ORANGE)];
    let panes = [pane(Vec3::Y * -0.5, false)];
    let scene = SceneView { spheres: &spheres, ..view() };
    let bare = draw(gpu, &scene);
    let behind = draw(gpu, &SceneView { panes: &panes, ..scene });
    let through = difference(middle(&behind), middle(&bare));
    assert!((3..70).contains(&through), "{:?} through glass", middle(&behind));
    let corner = Vec3::new(1.0, -0.5, 0.3);
    let rise = brightness(at(&behind, corner)) - brightness(at(&bare, corner));
    assert!(rise > 150, "the edge is brighter by {rise} only");
}

pub(crate) fn selection(gpu: &Gpu) {
    let brightness_of = |selected| {
        let panes = [pane(Vec3::ZERO, selected)];
        brightness(middle(&draw(gpu, &SceneView { panes: &panes, ..view() })))
    };
    assert!(brightness_of(true) > brightness_of(false) + 60);
}

pub(crate) fn lines(gpu: &Gpu) {
    let white = [255, 255, 255, 255];
    let bounds = Aabb::new(Vec3::splat(-0.8), Vec3::splat(0.8));
    let boxes = [WireBox { bounds, color: white, width: 2.0 }];
    let picture = draw(gpu, &SceneView { boxes: &boxes, ..view() });
    for edge in [Vec3::new(0.8, -0.8, 0.1), Vec3::new(-0.8, 0.8, 0.1), Vec3::new(0.8, 0.4, -0.8)] {
        assert!(brightness(at(&picture, edge)) > 500, "no edge at {edge}");
    }
    assert_eq!(middle(&picture), middle(&draw(gpu, &view())));

    let width_of = |width, pixels_per_point| {
        let segments = [Segment { a: [-1.0, 0.0, 0.0], b: [1.0, 0.0, 0.0], color: white, width }];
        let picture = draw(gpu, &SceneView { segments: &segments, pixels_per_point, ..view() });
        let column = (0..HEIGHT).map(|y| brightness(picture.pixel(WIDTH / 2, y)));
        column.filter(|&brightness| brightness > 450).count()
    };
    assert_eq!(width_of(6.0, 1.0), 6);
    assert_eq!(width_of(3.0, 2.0), 6);
}

pub(crate) fn line_behind_eye(gpu: &Gpu) {
    // From behind the eye on its right to a point left of the middle, so that it enters at the
    // right.
    let color = [255, 255, 255, 255];
    let segments = [Segment { a: [4.0, -8.0, 0.0], b: [-0.5, 0.0, 0.0], color, width: 3.0 }];
    let picture = draw(gpu, &SceneView { segments: &segments, ..view() });
    let row = HEIGHT / 2;
    assert!(brightness(picture.pixel(WIDTH - 1, row)) > 600);
    assert!(brightness(picture.pixel(WIDTH / 2, row)) > 600);
    assert!(brightness(picture.pixel(0, row)) < 200);
}

pub(crate) fn bad_boxes(gpu: &Gpu) {
    let nan = Aabb::new(Vec3::NAN, Vec3::ONE);
    let endless = Aabb::new(Vec3::NEG_INFINITY, Vec3::INFINITY);
    let all = [Aabb::EMPTY, nan, endless];
    let boxes = all.map(|bounds| WireBox { bounds, color: ORANGE, width: 1.0 });
    let panes = all.map(|bounds| Pane { bounds, normal: Axis::X, selected: false });
    let planes = all.map(|bounds| Plane { bounds, normal: Axis::Z, alpha: 0.5, color: None });
    let haze = Some(Haze { near: 1.0, far: 1.0, amount: 0.5 });
    let scene = SceneView { boxes: &boxes, panes: &panes, planes: &planes, haze, ..view() };
    assert_eq!(draw(gpu, &scene), draw(gpu, &view()));
}
