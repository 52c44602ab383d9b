//! From the text of a scene file to its scene and the places of its elements.

use super::body_lines::BodyLines;
use super::directives::{Directive, Setting};
use super::elements::{Action, LayerTarget, Source};
use super::fault::{Fallible, Fault};
use super::model::Scene;
use super::motion_lines::{self, MotionLines, Quantity};
use super::parse_elements;
use super::text::{first_line, line_number, quote};
use super::tokens::Tokens;
use std::collections::HashMap;
use std::ops::Range;

/// Most warnings that are stored; further ones are only counted.
const WARNINGS: usize = 100;

/// Rounding tolerance of shares, in per cent: their sum may exceed 100 by it, and a smaller last share counts
/// as 0. Shares that add up to 100 in decimals miss it by at most 6e-6 once they are `f32`.
pub(super) const SHARE_SLACK: f64 = 1e-5;

/// The scene of a file, and the lines that describe it.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) scene: Scene,
    /// In the order of the file.
    pub(super) elements: Vec<Element>,
    pub(super) warnings: Vec<Fault>,
}

/// A line that gives an element of the scene.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) kind: Kind,
    /// The line with its ending.
    pub(super) line: Range<usize>,
    /// From its first token to its last.
    pub(super) span: Range<usize>,
}

/// The kind of a line; the n-th line of a list's kind describes the n-th entry of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Source,
    Obstacle,
    Ball,
    Event,
    Layer,
    Shape,
    Part,
    Bodies,
    Body,
    Value(Quantity),
    Force,
    Drive,
    Setting(Setting),
}

/// Reads a whole file.
pub(super) fn parse(text: &str) -> Fallible<Parsed> {
    let mut parser = Parser {
        text,
        scene: Scene::default(),
        elements: Vec::new(),
        warnings: Vec::new(),
        further_warnings: 0,
        shares: Vec::new(),
        named: Vec::new(),
        layers: HashMap::new(),
        bodies: BodyLines::default(),
        motion: MotionLines::default(),
        settings: Default::default(),
    };
    let mut start = first_line(text);
    while start < text.len() {
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length + 1);
        parser.line(start..end)?;
        start = end;
    }
    parser.finish()
}

/// Sets the last share to the remainder of 100. Fails with the first source that brings the sum of the others
/// above 100, and that sum.
pub(super) fn fill_last_share(sources: &mut [Source]) -> Result<(), (usize, f64)> {
    let Some((last, others)) = sources.split_last_mut() else {
        return Ok(());
    };
    let mut sum = 0.0;
    for (index, source) in others.iter().enumerate() {
        // In f64 the sum of f32 shares is exact for all that matters.
        sum += f64::from(source.percent);
        if sum > 100.0 + SHARE_SLACK {
            return Err((index, sum));
        }
    }
    let rest = 100.0 - sum;
    last.percent = if rest < SHARE_SLACK { 0.0 } else { rest as f32 };
    Ok(())
}

struct Parser<'a> {
    text: &'a str,
    scene: Scene,
    elements: Vec<Element>,
    warnings: Vec<Fault>,
    further_warnings: usize,
    /// Where each source's share stands: they are checked once the last source is known.
    shares: Vec<Range<usize>>,
    /// The sources that events and layers name: they may be listed further down.
    named: Vec<(u32, Range<usize>)>,
    /// Where the layer rules so far name their targets.
    layers: HashMap<LayerTarget, Range<usize>>,
    /// The lines about shapes and bodies.
    bodies: BodyLines,
    /// The lines about masses, forces and driving.
    motion: MotionLines,
    /// Where each setting, in the order of [`Setting::ALL`], was given.
    settings: [Option<Range<usize>>; Setting::ALL.len()],
}

