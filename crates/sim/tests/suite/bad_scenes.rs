//! Faults of a scene file are reported with their place, and never by a panic.

use crate::scene_text::{EVERYTHING, document};
use sim::{SceneDiagnostic, SceneDocument};

/// The line that makes a scene of a text.
const BOX: &str = "i 0 0 0  1 1 1  100 t\n";

fn error(bytes: &[u8]) -> SceneDiagnostic {
    match SceneDocument::parse("bad.scene", bytes) {
        Ok(_) => panic!("accepted: {}", bytes.escape_ascii()),
        Err(error) => error,
    }
}

/// A line below [`BOX`], the column of its fault, and a part of the message.
const LINES: &[(&str, usize, &str)] = &[
    ("x 1 2 3", 1, "expected `i` (a source), `p` (an obstacle), `s` or `#`, found `x`"),
    ("\t  \u{0}\u{1}\r", 4, r"found `\0\u{1}`"),
    ("i NaN 0 0  1 1 1  100 t", 3, "a finite number for the corner's x, found `NaN`"),
    ("i 0 0 0  1 2e12 1  100 t", 12, "the side along y of at most 1e12, found `2e12`"),
    ("i 0 0 0  1 0 1  100 t", 12, "the side along y to be greater than 0, found `0`"),
    ("i 0 1e9 0  1 1 1  100 t", 14, "large enough to be representable"),
    ("i 0 0 0  1 1 1  100 t  # mine", 24, "the end of the line after `i` and its values"),
    ("p 0 0 0  1 -1 0  z", 12, "the side along y to be 0 or more, found `-1`"),
    ("#!objects 0", 1, "at least one object, found `#!objects 0` and no ball"),
    ("#!objects 4294967296", 11, "a whole number from 0 to 4294967295"),
    ("#!radius 1e-13", 10, "the radius to be at least 1e-12"),
    ("#!radius big", 10, "`uniform` or `loguniform`, or a number for the radius"),
    ("#!radius uniform 0.2 0.1", 22, "the largest radius to be at least the smallest"),
    ("#!dt 0", 6, "the time step to be greater than 0, at most 1"),
    ("#!camera 0 -89.5 4", 12, "the camera's pitch to be within -89 and 89"),
    ("#!camera 0 0 0", 14, "the camera's distance to be greater than 0"),
    ("#!event 1 remove-source 0", 25, "for the source, counted from 1, found `0`"),
    ("#!event 1 remove-source 2", 25, "a source of the file, found `2`"),
    ("#!layer source 1", 17, "`group`, `meets` or `static`, found the end of the line"),
    ("#!layer balls static group 1 group 2", 30, "expected `meets`, found `group`"),
    ("#!layer balls group 32", 21, "a whole number from 0 to 31 for the group"),
    ("#!layer balls meets 0,1, 2", 25, "no blanks, found nothing"),
    ("#!layer balls meets 0,32,1", 23, "groups from 0 to 31 with commas"),
    ("#!shape a.b sphere 1", 9, "1 to 40 letters, digits, `-` or `_`, no number"),
    ("#!shape a sphere 0", 18, "the radius to be from 1e-9 to 1e9, found `0`"),
    ("#!shape a capsule 1 1e-10", 21, "the length to be 0 (a ball) or from 1e-9 to 1e9"),
    ("#!shape a hull 3", 16, "from 4 to 128 for the number of points, found `3`"),
    ("#!shape a points 0 0 0 1 0 0 0 1 0", 17, "4 to 4096 points, found 3"),
    ("#!shape a points 0 0 0 1 0 0 0 1 0 1 1 0", 11, "found all in one plane"),
    ("#!shape a polygon 1 0 0 1 0", 20, "3 to 64 corners of the polygon, found 2"),
    ("#!shape a polygon 1 0 0 1 0 0.2 0.2 0 1", 11, "a convex polygon"),
    ("#!shape a compound", 9, "expected 1 to 32 parts, found 0"),
    ("#!part a b 0 0 0 0 0 0 9", 18, "an axis of rotation, found `0 0 0`"),
    ("#!bodies source 1", 18, "1 to 64 shapes, found 0"),
    ("#!bodies source 1 a -1", 21, "the share in per cent to be within 0 and 100"),
    ("#!bodies source 1 a 60 b 41", 26, "shares that add up to 100 at most"),
    ("#!bodies source 1 a 60 a 10", 24, "each shape once in a line, found `a`"),
    ("#!body a 0 0 0 0 0 0 0.5", 22, "`bullet`, `kinematic` or `driven`, found `0.5`"),
    ("#!body a 0 0 0 0 0 0", 8, "the name of a shape of the file, found `a`"),
    ("#!body a 0 0 0 0 0 0 scale 0", 28, "the scale to be at least 1e-12"),
    ("#!body a 0 0 0 0 0 0 exact 1 0 0 0 0 0 0 1.1", 36, "a quaternion of length 1"),
    ("#!restitution 1.01", 15, "the restitution to be within 0 and 1, found `1.01`"),
    ("#!density 0", 11, "the density to be within 1e-12 and 1e12, found `0`"),
    ("#!force 1 1 0 0 0", 17, "the force's seconds to be greater than 0"),
    ("#!driving walk 0", 16, "the speed of driven bodies to be greater than 0"),
    ("#!drive -1 right", 9, "the seconds for which keys are held to be greater than 0"),
    ("#!drive 1 up+up", 11, "`none`, or keys as `right` or `up+right`"),
    ("#!label 1 2", 12, "a number for the label's z, found the end of the line"),
    ("#!label 1 2 3", 14, "1 to 12 words, found 0"),
    ("#!label 1 2 3 a\u{7f}b", 15, "a word of at most 40 characters"),
    ("#!label 1 2 3 a b c d e f g h i j k l m", 14, "1 to 12 words, found 13"),
    // Columns count characters.
    ("#! dt ž", 7, "the time step, found `ž`"),
    ("\u{2003}s 1", 1, r"found `\u{2003}s`"),
];

