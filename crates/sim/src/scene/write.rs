//! From a scene to text, touching only those lines of an existing file whose element changed.

use super::lines::{KINDS, Kind, SOURCE};
use super::model::{Scene, Source};
use super::parse::Element;
use super::text::first_line;
use std::collections::HashMap;
use std::iter::zip;

/// Rewrites a file that gives `old` in `elements` so that it gives `new`; the share of the last
/// source must be filled in in both. Both stay as they are.
pub(super) fn rewrite(
    text: &str,
    elements: &[Element],
    old: &mut Scene,
    new: &mut Scene,
) -> String {
    let ending = match text.find('\n') {
        Some(newline) if text[..newline].ends_with('\r') => "\r\n",
        _ => "\n",
    };
    let last_setting = elements.iter().rfind(|element| element.kind.once);
    let mut edits = Vec::new();
    for kind in KINDS {
        let of_kind = elements.iter().filter(|element| element.kind.head == kind.head);
        let mut places: Vec<_> = of_kind.map(Some).collect();
        let (mut before, mut after) = (kind.lines(old), kind.lines(new));
        let is_source = kind.head == SOURCE;
        let taken = if is_source {
            taken_lines(&without_shares(kind, old), &without_shares(kind, new))
        } else {
            if kind.once && places.is_empty() {
                // A setting that is not given has its default.
                before.clear();
                if after == kind.lines(&mut Scene::default()) {
                    after.clear();
                }
            }
            taken_lines(&before, &after)
        };
        // Without an old line, new ones follow the last setting, or the whole text.
        let end = last_setting.filter(|_| kind.once).map_or(text.len(), |last| last.line.end);
        let mut at = places.first().copied().flatten().map_or(end, |first| first.line.start);
        for (index, (line, taken)) in zip(&after, taken).enumerate() {
            let Some((taken, place)) = taken.and_then(|at| Some((at, places[at].take()?))) else {
                let starts_a_line = at == first_line(text) || text[..at].ends_with('\n');
                let [start, end] = if starts_a_line { ["", ending] } else { [ending, ""] };
                edits.push((at..at, format!("{start}{line}{end}")));
                continue;
            };
            at = place.line.end;
            // The number of the last source is ignored in reading.
            let is_ignored = is_source && taken + 1 == before.len() && index + 1 < after.len();
            if is_ignored || before[taken] != *line {
                edits.push((place.span.clone(), line.clone()));
            }
        }
        let removed = places.into_iter().flatten();
        edits.extend(removed.map(|place| (place.line.clone(), String::new())));
    }
    // A stable sort: insertions at one place keep their order, and precede an edit that starts there.
    edits.sort_by_key(|(at, _)| (at.start, at.end));
    let (mut rewritten, mut copied) = (String::with_capacity(text.len()), 0);
    for (at, replacement) in &edits {
        rewritten += &text[copied..at.start];
        rewritten += replacement;
        copied = at.end;
    }
    rewritten + &text[copied..]
}

/// The lines of sources, whose shares follow from each other, with a share of 0 each.
fn without_shares(kind: &Kind, scene: &Scene) -> Vec<String> {
    let sources = scene.sources.iter().map(|source| Source { percent: 0.0, ..*source });
    kind.lines(&mut Scene { sources: sources.collect(), ..Scene::default() })
}

/// The old line that each new one takes, in the order of both: one that is the same, if there is one. Between such lines,
/// old ones become new ones in their order.
fn taken_lines(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    let same = zip(old, new).take_while(|(a, b)| a == b).count();
    let rests = zip(old[same..].iter().rev(), new[same..].iter().rev());
    let tail = rests.take_while(|(a, b)| a == b).count();
    let mut kept: Vec<_> = (0..same).map(|index| (index, index)).collect();
    // In between, each new line keeps the next old one that is the same.
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for index in (same..old.len() - tail).rev() {
        places.entry(&old[index]).or_default().push(index);
    }
    let mut next = same;
    for (index, line) in new.iter().enumerate().take(new.len() - tail).skip(same) {
        let Some(places) = places.get_mut(line.as_str()) else { continue };
        while places.pop_if(|place| *place < next).is_some() {}
        if let Some(place) = places.pop() {
            kept.push((place, index));
            next = place + 1;
        }
    }
    kept.extend((1..=tail).rev().map(|back| (old.len() - back, new.len() - back)));
    let mut taken = vec![None; new.len()];
    let (mut from, mut to) = (0, 0);
    for (next_from, next_to) in kept.into_iter().chain([(old.len(), new.len())]) {
        zip(from..next_from, to..next_to).for_each(|(from, to)| taken[to] = Some(from));
        taken.get_mut(next_to).into_iter().for_each(|taken| *taken = Some(next_from));
        (from, to) = (next_from + 1, next_to + 1);
    }
    taken
}
