//! Broken lines.

/// Cuts a line through `points` into dashes. `pattern` holds lengths drawn and left out in turn, in units; an
/// empty one leaves the line whole.
pub(super) fn strokes(points: &[(i32, i32)], pattern: &[f64]) -> Vec<Vec<(i32, i32)>> {
    if pattern.is_empty() || pattern.iter().any(|&length| length <= 0.0) {
        return vec![points.to_vec()];
    }
    let mut strokes = Vec::new();
    let mut stroke: Vec<(i32, i32)> = points.first().copied().into_iter().collect();
    let (mut part, mut left) = (0, pattern[0]);
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let at = |s: f64| {
            let share = s / length;
            let between = |a: f64, b: f64| (a + share * (b - a)).round() as i32;
            (between(from.0, to.0), between(from.1, to.1))
        };
        let mut done = 0.0;
        while length - done > left {
            done += left;
            if part % 2 == 0 {
                stroke.push(at(done));
                strokes.push(std::mem::take(&mut stroke));
            } else {
                stroke = vec![at(done)];
            }
            part = (part + 1) % pattern.len();
            left = pattern[part];
        }
        left -= length - done;
        if part % 2 == 0 {
            stroke.push(pair[1]);
        }
    }
    if stroke.len() > 1 {
        strokes.push(stroke);
    }
    strokes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_and_gaps_have_the_lengths_of_the_pattern() {
        let strokes = strokes(&[(0, 0), (20, 0)], &[5.0, 3.0]);
        assert_eq!(strokes, [[(0, 0), (5, 0)], [(8, 0), (13, 0)], [(16, 0), (20, 0)]]);
    }

    #[test]
    fn a_stroke_goes_around_a_corner() {
        let strokes = strokes(&[(0, 0), (4, 0), (4, 10)], &[6.0, 2.0]);
        assert_eq!(strokes[0], [(0, 0), (4, 0), (4, 2)]);
        assert_eq!(strokes[1], [(4, 4), (4, 10)]);
        assert_eq!(strokes.len(), 2);
    }

    #[test]
    fn an_unbroken_line_stays_whole_and_a_point_is_no_line() {
        assert_eq!(strokes(&[(0, 0), (9, 9)], &[]), [[(0, 0), (9, 9)]]);
        assert!(strokes(&[(3, 3), (3, 3)], &[5.0, 3.0]).iter().all(|s| s[0] == s[1]));
    }
}
