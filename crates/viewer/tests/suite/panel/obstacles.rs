//! Group *Obstacles*.

use crate::panel::scene::{divided, fer, scene_bench};
use broadphase::Axis;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use sim::scene::Obstacle;
use sim::{Edit, Scene};
use viewer::simulation::Order;

#[test]
fn obstacles_are_changed_added_deleted_and_undone() {
    let mut bench = scene_bench(divided());
    assert_eq!(bench.lighter(), [0; 0]);
    bench.select("1   y-z");
    assert_eq!(bench.lighter(), [0]);
    assert!(bench.is_disabled(Role::SpinButton, "Obstacle sides x"));
    bench.type_number("Obstacle position z", "0.25");
    bench.click(Role::Button, "Obstacle in a x-y plane");
    assert!(bench.is_disabled(Role::SpinButton, "Obstacle sides z"));
    assert!(!bench.is_disabled(Role::SpinButton, "Obstacle sides x"));
    bench.type_number("Obstacle sides y", "0.75");
    bench.assert_no_command();
    bench.click_and_obey(Role::Button, "Apply obstacle");
    let turned = Obstacle {
        corner: Vec3::new(0.0, -0.5, 0.25),
        size: Vec3::new(1.0, 0.75, 0.0),
        normal: Axis::Z,
    };
    assert_eq!(bench.recipe().obstacles, [turned]);

    bench.click_and_obey(Role::Button, "New obstacle");
    let above = Obstacle { corner: Vec3::new(0.0, -0.5, 0.35), ..turned };
    assert_eq!(bench.recipe().obstacles, [turned, above]);
    assert_eq!(bench.lighter(), [1], "the new one is selected");
    bench.select("1   x-y");
    bench.click_and_obey(Role::Button, "Delete obstacle");
    assert_eq!(bench.recipe().obstacles, [above]);
    assert_eq!(bench.lighter(), [0; 0]);
    for obstacles in [vec![turned, above], vec![turned], divided().obstacles] {
        bench.select("Undo: ");
        let undo = bench.command();
        bench.obey(undo);
        assert_eq!(bench.recipe().obstacles, obstacles);
    }
    bench.select("1   y-z");
    bench.click_and_obey(Role::Button, "Delete obstacle");
    bench.harness.get_by_label("The scene has none.");
    bench.click_and_obey(Role::Button, "New obstacle");
    let middle = bench.recipe().obstacles[0];
    assert_eq!((middle.corner, middle.normal), (Vec3::new(-0.25, -0.25, 0.0), Axis::Z));
    assert_eq!(bench.lighter(), [0]);
}

#[test]
fn the_selected_obstacle_outlives_others() {
    let mut bench = scene_bench(fer());
    bench.select("3   x-z");
    bench.obey(Order::Edit(Edit::DeleteObstacle { index: 0 }));
    assert_eq!(bench.lighter(), [1]);
    bench.obey(Order::Undo);
    assert_eq!(bench.lighter(), [2]);
}

#[test]
fn only_visible_rows_of_a_long_list_are_laid_out() {
    let scene = fer();
    let obstacles = scene.obstacles.iter().cycle().take(5000).copied().collect();
    let bench = scene_bench(Scene { obstacles, ..scene });
    let rows = bench.harness.get_all_by_role(Role::Button);
    let plane = |label: String| label.contains("   x-z   ") || label.contains("   y-z   ");
    let rows = rows.filter(|node| node.accesskit_node().label().is_some_and(plane)).count();
    assert!((4..=10).contains(&rows), "{rows}");
}
