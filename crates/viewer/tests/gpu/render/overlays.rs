//! Planes, glass and lines.

use super::*;

pub(crate) fn plane_order(gpu: &Gpu) {
    // The shares of the colours show which one is in front.
    let [near, far] = [-0.5, 0.5].map(|y| plane(Vec3::Y * y, Axis::Y, 0.7));
    let glass = |y: f32| pane(Vec3::Y * y, THEME.selected_pane);
    let drawn = |rectangles: &[Rectangle]| draw(gpu, &SceneView { rectangles, ..view() });
    let between = drawn(&[near, far, glass(0.0)]);
    assert_eq!(between, drawn(&[glass(0.0), far, near]));
    // A pane is darker behind the near plane than in front of it.
    let before = drawn(&[near, far, glass(-0.8)]);
    assert!(brightness(middle(&before)) > brightness(middle(&between)) + 20);
}

pub(crate) fn light(gpu: &Gpu) {
    let theme = &Theme::LIGHT;
    let [edge, fill] = [theme.pane_edge, theme.pane];
    let panes = [Rectangle { edge, width: 6.0, ..pane(Vec3::ZERO, fill) }];
    let glass = draw(gpu, &SceneView { theme, rectangles: &panes, ..view() });
    // Beside the pane, on it, and at its edge: darker and darker.
    let at_x = [1.2, 0.5, 1.0].map(|x| brightness(at(&glass, Vec3::new(x, 0.0, 0.3))));
    assert!(at_x[0] > at_x[1] + 10 && at_x[1] > at_x[2] + 20, "{at_x:?}");
    let places = [Vec3::new(-0.8, -1.5, 0.0), Vec3::new(0.8, 1.5, 0.0)];
    let spheres = places.map(|place| sphere(place, 0.3, theme.spheres[0]));
    let space = Aabb::new(Vec3::splat(-2.0), Vec3::splat(2.0));
    for (haze, is_faded) in [(None, false), (Haze::across(space, &front(), theme.haze), true)] {
        let drawn = draw(gpu, &SceneView { theme, haze, spheres: &spheres, ..view() });
        let [near, far] = places.map(|place| brightness(at(&drawn, place)));
        assert_eq!(far > near + 30, is_faded, "{near} {far}");
    }
}

pub(crate) fn width(gpu: &Gpu) {
    let white = [255, 255, 255, 255];
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
    let rectangles = all.map(|bounds| Rectangle { bounds, ..pane(Vec3::ZERO, ORANGE) });
    let haze = Some(Haze { near: 1.0, far: 1.0, amount: 0.5 });
    let scene = SceneView { boxes: &boxes, rectangles: &rectangles, haze, ..view() };
    assert_eq!(draw(gpu, &scene), draw(gpu, &view()));
}