/// A text, line and column of its fault, and a part of the message. `BOX` stands for a good source, `BALL` for a shape `a` and
/// a body.
const TEXTS: &[(&str, usize, usize, &str)] = &[
    ("s 1\n#!objects 5\n# no source\n", 1, 1, "at least one source"),
    ("\u{feff}ž 日本", 1, 1, "found `ž`"),
    ("i 0 0 0  1 1 1  100.5 t\nBOX", 1, 17, "the share to be within 0 and 100"),
    ("i 0 0 0  1 1 1  60 t\ni 0 0 0  1 1 1  40.01 t\nBOX", 2, 17, "at most, found 100.01"),
    ("s 0\nBOX s 0", 3, 2, "`s` once in the file, found it on line 1 and again on line 3"),
    ("BOX#!layer source 1 static\n#!layer source +1 static", 3, 16, "`#!layer source 1` once in"),
    ("BOXBALL#!shape a sphere 1", 4, 9, "`#!shape a` once in the file, found it on line 2 and"),
    ("BOX#!density 1\n#!density 1", 3, 11, "`#!density without a shape` once in the file"),
    ("BOXBALL#!bodies source 1 a 9\n#!bodies source 1 a 9", 5, 17, "`#!bodies source 1` once"),
    ("BOXBALL#!part a a 0 0 0", 4, 8, "the name of a compound, found `a`"),
    ("BOXBALL#!shape c compound\n#!part c c 0 0 0", 5, 10, "is no compound, found `c`"),
    ("BOXBALL#!shape c compound\n#!part c a 0 0 0\n#!part c a 0 2e9 0", 6, 8, "part 2 at -1e9 to"),
    ("BOX#!shape a sphere 1e9\n#!body a 0 0 0 0 0 0 spin 0 0 1 scale 1e4", 3, 39, "found 1e13"),
    ("BOX#!shape a sphere 1e-6\n#!body a 0 0 0 0 0 0 scale 1e-7", 3, 28, "to 1e12, found 1e-13"),
    (
        "BOXBALL#!body a 0 0 0 0 0 0 static driven",
        4,
        29,
        "`kinematic` and `driven`, found `driven`",
    ),
    ("BOXBALL#!body a 0 0 0 0 0 0 driven driven", 4, 29, "`bullet` or `kinematic`, found `driven`"),
    ("BOXBALL#!body a 0 0 0 0 0 0 driven\n#!layer bodies static", 4, 22, "`#!layer` does not make"),
    ("BOXBALL#!force 2 1 0 0 1", 4, 9, "the number of a body, found `2`"),
];

