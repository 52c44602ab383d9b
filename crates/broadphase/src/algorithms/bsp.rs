//! Placeholder.
use crate::*;
/// Row.
pub const ROW: Algorithm = Algorithm { id: "bsp", name: "bsp", summary: "", source: "", has_planes: false, memory: |_| 0, build: |_| Box::new(Stub) };
struct Stub;
impl BroadPhase for Stub {
    fn update(&mut self, _: &Frame<'_>) {}
    fn find_pairs(&mut self, f: &Frame<'_>, pairs: &mut Vec<Pair>) {
        for j in 0..f.boxes.len() { for i in 0..j { if f.boxes[i].overlaps(&f.boxes[j]) { pairs.push(Pair::new(i as u32, j as u32)); } } }
    }
    fn counters(&self) -> Counters { Counters::default() }
    fn heap_bytes(&self) -> usize { 0 }
    fn validate(&self, _: &Frame<'_>) {}
}
