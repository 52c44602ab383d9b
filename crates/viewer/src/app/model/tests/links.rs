//! Links that a page copies, opened again.

use super::*;
use crate::cli::Arguments;
use crate::link;
use crate::platform::Files as _;
use crate::program::begin;
use crate::session::DriveRun;
use clap::Parser as _;
use std::sync::atomic::Ordering::SeqCst;

/// A page that shows a scene.
fn page(path: &str, text: &str) -> (&'static Double, Model) {
    let double = Double::leaked();
    double.is_page.store(true, SeqCst);
    let mut begun = start_of(text.as_bytes(), "bsp", double);
    begun.opened.path = Some(path.into());
    (double, Model::new(begun, double.platform()))
}

/// The link that is copied, and what is said to be missing in it.
fn copied(model: &mut Model) -> (String, Vec<String>) {
    model.panel.toasts.clear();
    model.obey(Command::CopyCommand);
    let problems = model.panel.toasts.notices().into_iter().filter_map(|notice| match notice {
        Notice::Problem(text) => Some(text.clone()),
        _ => None,
    });
    let problems = problems.collect();
    (model.to_copy.take().unwrap(), problems)
}

/// The state that a link opens in another page.
fn opened(link: &str) -> Result<Start, String> {
    let double = Double::leaked();
    let (words, carried) = link::command_of(link);
    if let Some(text) = carried {
        double.write(Path::new(&words[1]), text.as_bytes()).unwrap();
    }
    let arguments = Arguments::try_parse_from(&words).unwrap();
    begin(&arguments, double.platform()).map_err(|failure| failure.to_string())
}

fn recipe(start: &Start) -> Scene {
    start.session.world().unwrap().recipe().clone()
}

#[test]
fn own_edited_and_driven_scenes_travel_in_the_link() {
    let commented = format!("# Seven spheres: ä & b\r\n{SPHERES}");
    let (_, mut model) = page("own.scene", &commented);
    let (link, lacks) = copied(&mut model);
    assert!(link.starts_with("?scene=own&") && lacks.is_empty(), "{link} {lacks:?}");
    let start = opened(&link).unwrap();
    assert_eq!(start.opened.document.as_ref().unwrap().to_text(), commented);
    assert_eq!(start.opened.path, Some("scenes/own.scene".into()));
    assert_eq!(start.session.algorithm().id, "bsp");

    let first = include_str!("../../../../../../scenes/first.scene");
    let (_, mut model) = page("first.scene", first);
    assert!(!copied(&mut model).0.contains("text="), "it is built in");
    Arc::make_mut(&mut model.snapshot.input.recipe).strict ^= true;
    let (link, lacks) = copied(&mut model);
    assert_eq!(
        (recipe(&opened(&link).unwrap()), lacks),
        ((*model.snapshot.input.recipe).clone(), vec![])
    );

    let (_, mut model) = page("own.scene", &SCENE.replace("rotate 0 1 0 30", "driven"));
    let keys = DriveKeys { right: true, ..DriveKeys::NONE };
    model.snapshot.input.driven = vec![DriveRun { first: 3, last: 4, keys }];
    let (link, lacks) = copied(&mut model);
    let dt = model.snapshot.input.recipe.dt;
    let in_step = |step| DriveKeys::in_step(step, &recipe(&opened(&link).unwrap()).drive, dt);
    assert_eq!([2, 3, 4, 5].map(in_step), [DriveKeys::NONE, keys, keys, DriveKeys::NONE]);
    assert!(!link.contains("drive=") && lacks.is_empty(), "{link} {lacks:?}");
}

#[test]
fn link_says_what_it_does_not_carry() {
    let of_length =
        |length: usize| format!("{SPHERES}#{}\n", "x".repeat(length - SPHERES.len() - 2));
    let (_, mut model) = page("own.scene", &of_length(link::MAX_TEXT));
    assert!(copied(&mut model).0.contains("&text="));
    let (_, mut model) = page("own.scene", &of_length(link::MAX_TEXT + 1));
    let (link, lacks) = copied(&mut model);
    assert!(!link.contains("text=") && lacks.len() == 1, "{link}");
    assert!(lacks[0].starts_with("the link does not carry the scene, which has more"), "{lacks:?}");
    let (_, mut model) = page("a.bpt", SPHERES);
    model.scene_file = SceneFile::new(
        Opened { document: None, path: Some("a.bpt".into()), boxes: None },
        Double::leaked(),
    );
    assert!(copied(&mut model).1[0].contains("does not carry the recording"));
}

#[test]
fn damaged_text_of_a_link_is_named_with_its_place() {
    for (text, place) in [("i+-1+-1+-1++2+2+2+100+t%0Ac+1+x", "2:1"), ("i+-1+-1%0Ai%00", "1:8")] {
        let problem = opened(&format!("?scene=own&text={text}")).err().unwrap();
        assert!(problem.contains(&format!("--> scenes/own.scene:{place}\n")), "{problem}");
    }
}
