//! Leaves or cells: [`Mark::Region`](broadphase::inspect::Mark::Region).

use super::drawing::{Anchor, Entry, Group, Ink, faint};
use super::{MAX_BOXES, Source, of_255, strength, within};
use crate::format::{capitalised, compact, counted, short};
use broadphase::Axis;
use broadphase::inspect::{Caption, Overlay, Region, for_each_region};
use std::cmp::Reverse;

/// The place of the first level on the colour scale: its beginning is dark, and cells of the first level are few.
const LEVELS_FROM: f32 = 0.35;

/// Most levels listed with their colours.
const MAX_LEVELS: usize = 8;

/// Maximum of numbers, those of the fullest regions: more of them would be illegible.
const MAX_LABELS: usize = 100;

/// The leaves or cells of a structure, and the lists of its planes.
#[derive(Default)]
pub(super) struct Regions {
    /// All of them, or the [`MAX_BOXES`] fullest.
    pub(super) kept: Vec<Listed>,
    number: usize,
    /// Listings of objects, summed over all: an object counts once for each region that lists it.
    listed: u64,
    /// Objects in the fullest.
    most: u32,
    /// By depth: number, listings, and the longest side of one.
    levels: Vec<(usize, u64, f32)>,
    /// Lists of leaves, and those of planes.
    lists: [usize; 2],
    /// Objects that a plane holds, with the axis that is normal to it, by object.
    pub(super) held: Vec<(u32, Axis)>,
}

/// A leaf or cell, or the list of a plane.
pub(super) struct Listed {
    pub(super) region: Region,
    /// The axis on which its list is swept, if it has one of its own.
    axis: Option<Axis>,
    /// The axis that is normal to its plane.
    plane: Option<Axis>,
}

impl Regions {
    pub(super) fn of(source: Source<'_>) -> Self {
        let mut all = Self::default();
        let [has_regions, has_planes] =
            [Overlay::Regions, Overlay::Planes].map(|overlay| source.view.shows(overlay));
        if !has_regions && !has_planes {
            return all;
        }
        let has_own_axes = source.snapshot.algorithm.regions().keeps_straddlers;
        for_each_region(source.inspect, &mut |mark| {
            let axis = mark.axis.filter(|_| has_own_axes);
            let plane = mark.plane.filter(|_| axis.is_some());
            if axis.is_some() {
                all.lists[usize::from(plane.is_some())] += 1;
            }
            if let Some(plane) = plane.filter(|_| has_planes) {
                all.held.extend(mark.objects.iter().map(|object| (*object, plane)));
            }
            if has_regions {
                all.add(Listed { region: mark.region, axis, plane });
            }
        });
        all.keep_fullest(MAX_BOXES);
        all.held.sort_unstable_by_key(|(object, _)| *object);
        all
    }

    fn add(&mut self, listed: Listed) {
        let Region { bounds, depth, objects, .. } = listed.region;
        self.number += 1;
        self.listed += u64::from(objects);
        self.most = self.most.max(objects);
        if depth as usize >= self.levels.len() {
            self.levels.resize(depth as usize + 1, (0, 0, 0.0));
        }
        let (number, of_level, side) = &mut self.levels[depth as usize];
        (*number, *of_level) = (*number + 1, *of_level + u64::from(objects));
        *side = side.max(bounds.size().max_element());
        self.kept.push(listed);
        // Many of them are thinned out now and then, in time that is linear in all.
        self.keep_fullest(2 * MAX_BOXES);
    }

    /// Keeps [`MAX_BOXES`] if there are more than some.
    fn keep_fullest(&mut self, some: usize) {
        if self.kept.len() > some {
            self.kept.select_nth_unstable_by_key(MAX_BOXES, |of| Reverse(of.region.objects));
            self.kept.truncate(MAX_BOXES);
        }
    }

    /// Whether leaves are swept on axes of their own.
    pub(super) fn has_own_axes(&self) -> bool {
        self.lists[0] > 0
    }

    pub(super) fn has_levels(&self, source: Source<'_>) -> bool {
        self.levels.len() > 1 && !source.snapshot.algorithm.shows(Overlay::Planes)
    }

    /// The place of a depth on the colour scale.
    fn place(&self, depth: usize) -> f32 {
        let share = depth as f32 / self.levels.len().saturating_sub(1).max(1) as f32;
        LEVELS_FROM + (1.0 - LEVELS_FROM) * share
    }
}

/// The edges of leaves or cells with their numbers of objects. Fuller ones are stronger, or all have the colours of their
/// levels; empty ones are left out.
pub(super) fn draw(source: Source<'_>, regions: &Regions) -> Option<Group> {
    let Source { snapshot, .. } = source;
    let caption = snapshot.algorithm.caption(Overlay::Regions);
    let caption = caption.filter(|_| source.draws(Overlay::Regions))?;
    let mut group = Group::of(Overlay::Regions);
    if regions.number == 0 {
        let name = capitalised(caption.noun(2));
        group.legend.push(Entry::Heading(format!("{name}: none in this step")));
        return Some(group);
    }
    let has_levels = regions.has_levels(source);
    let strength = strength(regions.kept.len()) * source.beside_way();
    let space = snapshot.objects.occupied;
    for Listed { region, .. } in regions.kept.iter().filter(|of| of.region.objects > 0) {
        let share = region.objects as f32 / regions.most as f32;
        let (place, alpha, width) = match has_levels {
            true => (regions.place(region.depth as usize), 210.0 * strength, 1.5),
            false => (share, (70.0 + 160.0 * share) * strength, 1.0 + share),
        };
        let bounds = within(&space, &region.bounds);
        group.wire(bounds, faint(Ink::Scale(place), of_255(alpha), width));
    }
    label(&mut group, source, regions, has_levels);
    explain(&mut group, source, regions, caption, has_levels);
    Some(group)
}

