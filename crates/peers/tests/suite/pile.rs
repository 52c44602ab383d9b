//! A pile falls, and its bodies never sleep.

use broadphase::Aabb;
use peers::Pile;

fn boxes_after(pile: &mut Pile, steps: usize) -> Vec<Aabb> {
    let mut boxes = Vec::new();
    (0..steps).for_each(|_| pile.step());
    pile.boxes(&mut boxes);
    boxes
}

/// The distances that boxes move in the next step, ascending.
fn moved(pile: &mut Pile) -> Vec<f32> {
    let before = boxes_after(pile, 0);
    let after = boxes_after(pile, 1);
    let mut moved: Vec<f32> =
        before.iter().zip(&after).map(|(a, b)| (b.min - a.min).abs().max_element()).collect();
    moved.sort_by(f32::total_cmp);
    moved
}

#[test]
fn bodies_fall_then_tremble_but_never_sleep() {
    let mut pile = Pile::new(1000);
    let height = |boxes: &[Aabb]| boxes.iter().map(|b| b.max.y).fold(0.0, f32::max);
    let high = height(&boxes_after(&mut pile, 60));
    let falling = moved(&mut pile);
    assert!(falling[500] > 0.1, "half of them fall 6 units/s: {}", falling[500]);
    let low = height(&boxes_after(&mut pile, 200));
    assert!(low < 0.5 * high, "{high} to {low}");
    let lying = moved(&mut pile);
    assert!(lying[900] < 0.01, "it lies: {}", lying[900]);
    let still = lying.iter().take_while(|&&distance| distance == 0.0).count();
    assert!(still < 100, "{still} of 1000 do not move at all");
}