impl Parser<'_> {
    fn line(&mut self, line: Range<usize>) -> Fallible<()> {
        let content = self.text[line.clone()].strip_suffix('\n');
        let content =
            content.map_or(&self.text[line.clone()], |c| c.strip_suffix('\r').unwrap_or(c));
        let mut tokens = Tokens::new(self.text, line.start..line.start + content.len());
        let Some(first) = tokens.take() else {
            return Ok(());
        };
        let start = first.at.start;
        let kind = match first.text {
            "i" => {
                let (source, share) = parse_elements::source(&mut tokens)?;
                self.scene.sources.push(source);
                self.shares.push(share);
                Kind::Source
            }
            "p" => {
                let obstacle = parse_elements::obstacle(&mut tokens)?;
                self.scene.obstacles.push(obstacle);
                Kind::Obstacle
            }
            "s" => self.setting(Setting::Strict, first.at, &mut tokens)?,
            text if text.starts_with("#!") => {
                tokens.resume(&first, "#!".len());
                match self.directive(start, &mut tokens)? {
                    Some(kind) => kind,
                    None => return Ok(()),
                }
            }
            text if text.starts_with('#') => return Ok(()),
            _ => {
                let expected = "`i` (a source), `p` (an obstacle), `s` or `#`";
                return Err(first.unexpected(expected, "no element of a scene"));
            }
        };
        self.elements.push(Element { kind, line, span: start..tokens.taken() });
        Ok(())
    }

    /// `start` is where the directive's `#!` stands.
    fn directive(&mut self, start: usize, tokens: &mut Tokens<'_>) -> Fallible<Option<Kind>> {
        let name = tokens.take();
        let known = name.as_ref().and_then(|name| Directive::find(name.text));
        let at = start..tokens.taken();
        match known {
            Some(Directive::Setting(setting)) => self.setting(setting, at, tokens).map(Some),
            Some(Directive::Ball) => {
                self.scene.balls.push(parse_elements::ball(tokens)?);
                Ok(Some(Kind::Ball))
            }
            Some(Directive::Event) => {
                let (event, removed) = parse_elements::event(tokens)?;
                if let (Action::RemoveSource(number), Some(at)) = (event.action, removed) {
                    self.named.push((number, at));
                }
                self.scene.events.push(event);
                Ok(Some(Kind::Event))
            }
            Some(Directive::Layer) => self.layer(tokens).map(Some),
            Some(Directive::Shape) => {
                self.bodies.shape(self.text, &mut self.scene, tokens)?;
                Ok(Some(Kind::Shape))
            }
            Some(Directive::Part) => {
                self.bodies.part(&mut self.scene, tokens)?;
                Ok(Some(Kind::Part))
            }
            Some(Directive::Bodies) => {
                self.named.push(self.bodies.generated(self.text, &mut self.scene, tokens)?);
                Ok(Some(Kind::Bodies))
            }
            Some(Directive::Body) => {
                self.bodies.placed(&mut self.scene, tokens)?;
                Ok(Some(Kind::Body))
            }
            Some(Directive::Value(quantity)) => {
                self.motion.value(quantity, self.text, &mut self.scene, tokens)?;
                Ok(Some(Kind::Value(quantity)))
            }
            Some(Directive::Force) => {
                self.motion.force(&mut self.scene, tokens)?;
                Ok(Some(Kind::Force))
            }
            Some(Directive::Drive) => {
                self.scene.drive.push(motion_lines::drive(tokens)?);
                Ok(Some(Kind::Drive))
            }
            None => {
                let name = name.map_or("", |name| name.text);
                let message = format!("unknown directive {}", quote(&format!("#!{name}")));
                let fault = Fault::new(at, message, "ignored, like a comment");
                let help = format!("the known directives are {}", Directive::names());
                self.warn(*fault.help(help));
                Ok(None)
            }
        }
    }

    fn warn(&mut self, fault: Fault) {
        if self.warnings.len() == WARNINGS {
            self.further_warnings += 1;
        } else {
            self.warnings.push(fault);
        }
    }

    fn layer(&mut self, tokens: &mut Tokens<'_>) -> Fallible<Kind> {
        let (rule, at) = parse_elements::layer(tokens)?;
        let target = rule.target;
        if let Some(earlier) = self.layers.insert(target, at.clone()) {
            let message = format!(
                "expected one layer of `{target}` in the file, found it on line {} and again on \
                 line {}",
                line_number(self.text, earlier.start),
                line_number(self.text, at.start),
            );
            let fault = Fault::new(at, message, "given again");
            return Err(fault.other(earlier, "given for the first time here"));
        }
        if let LayerTarget::Source(number) = target {
            self.named.push((number, at));
        }
        self.scene.layers.push(rule);
        Ok(Kind::Layer)
    }

    /// `head` is where the setting's name stands.
    fn setting(
        &mut self,
        setting: Setting,
        head: Range<usize>,
        tokens: &mut Tokens<'_>,
    ) -> Fallible<Kind> {
        let seen = Setting::ALL.iter().zip(&mut self.settings).find(|(s, _)| **s == setting);
        if let Some((_, seen)) = seen {
            if let Some(earlier) = seen.clone() {
                let message = format!(
                    "expected `{}` once in the file, found it on line {} and again on line {}",
                    setting.head(),
                    line_number(self.text, earlier.start),
                    line_number(self.text, head.start),
                );
                let fault = Fault::new(head, message, "given again");
                return Err(fault.other(earlier, "given for the first time here"));
            }
            *seen = Some(head.clone());
        }
        setting.parse(tokens, &mut self.scene)?;
        Ok(Kind::Setting(setting))
    }

    /// The checks that need the whole file.
    fn finish(mut self) -> Fallible<Parsed> {
        let sources = &mut self.scene.sources;
        if sources.is_empty() {
            let start = first_line(self.text);
            let message = "a scene needs at least one source, found none in the whole file";
            return Err(Fault::new(start..start, message, "no line of the file begins with `i`")
                .help("the smallest scene is the line `i -1 -1 -1  2 2 2  100 t`"));
        }
        for (source, at) in sources.iter().zip(&self.shares[..sources.len() - 1]) {
            if !(0.0..=100.0).contains(&source.percent) {
                let found = quote(&self.text[at.clone()]);
                let message = format!("expected the share to be within 0 and 100, found {found}");
                return Err(Fault::new(at.clone(), message, "must be within 0 and 100"));
            }
        }
        if let Err((index, sum)) = fill_last_share(sources) {
            // Further digits are those of rounding to f32, not of the file.
            let sum = (sum * 1e5).round() / 1e5;
            let message = format!("expected shares that add up to 100 at most, found {sum}");
            let at = self.shares[index].clone();
            return Err(Fault::new(at, message, "the sum passes 100 here"));
        }
        for (number, at) in &self.named {
            if *number as usize > sources.len() {
                let count = sources.len();
                let message = format!("expected a source of the file, found source {number}");
                let s = if count == 1 { "" } else { "s" };
                let label = format!("the file has {count} source{s}");
                return Err(Fault::new(at.clone(), message, label));
            }
        }
        if self.scene.total_objects() == 0 {
            // The count is 0 only if the directive says so.
            let at = self.settings[0].clone().unwrap_or_default();
            let message = "expected at least one object, found `#!objects 0` and no ball or body";
            return Err(Fault::new(at, message, "nothing would move"));
        }
        let mut warnings = self.motion.check(self.text, &self.scene)?;
        warnings.append(&mut self.bodies.check(self.text, &self.scene)?);
        warnings.into_iter().for_each(|warning| self.warn(warning));
        // In the order of the file.
        self.warnings.sort_by_key(|fault| fault.at.start);
        if self.further_warnings > 0
            && let Some(last) = self.warnings.last_mut()
        {
            last.message += &format!(" (and {} more below)", self.further_warnings);
        }
        Ok(Parsed { scene: self.scene, elements: self.elements, warnings: self.warnings })
    }
}
