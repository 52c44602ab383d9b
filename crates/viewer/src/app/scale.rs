//! The scale of the display, as far as the window follows it.

use super::error::WindowError;
use crate::console;
use std::ops::RangeInclusive;
use winit::dpi::PhysicalSize;
use winit::event_loop::ActiveEventLoop;

/// Scales that the window follows, in pixels per point. Text is hardly legible at 0.5; at 4, a small screen holds the panel
/// alone.
const FOLLOWED: RangeInclusive<f64> = 0.5..=4.0;

/// Scales at which winit can open a window, and whose reciprocal is an `f32`.
const POSSIBLE: RangeInclusive<f64> = 1e-30..=1e30;

/// The scale of a display: that of its main monitor.
///
/// # Errors
///
/// If no window can have it.
pub(super) fn of_display(event_loop: &ActiveEventLoop) -> Result<f64, WindowError> {
    let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let display = monitor.map_or(1.0, |monitor| monitor.scale_factor());
    let scale = of_window(display).map_err(WindowError::NoWindow)?;
    if scale != display {
        console::note(format_args!(
            "warning: the display's scale is {display:?}; the window uses {scale}"
        ));
    }
    Ok(display)
}

/// A size in points, in units that winit multiplies by the scale of the display.
pub(super) fn in_units(size: [f32; 2], display: f64) -> egui::Vec2 {
    egui::Vec2::from(size) * (followed(display) / display) as f32
}

/// Returns the scale of the window on a display of scale `display`.
///
/// # Errors
///
/// If no window can have the display's scale, such as 0.
pub(super) fn of_window(display: f64) -> Result<f64, String> {
    possible(display).map(followed).ok_or_else(|| {
        format!(
            "its scale is {display:?}; set the resource Xft.dpi to 96, or WINIT_X11_SCALE_FACTOR to 1"
        )
    })
}

/// The scale of a display, if a window can have it.
pub(super) fn possible(display: f64) -> Option<f64> {
    POSSIBLE.contains(&display).then_some(display)
}

/// The size of a window after the scale of its display was changed; `before` is that of the window. winit multiplies by the
/// ratio of both displays' scales, which are anything: after 0, the window would be as large as any.
pub(super) fn rescaled(size: PhysicalSize<u32>, before: f64, display: f64) -> PhysicalSize<u32> {
    let now = of_window(display).unwrap_or(before);
    size.to_logical::<f64>(before).to_physical(now)
}

/// The nearest scale that the window follows.
pub(super) fn followed(display: f64) -> f64 {
    display.clamp(*FOLLOWED.start(), *FOLLOWED.end())
}

/// Sets egui's zoom, by which it multiplies the display's scale, where the window does not follow that one.
pub(super) fn fit_zoom(options: &mut egui::Options, display: f64) {
    let is_followed = FOLLOWED.contains(&display);
    if !is_followed || !options.zoom_with_keyboard {
        options.zoom_factor = (followed(display) / display) as f32;
    }
    // The key for 100 % would bring back the display's scale.
    options.zoom_with_keyboard = is_followed;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_of_a_window_is_usable_or_refused() {
        for (display, window) in
            [(1.0, 1.0), (2.25, 2.25), (1.0 / 96.0, 0.5), (30.0, 4.0), (1e9, 4.0), (1e-9, 0.5)]
        {
            assert_eq!(of_window(display), Ok(window));
            let mut options = egui::Options::default();
            fit_zoom(&mut options, display);
            let points = options.zoom_factor * display as f32;
            assert!((points - window as f32).abs() < 1e-6, "{display}: {points}");
        }
        for display in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310, 1e300] {
            let refusal = of_window(display).unwrap_err();
            assert!(refusal.starts_with(&format!("its scale is {display:?}; set ")), "{refusal}");
        }
    }

    #[test]
    fn size_survives_impossible_scales() {
        let (mut size, mut scale) = (PhysicalSize::new(1000, 700), 1.0);
        let mut change = |display: f64| {
            size = rescaled(size, scale, display);
            scale = of_window(display).unwrap_or(scale);
            [size.width, size.height]
        };
        for display in [0.0, f64::NAN, f64::INFINITY, -1.0, 1e-310, 1.0] {
            assert_eq!(change(display), [1000, 700], "{display}");
        }
        assert_eq!([2.0, 0.0, 1e9, 1e-9, 1.0].map(change)[3..], [[500, 350], [1000, 700]]);
    }

    #[test]
    fn zoom_by_keys_is_kept_only_on_displays_of_usable_scale() {
        let mut options = egui::Options::default();
        fit_zoom(&mut options, 1.0);
        options.zoom_factor = 1.5;
        let mut zoom = |display: f64| {
            fit_zoom(&mut options, display);
            (options.zoom_factor, options.zoom_with_keyboard)
        };
        assert_eq!(zoom(1.0), (1.5, true));
        assert_eq!(zoom(2.0), (1.5, true));
        assert_eq!(zoom(40.0), (0.1, false));
        assert_eq!(zoom(1.0), (1.0, true));
    }
}
