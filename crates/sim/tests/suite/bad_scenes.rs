//! Faults of a scene file are reported with their place, and never by a panic.

// Clippy does not see the helpers of an integration test as tests.

use crate::scene_text::{EVERYTHING, document};
use sim::{SceneDiagnostic, SceneDocument};

fn error(bytes: &[u8]) -> SceneDiagnostic {
    match SceneDocument::parse("bad.scene", bytes) {
        Ok(_) => panic!("accepted: {}", bytes.escape_ascii()),
        Err(error) => error,
    }
}

/// File, line, column, part of the message. `BOX` stands for a good source, `BALL` for one and a body.
const BAD: &[(&str, usize, usize, &str)] = &[
    ("", 1, 1, "at least one source"),
    ("s 1\n#!objects 5\n# no source\n", 1, 1, "at least one source"),
    ("BOX\nx 1 2 3\n", 2, 1, "expected `i` (a source), `p` (an obstacle), `s` or `#`, found `x`"),
    ("BOX\r\n\t  \u{0}\u{1}\r\n", 2, 4, r"found `\0\u{1}`"),
    ("i-1 0 0 1 1 1 100 t", 1, 1, "found `i-1`"),
    ("i", 1, 2, "a number for the corner's x, found the end of the line"),
    ("i 0 0 0  1 1 \t \r\n", 1, 13, "the side along z, found the end of the line"),
    ("i 0 0 0  1 1,5 1  100 t", 1, 12, "a number for the side along y, found `1,5`"),
    ("i NaN 0 0  1 1 1  100 t", 1, 3, "a finite number for the corner's x, found `NaN`"),
    ("i 0 0 0  1 2e12 1  100 t", 1, 12, "the side along y of at most 1e12, found `2e12`"),
    ("BOX\n#!radius 1e-13", 2, 10, "the radius to be at least 1e-12"),
    ("BOX\n#!ball 0 0 0  0 0 0  1e-13", 2, 22, "the ball's radius to be at least 1e-12"),
    // Sources.
    ("i 0 0 0  1 0 1  100 t", 1, 12, "the side along y to be greater than 0, found `0`"),
    ("i 0 1e9 0  1 1 1  100 t", 1, 14, "large enough to be representable"),
    ("i 0 0 0  1 1 1  100 t  # mine", 1, 24, "the end of the line after `i` and its values"),
    ("i 0 0 0  1 1 1  100.5 t\nBOX", 1, 17, "the share to be within 0 and 100"),
    (
        "i 0 0 0  1 1 1  60 t\ni 0 0 0  1 1 1  40.01 t\nBOX",
        2,
        17,
        "shares that add up to 100 at most, found 100.01",
    ),
    // Obstacles and settings.
    ("BOX\np 0 0 0  1 -1 0  z", 2, 12, "the side along y to be 0 or more, found `-1`"),
    ("s 0\nBOX\n s 0", 3, 2, "`s` once in the file, found it on line 1 and again on line 3"),
    ("BOX\n#!objects 0", 2, 1, "at least one object, found `#!objects 0` and no ball"),
    ("BOX\n#!objects 4294967296", 2, 11, "a whole number from 0 to 4294967295"),
    ("BOX\n#!radius big", 2, 10, "`uniform` or `loguniform`, or a number for the radius"),
    ("BOX\n#!radius nan", 2, 10, "a finite number for the radius, found `nan`"),
    ("BOX\n#!radius uniform 0.2 0.1", 2, 22, "the largest radius to be at least the smallest"),
    ("BOX\n#!speed -0.5", 2, 9, "the speed to be 0 or more"),
    ("BOX\n#!spin -1", 2, 8, "the spin in rad/s to be 0 or more"),
    ("BOX\n#!dt 0", 2, 6, "the time step to be greater than 0, at most 1"),
    ("BOX\n#!dt 1.5", 2, 6, "the time step to be greater than 0, at most 1"),
    ("BOX\n#!camera 0 -89.5 4", 2, 12, "the camera's pitch to be within -89 and 89"),
    ("BOX\n#!camera 0 0 0", 2, 14, "the camera's distance to be greater than 0"),
    ("BOX\n#!gravity 0 1", 2, 14, "a number for the gravity along z"),
    // Events and layers.
    ("BOX\n#!event -1 remove-source 1", 2, 9, "the event's time to be 0 or more"),
    ("BOX\n#!event 1 remove-source 0", 2, 25, "for the source, counted from 1, found `0`"),
    ("BOX\n#!event 1 remove-source 2", 2, 25, "a source of the file, found `2`"),
    ("BOX\n#!event 1 hold p 0", 2, 18, "the seconds of holding to be greater than 0"),
    ("BOX\n#!layer source 1", 2, 17, "`group`, `meets` or `static`, found the end of the line"),
    ("BOX\n#!layer balls static group 1 group 2", 2, 30, "expected `meets`, found `group`"),
    ("BOX\n#!layer balls group 32", 2, 21, "a whole number from 0 to 31 for the group"),
    ("BOX\n#!layer balls meets 0,1, 2", 2, 25, "no blanks, found nothing"),
    ("BOX\n#!layer balls meets 0,32,1", 2, 23, "groups from 0 to 31 with commas"),
    (
        "BOX\n#!layer source 1 static\n#!layer balls static\n#!layer  source +1 group 1",
        4,
        17,
        "`#!layer source 1` once in the file, found it on line 2 and again on line 4",
    ),
    // Shapes and parts.
    ("BOX\n#!shape a.b sphere 1", 2, 9, "1 to 40 letters, digits, `-` or `_`, no number"),
    ("BOX\n#!shape 1e5 sphere 1", 2, 9, "no number, found `1e5`"),
    ("BOX\n#!shape a sphere 0", 2, 18, "the radius to be from 1e-9 to 1e9, found `0`"),
    ("BOX\n#!shape a box 1 1 1e-11", 2, 19, "the side along z to be from 1e-9 to 1e9"),
    ("BOX\n#!shape a capsule 1 -1", 2, 21, "the length to be 0 (a ball) or from 1e-9 to 1e9"),
    ("BOX\n#!shape a capsule 1 1e-10", 2, 21, "the length to be 0 (a ball) or from 1e-9 to 1e9"),
    ("BOX\n#!shape a cylinder 1 1 2", 2, 24, "from 3 to 64 for the number of sides, found `2`"),
    ("BOX\n#!shape a hull 3", 2, 16, "from 4 to 128 for the number of points, found `3`"),
    ("BOX\n#!shape a points 0 0 0 1 0 0 0 1 0", 2, 17, "4 to 4096 points, found 3"),
    ("BOX\n#!shape a points 0 0 0 1 0 0 0 1 0 1 1 0", 2, 11, "found all in one plane"),
    ("BOX\n#!shape a polygon 1 0 0 1 0", 2, 20, "3 to 64 corners of the polygon, found 2"),
    ("BOX\n#!shape a polygon 1 0 0 1 0 0.2 0.2 0 1", 2, 11, "a convex polygon"),
    ("BOX\n#!shape a compound", 2, 9, "expected 1 to 32 parts, found 0"),
    (
        "BOX\n#!shape a sphere 1\n#!shape b sphere 1\n#!shape a box 1 1 1",
        4,
        9,
        "`#!shape a` once in the file, found it on line 2 and again on line 4",
    ),
    ("BOX\n#!shape a sphere 1\n#!part a a 0 0 0", 3, 8, "the name of a compound, found `a`"),
    (
        "BOX\n#!shape a compound\n#!shape b sphere 1\n#!part a b 0 0 0\n#!shape c compound\n\
         #!part c a 0 0 0",
        6,
        10,
        "a shape that is no compound, found `a`",
    ),
    ("BOX\n#!part a b 0 0 0 0 0 0 9", 2, 18, "an axis of rotation, found `0 0 0`"),
    (
        "BOX\n#!shape c compound\n#!part c b 0 0 0\n#!part d b 9 0 0\n#!shape d compound\n\
         #!shape b sphere 1\n#!part c b 0 2e9 0",
        7,
        8,
        "expected part 2 at -1e9 to 1e9",
    ),
    (
        "BOX\n#!shape b sphere 1e-3\n#!shape c compound\n#!part c b 3e6 5e6 7e6\n\
         #!part c b -3e6 -5e6 -7e6",
        3,
        9,
        "a moment of inertia is lost to rounding",
    ),
    // Bodies.
    ("BOX\n#!bodies source 1", 2, 18, "1 to 64 shapes, found 0"),
    ("BOX\n#!shape a sphere 1\n#!bodies source 2 a 9", 3, 17, "found `2`"),
    ("BOX\n#!bodies source 1 a -1", 2, 21, "the share in per cent to be within 0 and 100"),
    ("BOX\n#!bodies source 1 a 60 b 41", 2, 26, "shares that add up to 100 at most"),
    ("BOX\n#!bodies source 1 a 60 a 10", 2, 24, "each shape once in a line, found `a`"),
    (
        "BOX\n#!shape a sphere 1\n#!bodies source 1 a 9\n#!bodies source 1 a 9",
        4,
        17,
        "`#!bodies source 1` once in the file, found it on line 3 and again on line 4",
    ),
    (
        "BOX\n#!body a 0 0 0 0 0 0 0.5",
        2,
        22,
        "`scale`, `rotate`, `spin`, `static`, `bullet`, `kinematic` or `driven`, found `0.5`",
    ),
    (
        "BOX\n#!shape a sphere 1e9\n#!body a 0 0 0 0 0 0 spin 0 0 1 scale 1e4",
        3,
        39,
        "a body with a bounding radius from 1e-12 to 1e12, found 1e13",
    ),
    ("BOX\n#!shape a sphere 1e-6\n#!body a 0 0 0 0 0 0 scale 1e-7", 3, 28, "to 1e12, found 1e-13"),
    ("BOX\n#!body a 0 0 0 0 0 0 scale 0", 2, 28, "the scale to be at least 1e-12"),
    ("BOX\n#!body a 0 0 0 0 0 0 exact 1 0 0 0 0 0 0 1.1", 2, 36, "a quaternion of length 1"),
    ("BALL static driven", 3, 29, "one of `static`, `kinematic` and `driven`, found `driven`"),
    ("BALL driven driven", 3, 29, "`bullet` or `kinematic`, found `driven`"),
    (
        "BALL driven\n#!layer bodies static",
        3,
        22,
        "a body that `#!layer` does not make static, found `driven`",
    ),
    ("#!layer bodies static\nBALL kinematic", 4, 22, "does not make static, found `kinematic`"),
    // Masses, forces and driving.
    ("BOX\n#!restitution 1.01", 2, 15, "the restitution to be within 0 and 1, found `1.01`"),
    (
        "BALL\n#!restitution 0.5 a\n#!restitution 1 a",
        5,
        17,
        "`#!restitution a` once in the file, found it on line 4 and again on line 5",
    ),
    ("BOX\n#!density 1\n#!density 1", 3, 11, "`#!density without a shape` once in the file"),
    ("BOX\n#!density 0", 2, 11, "the density to be within 1e-12 and 1e12, found `0`"),
    ("BALL\n#!force 2 1 0 0 1", 4, 9, "the number of a body, found `2`"),
    ("BALL\n#!force 0 1 0 0 1", 4, 9, "for the body's number, from 1 in the order of"),
    ("BALL\n#!force 1 1 0 0 0", 4, 17, "the force's seconds to be greater than 0"),
    ("BOX\n#!driving walk 0", 2, 16, "the speed of driven bodies to be greater than 0"),
    ("BOX\n#!drive -1 right", 2, 9, "the seconds for which keys are held to be greater than 0"),
    ("BOX\n#!drive 1 up+up", 2, 11, "`none`, or keys as `right` or `up+right`"),
    // Columns count characters, and a byte order mark is none.
    ("\u{feff}ž 日本", 1, 1, "found `ž`"),
    ("BOX\n# ž\n#! dt ž", 3, 7, "the time step, found `ž`"),
    ("BOX\n\u{2003}s 1", 2, 1, r"found `\u{2003}s`"),
];

