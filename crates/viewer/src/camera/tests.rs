//! Poses, projections and motions of the camera.

use super::*;

const SIZE: Vec2 = Vec2::new(1280.0, 720.0);

fn camera(yaw: f32, pitch: f32, distance: f32) -> OrbitCamera {
    OrbitCamera::from_pose(CameraPose { yaw, pitch, distance })
}

fn assert_near(a: Vec2, b: Vec2) {
    assert!((a - b).length() < 0.05, "{a} is not {b}");
}

#[test]
fn view_in_a_free_part_is_moved_and_scaled() {
    let centred = camera(25.0, 20.0, 3.0);
    let moved = centred.within(FreePart { middle: Vec2::new(-0.25, 0.1), scale: 0.5 });
    for point in [Vec3::ZERO, Vec3::X, Vec3::new(0.3, -0.5, 0.2)] {
        let [before, after] =
            [centred, moved].map(|c| c.project(point, SIZE).unwrap() - SIZE / 2.0);
        assert_near(after - 0.5 * before, Vec2::new(-0.25, -0.1) * SIZE / 2.0);
        let after = after + SIZE / 2.0;
        let ray = moved.ray_through(after, SIZE);
        let beside = (point - ray.origin).cross(ray.direction).length();
        assert!(beside < 1e-4, "a click on {point} passes it at {beside}");
    }
    assert_eq!(moved.within(FreePart::WHOLE), centred);
}

#[test]
fn at_yaw_0_x_points_right_y_away_and_z_up() {
    let camera = camera(0.0, 0.0, 4.0);
    assert!((camera.eye() - Vec3::new(0.0, -4.0, 0.0)).length() < 1e-5);
    let middle = SIZE / 2.0;
    let right = camera.project(Vec3::X, SIZE).unwrap();
    assert!(right.x > middle.x + 100.0 && (right.y - middle.y).abs() < 0.05, "{right}");
    let up = camera.project(Vec3::Z, SIZE).unwrap();
    assert!(up.y < middle.y - 100.0 && (up.x - middle.x).abs() < 0.05, "{up}");
    let depth = |p: Vec3| camera.view_projection(1.0).project_point3(p).z;
    assert!(depth(Vec3::Y) > depth(Vec3::ZERO));
    assert!((0.0..=1.0).contains(&depth(Vec3::Y * 1e5)));
    assert_eq!(camera.project(Vec3::Y * -5.0, SIZE), None);
    assert!((self::camera(90.0, 0.0, 2.0).eye() - Vec3::X * 2.0).length() < 1e-5);
}

#[test]
fn camera_looks_from_each_side() {
    for side in Side::ALL {
        let mut camera = camera(123.0, -45.0, 3.0);
        camera.target = Vec3::new(1.0, 2.0, 3.0);
        assert!(!camera.looks_from(side));
        camera.look_from(side);
        let expected = camera.target + side.direction() * 3.0;
        assert!(camera.eye().distance(expected) < 0.06, "{side:?}: {}", camera.eye());
        assert!(camera.looks_from(side) && !camera.looks_from(side.opposite()), "{side:?}");
        assert!(camera.in_view(side.direction()).z > 0.99, "{side:?}");
        // Above and below, x is to the right; elsewhere z is upwards.
        let seen = match side.axis {
            Axis::Z => camera.in_view(Vec3::X).x,
            _ => camera.in_view(Vec3::Z).y,
        };
        assert!((seen - 1.0).abs() < 1e-6, "{side:?}: {seen}");
    }
}

#[test]
fn front_of_the_scene_follows_a_drag_short_of_the_poles() {
    let pose = CameraPose { yaw: 25.0, pitch: -20.0, distance: 4.5 };
    let mut camera = OrbitCamera::from_pose(pose);
    assert_eq!(camera.pose(), pose);
    let front = camera.backward();
    let before = camera.project(front, SIZE).unwrap();
    camera.orbit(Vec2::new(30.0, 20.0));
    let after = camera.project(front, SIZE).unwrap();
    assert!(after.x > before.x && after.y > before.y, "{before} to {after}");
    camera.orbit(Vec2::new(0.0, -1e6));
    assert_eq!((camera.pose().pitch, self::camera(0.0, 500.0, 4.0).pose().pitch), (-89.0, 89.0));
    // A window may have no height.
    for aspect in [1.0, 0.0, f32::NAN] {
        assert!(camera.view_projection(aspect).is_finite());
    }
    assert!(camera.ray_through(Vec2::ZERO, Vec2::ZERO).direction.is_finite());
}

