//! From a scene to text, touching only those lines of an existing file whose element changed.

use super::elements::Source;
use super::lines::{KINDS, Kind, SOURCE};
use super::model::Scene;
use super::parse::Element;
use super::text::first_line;
use std::collections::HashMap;
use std::iter::zip;
use std::ops::Range;

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
    let mut rewriter = Rewriter { text, ending, edits: Vec::new() };
    let last_setting = elements.iter().rfind(|element| element.kind.is_setting());
    for kind in KINDS {
        let is_of_kind = |element: &&Element| element.kind.head() == kind.head();
        let places: Vec<_> = elements.iter().filter(is_of_kind).collect();
        let (mut before, mut after) = (kind.lines(old), kind.lines(new));
        let kept = if kind.head() == SOURCE {
            kept_lines(&without_shares(kind, old), &without_shares(kind, new))
        } else if kind.is_setting() && places.is_empty() {
            // A setting that is not given has its default.
            before.clear();
            if after == kind.lines(&mut Scene::default()) {
                after.clear();
            }
            Vec::new()
        } else {
            kept_lines(&before, &after)
        };
        let end = last_setting.filter(|_| kind.is_setting());
        rewriter.list(&places, &before, &after, &kept, end);
    }
    rewriter.apply()
}

/// The lines of sources, whose shares follow from each other, with a share of 0 each.
fn without_shares(kind: &Kind, scene: &Scene) -> Vec<String> {
    let sources = scene.sources.iter().map(|source| Source { percent: 0.0, ..*source });
    kind.lines(&mut Scene { sources: sources.collect(), ..Scene::default() })
}

/// The lines of an old list that a new one keeps, in the order of both.
fn kept_lines(old: &[String], new: &[String]) -> Vec<(usize, usize)> {
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
    kept
}

struct Rewriter<'a> {
    text: &'a str,
    ending: &'static str,
    edits: Vec<(Range<usize>, String)>,
}

impl Rewriter<'_> {
    /// Between the lines that are kept, old ones become new ones in their order; what is left over is removed or inserted.
    /// Without an old line, new ones follow `end`, or the whole text.
    fn list(
        &mut self,
        places: &[&Element],
        old: &[String],
        new: &[String],
        kept: &[(usize, usize)],
        end: Option<&Element>,
    ) {
        let start = match places.first() {
            Some(first) => first.line.start,
            None => end.map_or(self.text.len(), |end| end.line.end),
        };
        let (mut from, mut to) = (0, 0);
        for &(next_from, next_to) in kept.iter().chain([&(old.len(), new.len())]) {
            let changed = (next_from - from).min(next_to - to);
            for (place, line) in zip(&places[from..], &new[to..]).take(changed) {
                self.edits.push((place.span.clone(), line.clone()));
            }
            for place in &places[from + changed..next_from] {
                self.edits.push((place.line.clone(), String::new()));
            }
            let before = places[..from + changed].last().map_or(start, |place| place.line.end);
            for line in &new[to + changed..next_to] {
                self.insert(before, line);
            }
            if next_from < old.len() {
                // The number of the last source is ignored in reading.
                let is_ignored = places[next_from].kind.head() == SOURCE
                    && next_from + 1 == old.len()
                    && next_to + 1 < new.len();
                if is_ignored || old[next_from] != new[next_to] {
                    self.edits.push((places[next_from].span.clone(), new[next_to].clone()));
                }
            }
            (from, to) = (next_from + 1, next_to + 1);
        }
    }

    /// Inserts a line at the start of one, or at the end of the file.
    fn insert(&mut self, at: usize, line: &str) {
        let starts_a_line = at == first_line(self.text) || self.text[..at].ends_with('\n');
        let line = match starts_a_line {
            true => format!("{line}{}", self.ending),
            false => format!("{}{line}", self.ending),
        };
        self.edits.push((at..at, line));
    }

    fn apply(mut self) -> String {
        // A stable sort: insertions at one place keep their order, and precede an edit that starts there.
        self.edits.sort_by_key(|(at, _)| (at.start, at.end));
        let mut text = String::with_capacity(self.text.len());
        let mut copied = 0;
        for (at, replacement) in &self.edits {
            text += &self.text[copied..at.start];
            text += replacement;
            copied = at.end;
        }
        text + &self.text[copied..]
    }
}
