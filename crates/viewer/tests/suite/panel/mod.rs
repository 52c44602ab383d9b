//! The panels, clicked without a window: the commands that they return, and their effect on a session.

mod bodies;
mod compare;
mod contacts;
mod disagreement;
mod draw;
mod events;
mod faults;
mod figures;
mod impacts;
mod inspector;
mod layout;
mod legend;
mod overlays;
mod parameters;
mod pictures;
pub(crate) mod planted;
mod ranking;
mod recording;
mod run;
mod scene;
mod scrubber;
mod stages;
mod suggestions;
mod touching;
mod triad;
mod validation;
mod words;

use crate::common::bench::{Bench, COLUMN, Stage};
use crate::common::traces::{Trace, boxes_session, cube_at};
use crate::common::{
    TickingClock, assert_words, crowded, cube, drawing, exported, half_static, meeting,
    placed_bodies, row, scene, session, shipped, steps, tumbling,
};
use crate::panel::planted::{
    FORGETFUL, INVENTIVE, REPETITIVE, faulty, first_apart, validated, wrong,
};
use crate::panel::run::motion;
use broadphase::inspect::{Inspect, Outcome, Overlay, Visited, for_each_region, planes_of};
use broadphase::registry::{ALGORITHMS, Algorithm, Kind, Settings};
use broadphase::{Aabb, Axis, BroadPhase, Counters, Frame, Pair};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::{DVec3, Vec3};
use narrowphase::narrow;
use narrowphase::volume;
use narrowphase::{Answer, Body, BoxKind, NarrowPhase, PairCache, Reference};
use sim::scene::{
    Action, Continuous, Event, Gravity, MoveRule, Obstacle, Radius, Source, Triangles,
};
use sim::{Edit, GeneratedKind, Scene, SceneDocument, World};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;
use viewer::panel::{Bookmark, Command, UnsavedEdits, variant_name};
use viewer::picture::{Entry, MAX_BOXES, MAX_PAIRS, former_fat_boxes};
use viewer::scene_renderer::{Color, Segment, Theme, WireBox};
use viewer::session::{AtWork, ContactEvent, FrameFigures, Methods, Session, Task, TouchingPair};
use viewer::simulation::{Escape, Notice, Order, Pace};
use viewer::view::{ColorBy, MAX_DRAWN_BY_DEFAULT, Row, View};