#[test]
fn panned_point_stays_under_the_pointer_and_on_its_ray() {
    let mut camera = camera(33.0, -12.0, 4.0);
    let (grabbed, drag) = (camera.target, Vec2::new(123.0, -45.0));
    camera.pan(drag, SIZE.y);
    assert_near(camera.project(grabbed, SIZE).unwrap(), SIZE / 2.0 + drag);
    for pixel in [SIZE / 2.0 + drag, Vec2::new(3.0, 700.0), Vec2::new(1000.0, 20.0)] {
        let ray = camera.ray_through(pixel, SIZE);
        assert!((ray.direction.length() - 1.0).abs() < 1e-5);
        assert_near(camera.project(ray.origin + ray.direction * 7.0, SIZE).unwrap(), pixel);
    }
}

#[test]
fn zoom_neither_passes_nor_inverts_the_target() {
    let mut camera = camera(0.0, 0.0, 4.0);
    camera.zoom(1.0);
    assert!(camera.distance() < 4.0);
    camera.zoom(-1.0);
    assert!((camera.distance() - 4.0).abs() < 1e-4);
    camera.zoom(1e6);
    assert!(camera.distance() > 0.0 && camera.eye().y < 0.0);
    assert_near(camera.project(camera.target, SIZE).unwrap(), SIZE / 2.0);
    camera.zoom(-1e6);
    assert!(camera.distance().is_finite());
}

#[test]
fn eased_camera_takes_the_shorter_rotation_and_arrives() {
    let goal = camera(10.0, 30.0, 2.0);
    let mut eased = camera(350.0, -30.0, 8.0);
    let halfway = eased.toward(&goal, 0.5);
    assert!((halfway.yaw - 0.0).abs() < 1e-3 || (halfway.yaw - 360.0).abs() < 1e-3);
    assert!((halfway.pitch, halfway.distance()) == (0.0, 4.0), "{halfway:?}");
    for _ in 0..60 {
        eased = eased.toward(&goal, 0.3);
        assert!(eased.view_projection(1.5).is_finite());
    }
    assert_eq!(eased, goal);
    assert_eq!(goal.toward(&goal, 0.3), goal);
}

/// The places of a box's corners in a picture, -1 to 1.
fn seen(camera: OrbitCamera, bounds: &Aabb, aspect: f32) -> [Vec2; 8] {
    let size = Vec2::new(720.0 * aspect, 720.0);
    corners(bounds).map(|corner| camera.project(corner, size).unwrap() / size * 2.0 - 1.0)
}

#[test]
fn framed_box_is_wholly_visible_from_no_further_than_needed() {
    let bounds = Aabb::new(Vec3::new(-4.0, -0.3, -0.4), Vec3::new(4.0, 0.3, 7.0));
    for aspect in [0.5, 1.0, 2.0] {
        let mut camera = camera(40.0, 30.0, 1.0);
        let reach = |camera| {
            seen(camera, &bounds, aspect)
                .map(|at| at.abs().max_element())
                .into_iter()
                .fold(0.0, f32::max)
        };
        camera.back_off(&corners(&bounds), aspect);
        assert!((reach(camera) - 1.0).abs() < 1e-3, "{}", reach(camera));
        camera.zoom(-3.0);
        let far = camera;
        camera.back_off(&corners(&bounds), aspect);
        assert!(camera == far, "it does not come nearer");
        camera.frame(&corners(&bounds), aspect);
        assert!((0.8..1.0).contains(&reach(camera)), "{}", reach(camera));
        assert_eq!(camera.target, bounds.center());
    }
}

#[test]
fn empty_or_unbounded_box_is_not_framed() {
    let before = OrbitCamera::default();
    let mut camera = before;
    for bounds in [Aabb::EMPTY, Aabb::new(Vec3::NEG_INFINITY, Vec3::INFINITY)] {
        camera.frame(&corners(&bounds), 1.0);
        camera.back_off(&corners(&bounds), 1.0);
    }
    assert_eq!(camera, before);
    camera.frame(&[Vec3::ONE], 1.0);
    assert_eq!(camera.target, Vec3::ONE);
    assert!(camera.distance() > 0.0);
}

#[test]
fn numbers_of_a_saved_camera_are_limited() {
    let mut moved = camera(7.0, -3.0, 2.5);
    moved.target = Vec3::new(1.0, -2.0, 0.5);
    let text = toml::to_string(&moved).unwrap();
    assert_eq!(toml::from_str(&text), Ok(moved));
    for (number, limited) in [("1e30", FARTHEST), ("-1e30", -FARTHEST), ("nan", 0.0)] {
        let text = format!("target = [0.0, {number}, 0.0]\nyaw = 1.0\npitch = 2.0\ndistance = 3.0");
        let read: OrbitCamera = toml::from_str(&text).unwrap();
        assert_eq!(read.target, Vec3::Y * limited, "{number}");
    }
}