#[test]
fn every_fault_is_placed_and_named() {
    let lines =
        LINES.iter().map(|(line, column, part)| (format!("{BOX}{line}\n"), 2, *column, *part));
    let texts = TEXTS.iter().map(|(text, line, column, part)| {
        let text = text.replace("BALL", "#!shape a sphere 1\n#!body a 0 0 0 0 0 0\n");
        (text.replace("BOX", BOX), *line, *column, *part)
    });
    let shares: String = (0..65).map(|i| format!(" s{i} 0")).collect();
    let shapes: String = (0..65).map(|i| format!("#!shape s{i} sphere 1\n")).collect();
    let compound = format!("{BOX}#!shape s sphere 1\n#!shape c compound\n");
    let limits = [
        (format!("{BOX}#!bodies source 1{shares}"), 2, 393, "expected 64 shapes at most"),
        (format!("{BOX}{shapes}"), 66, 9, "expected 64 shapes at most, found one more"),
        (compound + &"#!part c s 0 0 0\n".repeat(33), 36, 8, "expected 1 to 32 parts, found 33"),
        (format!("{BOX}#!shape s points{}", " 0 1 2".repeat(4097)), 2, 17, "points, found 4097"),
    ];
    let mut wrong = String::new();
    for (text, line, column, part) in lines.chain(texts).chain(limits) {
        let Err(error) = SceneDocument::parse("bad.scene", text.as_bytes()) else {
            wrong += &format!("{text:?}: accepted\n\n");
            continue;
        };
        let shown = error.to_string();
        let holds = (error.line(), error.column()) == (Some(line), Some(column))
            && error.message().contains(part)
            && shown.contains(error.message())
            && shown.contains(&format!("bad.scene:{line}:{column}\n"));
        if !holds {
            wrong += &format!("{text:?}: expected {line}:{column} `{part}`:\n{shown}\n\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn wrong_token_of_any_line_is_the_place_of_its_fault() {
    let lines: Vec<&str> = EVERYTHING.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with("# ") || line.starts_with("#!wind") {
            continue;
        }
        let line = line.trim_end();
        let is_blank = |at: usize| matches!(line.as_bytes()[at], b' ' | b'\t');
        let starts_here = |at: &usize| !is_blank(*at) && (*at == 0 || is_blank(at - 1));
        for start in (0..line.len()).filter(starts_here).chain([line.len() + 1]) {
            let mut changed = lines.clone();
            let rest = line.get(start..).unwrap_or_default();
            let behind = rest.find([' ', '\t']).map_or("", |length| &rest[length..]);
            // Not even the text of a label has a control character.
            let wrong = format!("{:start$}\u{1}{behind}", &line[..start.min(line.len())]);
            changed[number] = &wrong;
            let error = error(changed.join("\n").as_bytes());
            let place = (error.line(), error.column());
            assert_eq!(place, (Some(number + 1), Some(start + 1)), "{error}");
            assert!(error.message().ends_with(r", found `\u{1}`"), "{error}");
        }
    }
}

#[test]
fn scene_cut_at_any_byte_is_valid_or_an_error_with_a_place() {
    let mut missing = 0;
    for end in 0..EVERYTHING.len() {
        let text = &EVERYTHING[..end];
        match SceneDocument::parse("cut.scene", text.as_bytes()) {
            Ok(document) => assert_eq!(document.to_text(), text),
            Err(error) if error.message().ends_with("found the end of the line") => {
                let last = text.lines().last().unwrap();
                let place = (text.lines().count(), last.trim_end().len() + 1);
                assert_eq!((error.line().zip(error.column())), Some(place), "{error}");
                missing += 1;
            }
            Err(error) => assert!(error.line().is_some() && error.column().is_some(), "{error}"),
        }
    }
    assert!(missing > 150, "{missing} missing tokens");
}

#[test]
fn every_directive_stands_in_the_text_of_all_lines() {
    let shown = document(EVERYTHING).warnings()[0].to_string();
    let (_, known) = shown.split_once("the known directives are ").unwrap();
    let is_missing = |name: &&str| !EVERYTHING.contains(&format!("#!{name}"));
    let missing: Vec<_> = known.split(", ").filter(is_missing).collect();
    assert!(known.contains("drive") && missing.is_empty(), "{missing:?}");
}

#[test]
fn lines_are_shown_with_a_marker_below() {
    let shown = error(b"# walls\r\n  p 0 0 0  1 0,5 0  z\r\n").to_string();
    let expected = "\
error: expected a number for the side along y, found `0,5`
 --> bad.scene:2:14
  |
2 |   p 0 0 0  1 0,5 0  z
  |              ^^^ not a number
  |
  = help: a comma neither groups digits, nor begins decimals, nor separates numbers: `1000`, `0.5`";
    assert_eq!(shown, expected);
}

#[test]
fn misspelled_numbers_are_refused_with_a_true_help() {
    const COMMA: &str = "help: a comma neither groups digits, nor begins decimals";
    const FORMS: &str = "help: a number is written as `1000`, `-0.5` or `1e3`";
    const DIGITS: &str = "help: a whole number has the digits 0 to 9 alone, as in `1000`";
    let has_help = |line: &str, help: &str| {
        let shown = error(format!("{BOX}{line}").as_bytes()).to_string();
        assert!(shown.contains("help: ") != help.is_empty() && shown.contains(help), "{shown}");
    };
    for number in ["1,000", "-,5", "1.000,5"] {
        has_help(&format!("#!speed {number}"), COMMA);
        has_help(&format!("#!objects {number}"), COMMA);
    }
    for number in ["1'000", "1\u{a0}000", "١٢", "−5", "0x10", "1e"] {
        has_help(&format!("#!speed {number}"), FORMS);
        has_help(&format!("#!objects {number}"), DIGITS);
    }
    has_help("#!seed 1e3", DIGITS);
    // Nothing to advise: a word, or a value whose fault is not its spelling.
    for number in ["fast", "-", "inf", "nan", "1e999", "1 000"] {
        has_help(&format!("#!speed {number}"), "");
    }
    for (number, value) in [("1e3", 1e3), (".5", 0.5), ("5.", 5.0), ("+5", 5.0), ("007", 7.0)] {
        let speed = document(&format!("{BOX}#!speed {number}")).scene().speed;
        assert_eq!(speed, value, "{number}");
    }
}

#[test]
fn control_characters_and_uncalled_colors_reach_no_terminal() {
    let bytes = "x\u{1b}[31m \u{202e}\u{7}\u{9b}\u{e000}:9:9".as_bytes();
    let error = SceneDocument::parse("a\u{1b}b.scene", bytes).unwrap_err();
    let shown = error.to_string();
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
    assert!(!shown.contains('\u{202e}') && shown.contains(r"a\u{1b}b.scene:1:1"), "{shown:?}");
    assert!(shown.contains(r"x\u{1b}[31m"), "{shown}");
    assert!(error.render(true).contains('\u{1b}'));
}

#[test]
fn an_endless_line_is_cut_around_its_marker() {
    let (blanks, token) = (" ".repeat(5_000_000), "9".repeat(5_000_000));
    let error = error(format!("{BOX}i{blanks}?{token}").as_bytes());
    let shown = error.to_string();
    assert!(shown.len() < 2000, "{} bytes", shown.len());
    assert!(shown.contains("bad.scene:2:5000002\n"), "{shown}");
    assert!(shown.contains("?999") && shown.contains("..."), "{shown}");
}

#[test]
fn text_that_is_not_utf8_is_refused_at_the_first_bad_byte() {
    let utf16: Vec<u8> = "\u{feff}i 0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, place, said) in [
        (&b"# \xc4\x8d\n  i \xc4\x8d\xff 0\n"[..], (2, 6), "UTF-8 text, found the byte 0xff"),
        (b"i 0 0 0  1 1 1  100 t\n# \xe6\x97", (2, 3), "found the byte 0xe6"),
        (&utf16, (1, 1), "this looks like UTF-16"),
    ] {
        let error = error(bytes);
        assert_eq!(error.line().zip(error.column()), Some(place));
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn unreadable_scene_file_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let missing = SceneDocument::read(&directory.path().join("missing.scene")).unwrap_err();
    assert_eq!((missing.line(), missing.column()), (None, None));
    assert!(missing.message().starts_with("cannot read the scene file"), "{missing}");
    assert!(missing.to_string().contains("missing.scene"), "{missing}");
    let folder = SceneDocument::read(directory.path()).unwrap_err();
    assert!(folder.message().ends_with("it is a folder"), "{folder}");
    let long = SceneDocument::parse("long", &vec![b' '; (16 << 20) + 1]).unwrap_err();
    assert!(long.message().starts_with("expected a scene file of 16 MiB at most"), "{long}");
}

#[test]
fn what_is_ignored_is_warned_of() {
    let of_body = |word: &str, force: &str, line: &str| {
        format!("#!shape a sphere 1\n#!body a 0 0 0 0 0 0 {word}\n#!force 1 {force} 1\n{line}")
    };
    let (idle, repeated) = ("does not move a", "1 repeated point in shape `a`");
    for (lines, place, said) in [
        ("#!wind 3".to_owned(), (2, 1), "unknown directive `#!wind`"),
        ("p 0 0 0  0 1 1  x\np 0 0 0  1 1 0.50  z".to_owned(), (3, 14), "normal is read as 0"),
        ("#!shape a points 0 0 0 0 0 1 0 1 0 1 0 0 1 0 1e-11".to_owned(), (2, 11), repeated),
        (of_body("static", "0 0 1", ""), (4, 9), idle),
        (of_body("kinematic", "0 0 1", ""), (4, 9), idle),
        (of_body("driven", "0 0 1", ""), (4, 9), idle),
        (of_body("", "0 0 1", "#!layer bodies static"), (4, 9), idle),
        (of_body("", "1 2 1", "#!flat"), (4, 9), idle),
    ] {
        let document = document(&format!("{BOX}{lines}\n"));
        let [warning] = document.warnings() else { panic!("{:?}", document.warnings()) };
        assert_eq!(warning.line().zip(warning.column()), Some(place), "{warning}");
        assert!(warning.message().contains(said), "{warning}");
        assert!(warning.to_string().starts_with("warning: "), "{warning}");
    }
    let moved = format!("{BOX}{}", of_body("", "1 0 1", "#!flat"));
    assert!(document(&moved).warnings().is_empty(), "{moved}");
    // In the order of the file, though repeated points are found last.
    let two = document(&format!("{BOX}#!shape a points 0 0 0 0 0 0 0 0 1 0 1 0 1 0 0\n#!wind 3\n"));
    let lines: Vec<_> = two.warnings().iter().map(|warning| warning.line()).collect();
    assert_eq!(lines, [Some(2), Some(3)]);
    let windy = document(&format!("{BOX}{}", "#!wind 3\n".repeat(150)));
    assert_eq!(windy.warnings().len(), 100);
    assert!(windy.warnings()[99].message().contains("50 more"), "{}", windy.warnings()[99]);
}