/// Numbers of objects. Where leaves are swept on axes of their own, also which axis that is, and which lists are those of
/// planes.
fn label(group: &mut Group, source: Source<'_>, regions: &Regions, has_levels: bool) {
    // Where cells have levels, most hold a single object.
    let least = if has_levels { 2 } else { 1 };
    for Listed { region, axis, plane } in fullest(&regions.kept, least) {
        let objects = region.objects;
        let text = match (plane, axis) {
            (Some(plane), _) => format!("{objects} at plane {}", plane.name()),
            (None, Some(axis)) => format!("{objects}, sweep {}", axis.name()),
            (None, None) => objects.to_string(),
        };
        let bounds = within(&source.snapshot.objects.occupied, &region.bounds);
        // The list of a plane is in the middle of a leaf's cell, or near it.
        let at = match plane {
            Some(_) => Anchor::Corner(bounds, region.depth),
            None => Anchor::Near(bounds.center()),
        };
        group.label(at, text, None);
    }
}

/// The regions with most objects, of those that have at least some.
fn fullest(regions: &[Listed], least: u32) -> Vec<&Listed> {
    let mut occupied: Vec<&Listed> =
        regions.iter().filter(|of| of.region.objects >= least).collect();
    if occupied.len() > MAX_LABELS {
        occupied.select_nth_unstable_by_key(MAX_LABELS, |of| Reverse(of.region.objects));
        occupied.truncate(MAX_LABELS);
    }
    occupied
}

fn explain(
    group: &mut Group,
    source: Source<'_>,
    regions: &Regions,
    caption: &Caption,
    has_levels: bool,
) {
    let snapshot = source.snapshot;
    let Regions { number, listed, most, lists: [leaves, planes], .. } = *regions;
    let heading = match caption.keeps_straddlers {
        true => {
            let [lists, planes] = [counted(number, "list"), counted(planes, "plane")];
            format!("{lists}: {leaves} {}, {planes}", caption.noun(leaves))
        }
        false => format!("{} {}", compact(number as f64), caption.noun(number)),
    };
    group.title(heading, caption.meaning);
    if has_levels {
        levels(group, regions, caption);
    } else {
        group.legend.push(Entry::Scale("0".to_owned(), compact(f64::from(most))));
    }
    let mean = listed as f64 / number as f64;
    group.figure(format!("objects: mean {mean:.1}, most {most}"));
    let straddlers = compact(snapshot.search.counters.straddlers as f64);
    if caption.keeps_straddlers {
        group.figure(format!("{straddlers} kept at planes, in inner nodes"));
    } else if !caption.is_loose {
        group.figure(format!("{straddlers} in several {}", caption.noun(2)));
    } else if let Some(picked) = &snapshot.picked {
        if !picked.loose.is_empty() {
            group.dashes(Ink::OWN, "its cell, doubled: its objects are within");
        }
    } else {
        group.hint("Click an object: its cell, and how far its cell reaches.");
    }
    if regions.kept.len() < number {
        group.note(format!("Only the fullest {} are drawn", compact(MAX_BOXES as f64)));
    }
}

/// The colours of the levels, from the largest cells to the smallest.
fn levels(group: &mut Group, regions: &Regions, caption: &Caption) {
    let occupied = regions.levels.iter().enumerate().filter(|(_, (_, listed, _))| *listed > 0);
    for (depth, (number, _, side)) in occupied.take(MAX_LEVELS) {
        let (cells, length) = (counted(*number, "cell"), short(*side));
        let sizes = caption.longest.map(|share| share * side);
        let sizes = sizes.map_or(String::new(), |most| format!(", objects up to {}", short(most)));
        let ink = Ink::Scale(regions.place(depth));
        group.swatch(ink, format!("level {depth}: {cells} of side {length}{sizes}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Aabb;

    #[test]
    fn only_the_fullest_regions_have_labels() {
        let listed = |objects: u32| Listed {
            region: Region { index: objects, bounds: Aabb::EMPTY, depth: 0, objects },
            axis: None,
            plane: None,
        };
        let regions: Vec<Listed> = (0..150).map(listed).collect();
        let shown = fullest(&regions, 1);
        let least = shown.iter().map(|of| of.region.objects).min();
        assert_eq!((shown.len(), least), (100, Some(50)));
        assert!(fullest(&regions[..1], 1).is_empty());
        assert_eq!(fullest(&regions[..4], 2).len(), 2);
    }
}