#[test]
fn every_fault_is_placed_and_named() {
    let mut wrong = String::new();
    for &(text, line, column, fragment) in BAD {
        let text = text.replace("BALL", "BOX\n#!shape a sphere 1\n#!body a 0 0 0 0 0 0");
        let text = text.replace("BOX", "i 0 0 0  1 1 1  100 t");
        let Err(error) = SceneDocument::parse("bad.scene", text.as_bytes()) else {
            wrong += &format!("{text:?}: accepted\n\n");
            continue;
        };
        let shown = error.to_string();
        let holds = (error.line(), error.column()) == (Some(line), Some(column))
            && error.message().contains(fragment)
            && shown.contains(error.message())
            && shown.contains(&format!("bad.scene:{line}:{column}\n"));
        if !holds {
            wrong += &format!("{text:?}: expected {line}:{column} `{fragment}`:\n{shown}\n\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Where the tokens of a line begin.
fn tokens(line: &str) -> Vec<usize> {
    let starts_here =
        |(at, blank): &(usize, bool)| !blank && (*at == 0 || line[..*at].ends_with([' ', '\t']));
    line.char_indices()
        .map(|(at, c)| (at, c.is_whitespace()))
        .filter(starts_here)
        .map(|(at, _)| at)
        .collect()
}

#[test]
fn wrong_token_of_any_line_is_the_place_of_its_fault() {
    let lines: Vec<&str> = EVERYTHING.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with("# ") || line.starts_with("#!wind") {
            continue;
        }
        let line = line.trim_end();
        for start in tokens(line).into_iter().chain([line.len() + 1]) {
            let mut changed = lines.clone();
            let rest = line.get(start..).unwrap_or_default();
            let behind = rest.find([' ', '\t']).map_or("", |length| &rest[length..]);
            let wrong = format!("{:start$}?{behind}", &line[..start.min(line.len())]);
            changed[number] = &wrong;
            let error = error(changed.join("\n").as_bytes());
            let place = (error.line(), error.column());
            assert_eq!(place, (Some(number + 1), Some(start + 1)), "{error}");
            assert!(error.message().ends_with(", found `?`"), "{error}");
        }
    }
}

#[test]
fn missing_token_of_any_line_is_placed_at_its_end() {
    let lines: Vec<&str> = EVERYTHING.lines().collect();
    let mut missing = 0;
    for (number, line) in lines.iter().enumerate() {
        for start in tokens(line) {
            let mut changed = lines.clone();
            changed[number] = line[..start].trim_end();
            if let Err(error) = SceneDocument::parse("cut", changed.join("\n").as_bytes())
                && error.message().ends_with("found the end of the line")
            {
                let place = (error.line(), error.column());
                assert_eq!(place, (Some(number + 1), Some(changed[number].len() + 1)), "{error}");
                missing += 1;
            }
        }
    }
    assert!(missing > 150, "{missing} missing tokens");
}

#[test]
fn scene_cut_at_any_byte_is_valid_or_an_error_with_a_place() {
    for end in 0..EVERYTHING.len() {
        match SceneDocument::parse("cut.scene", &EVERYTHING.as_bytes()[..end]) {
            Ok(document) => assert_eq!(document.to_text(), EVERYTHING[..end]),
            Err(error) => assert!(error.line().is_some() && error.column().is_some(), "{error}"),
        }
    }
}

#[test]
fn every_directive_stands_in_the_text_of_all_lines() {
    let shown = document(EVERYTHING).warnings()[0].to_string();
    let (_, known) = shown.split_once("the known directives are ").unwrap();
    let missing: Vec<_> =
        known.split(", ").filter(|name| !EVERYTHING.contains(&format!("#!{name}"))).collect();
    assert!(known.contains("drive") && missing.is_empty(), "{missing:?}");
}

#[test]
fn shares_beyond_the_number_of_shapes_are_refused() {
    let shares: String = (0..65).map(|i| format!(" s{i} 0")).collect();
    let error = error(format!("i 0 0 0  1 1 1  100 t\n#!bodies source 1{shares}").as_bytes());
    assert_eq!((error.line(), error.column()), (Some(2), Some(18 + 10 * 5 + 54 * 6 + 1)));
    assert!(error.message().starts_with("expected 64 shapes at most"), "{error}");
}

#[test]
fn shapes_and_parts_beyond_the_limits_are_placed_and_named() {
    let box_line = "i 0 0 0  1 1 1  100 t\n";
    let shapes: String = (0..65).map(|i| format!("#!shape s{i} sphere 1\n")).collect();
    let error = error(format!("{box_line}{shapes}").as_bytes());
    assert_eq!((error.line(), error.column()), (Some(66), Some(9)));
    assert_eq!(error.message(), "expected 64 shapes at most, found one more");
    let parts = "#!part c s 0 0 0\n".repeat(33);
    let text = format!("{box_line}#!shape s sphere 1\n#!shape c compound\n{parts}");
    let error = self::error(text.as_bytes());
    assert_eq!((error.line(), error.column()), (Some(36), Some(8)));
    assert_eq!(error.message(), "expected 1 to 32 parts, found 33");
    let points = " 0 1 2".repeat(4097);
    let error = self::error(format!("{box_line}#!shape s points{points}").as_bytes());
    assert_eq!(error.message(), "expected 4 to 4096 points, found 4097");
}

#[test]
fn the_line_is_shown_with_a_marker_below() {
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
    const COMMA: &str = "help: a comma neither groups digits, nor begins decimals, nor separates";
    const FORMS: &str = "help: a number is written as `1000`, `-0.5` or `1e3`";
    const DIGITS: &str = "help: a whole number has the digits 0 to 9 alone, as in `1000`";
    let help = |line: &str| {
        let shown = error(format!("i 0 0 0  1 1 1  100 t\n{line}").as_bytes()).to_string();
        shown.lines().find_map(|line| line.split_once("= ")).map(|(_, help)| help.to_owned())
    };
    for number in ["1,000", "1,5", "-,5", "1,000.5", "1.000,5", "1,000,000", "-1,", "1,2,3"] {
        assert!(help(&format!("#!speed {number}")).unwrap().starts_with(COMMA), "{number}");
        assert!(help(&format!("#!objects {number}")).unwrap().starts_with(COMMA), "{number}");
    }
    for number in ["1'000", "1’000", "1_000", "1\u{a0}000", "١٢", "½", "−5", "0x10", "1.2.3", "1e"]
    {
        assert_eq!(help(&format!("#!speed {number}")).as_deref(), Some(FORMS), "{number}");
        assert_eq!(help(&format!("#!objects {number}")).as_deref(), Some(DIGITS), "{number}");
    }
    for number in ["1e3", "1.0", ".5", "-5"] {
        assert_eq!(help(&format!("#!seed {number}")).as_deref(), Some(DIGITS), "{number}");
    }
    // Nothing to advise: a word, or a value whose fault is not its spelling.
    for number in ["fast", "-", "inf", "nan", "1e999", "1 000"] {
        assert_eq!(help(&format!("#!speed {number}")), None, "{number}");
    }
}

#[test]
fn documented_spellings_of_numbers_are_read() {
    for (number, value) in [("1e3", 1e3), (".5", 0.5), ("5.", 5.0), ("+5", 5.0), ("007", 7.0)] {
        let text = format!("i 0 0 0  1 1 1  100 t\n#!speed {number}");
        let document = SceneDocument::parse("good.scene", text.as_bytes()).unwrap();
        assert_eq!(document.scene().speed, value, "{number}");
    }
}

#[test]
fn a_repeated_setting_shows_both_lines() {
    let shown = error(b"s 0\ni 0 0 0  1 1 1  100 t\ns 1\n").to_string();
    assert!(shown.contains("bad.scene:3:1") && shown.contains("bad.scene:1:1"), "{shown}");
    assert!(shown.contains("3 | s 1") && shown.contains("1 | s 0"), "{shown}");
}

#[test]
fn colors_come_only_when_asked_for() {
    let error = error(b"x");
    assert!(!error.to_string().contains('\u{1b}'));
    assert!(error.render(true).contains('\u{1b}'));
}

#[test]
fn control_characters_reach_no_terminal() {
    let bytes = "x\u{1b}[31m \u{202e}\u{7}\u{9b}\u{e000}:9:9".as_bytes();
    let error = SceneDocument::parse("a\u{1b}b.scene", bytes).unwrap_err();
    let shown = error.to_string();
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
    assert!(!shown.contains('\u{202e}'), "{shown:?}");
    assert!(shown.contains(r"a\u{1b}b.scene:1:1"), "{shown}");
    assert!(shown.contains(r"x\u{1b}[31m"), "{shown}");
}

#[test]
fn an_endless_line_is_cut_around_its_marker() {
    let blanks = " ".repeat(5_000_000);
    let token = "9".repeat(5_000_000);
    let error = error(format!("i 0 0 0 1 1 1 1 t\ni{blanks}?{token}").as_bytes());
    assert_eq!((error.line(), error.column()), (Some(2), Some(5_000_002)));
    let shown = error.to_string();
    assert!(shown.len() < 2000, "{} bytes", shown.len());
    assert!(shown.contains("bad.scene:2:5000002\n"), "{shown}");
    assert!(shown.contains("?999") && shown.contains("..."), "{shown}");
}

#[test]
fn text_that_is_not_utf8_is_refused_at_the_first_bad_byte() {
    let utf16: Vec<u8> = "\u{feff}i 0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, line, column, said) in [
        (
            &b"# \xc4\x8d\n  i \xc4\x8d\xff 0\n"[..],
            2,
            6,
            "expected UTF-8 text, found the byte 0xff",
        ),
        (b"i 0 0 0  1 1 1  100 t\n# \xe6\x97", 2, 3, "found the byte 0xe6"),
        (&utf16, 1, 1, "this looks like UTF-16"),
    ] {
        let error = error(bytes);
        assert_eq!((error.line(), error.column()), (Some(line), Some(column)));
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
    if cfg!(unix) {
        // Reading it would never end.
        let endless = SceneDocument::read("/dev/zero".as_ref()).unwrap_err();
        assert!(endless.message().ends_with("it is no regular file"), "{endless}");
    }
}

#[test]
fn a_huge_file_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    // Sparse: it has a length and no content.
    file.as_file().set_len(100 << 20).unwrap();
    let error = SceneDocument::read(file.path()).unwrap_err();
    assert!(error.message().ends_with("it has more than 16777216 bytes"), "{error}");
    assert_eq!(error.line(), None);
}

#[test]
fn warnings_beyond_a_hundred_are_counted() {
    let text = format!("i 0 0 0  1 1 1  100 t\n{}", "#!wind 3\n".repeat(150));
    let document = SceneDocument::parse("windy.scene", text.as_bytes()).unwrap();
    let warnings = document.warnings();
    assert_eq!(warnings.len(), 100);
    assert_eq!((warnings[0].line(), warnings[0].column()), (Some(2), Some(1)));
    assert_eq!(warnings[0].message(), "unknown directive `#!wind`");
    assert!(warnings[99].message().contains("50 more"), "{}", warnings[99]);
    assert!(warnings[0].to_string().starts_with("warning: unknown directive"));
    assert!(warnings[0].to_string().contains("windy.scene:2:1"));
}

#[test]
fn nearly_repeated_points_are_warned_of() {
    for points in
        ["0 0 0  0 0 1  0 1 0  1 0 0  1 0 0.00000000001", "1e-10 0 0  0 0 0  0 0 1  0 1 0  1 0 0"]
    {
        let text = format!("i 0 0 0  1 1 1  100 t\n#!shape a points {points}\n");
        let warnings = document(&text).warnings().to_vec();
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        assert_eq!((warning.line(), warning.column()), (Some(2), Some(11)));
        assert_eq!(warning.message(), "1 repeated point in shape `a`");
    }
}

#[test]
fn force_on_a_body_that_it_cannot_move_is_warned_of() {
    for (word, force, line, warned) in [
        ("static", "0 0 1", "", 1),
        ("kinematic", "0 0 1", "", 1),
        ("driven", "0 0 1", "", 1),
        ("", "0 0 1", "#!layer bodies static", 1),
        ("", "1 2 1", "#!flat", 1),
        ("", "1 0 1", "#!flat", 0),
        ("", "1 2 1", "", 0),
    ] {
        let text = format!(
            "i 0 0 0  1 1 1  100 t\n#!shape a sphere 1\n#!body a 0 0 0 0 0 0 {word}\n#!force 1 {force} 1\n{line}\n"
        );
        let document = document(&text);
        let places: Vec<_> = document.warnings().iter().map(|w| (w.line(), w.column())).collect();
        assert_eq!(places, vec![(Some(4), Some(9)); warned], "{text}");
    }
}
