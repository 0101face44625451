//! Curves on two logarithmic axes, as SVG.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 96.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 60.0;

/// Colours that colour-blind people can tell apart (Okabe and Ito), and dashes for print.
const STYLES: [(&str, &str); 4] = [
    ("#0072b2", ""),
    ("#d55e00", "6 4"),
    ("#009e73", "2 3"),
    ("#555555", "9 3 2 3"),
];

/// What is drawn.
pub(crate) struct Plot<'p> {
    pub(crate) title: &'p str,
    pub(crate) x: Axis<'p>,
    pub(crate) y: Axis<'p>,
    /// The name and the points of each curve.
    pub(crate) curves: Vec<(&'p str, Vec<(f64, f64)>)>,
}

/// An axis and its labels.
pub(crate) struct Axis<'p> {
    pub(crate) label: &'p str,
    /// How a value is written at its tick.
    pub(crate) tick: fn(f64) -> String,
}

impl Plot<'_> {
    /// Writes the plot to target/compare.
    pub(crate) fn save(&self, name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("compare");
        std::fs::create_dir_all(&folder).expect("there is room for plots");
        let file = folder.join(name).with_extension("svg");
        std::fs::write(&file, self.svg()).expect("there is room for plots");
        file
    }

    fn svg(&self) -> String {
        let points = || self.curves.iter().flat_map(|(_, points)| points);
        let x = Scale::new(points().map(|point| point.0), LEFT, WIDTH - RIGHT);
        let y = Scale::new(points().map(|point| point.1), HEIGHT - BOTTOM, TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        let (middle, centre) = (f64::midpoint(x.from, x.to), f64::midpoint(y.from, y.to));
        text(
            &mut svg,
            (middle, 24.0),
            "middle\" font-size=\"16",
            self.title,
        );
        text(&mut svg, (middle, HEIGHT - 14.0), "middle", self.x.label);
        let turned = format!("middle\" transform=\"rotate(-90 18 {centre})");
        text(&mut svg, (18.0, centre), &turned, self.y.label);
        for value in x.ticks() {
            let at = x.place(value);
            line(&mut svg, [(at, y.from), (at, y.to)]);
            text(
                &mut svg,
                (at, y.from + 19.0),
                "middle",
                &(self.x.tick)(value),
            );
        }
        for value in y.ticks() {
            let at = y.place(value);
            line(&mut svg, [(x.from, at), (x.to, at)]);
            text(
                &mut svg,
                (x.from - 8.0, at + 4.0),
                "end",
                &(self.y.tick)(value),
            );
        }
        for (nth, (name, points)) in self.curves.iter().enumerate() {
            let (colour, dashes) = STYLES[nth % STYLES.len()];
            let style =
                format!("stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"");
            let key = TOP + 12.0 + 24.0 * nth as f64;
            let (from, to) = (x.to + 14.0, x.to + 44.0);
            let _ = writeln!(svg, "<path d=\"M{from} {key}H{to}\" {style}/>");
            text(&mut svg, (to + 8.0, key + 4.0), "start", name);
            let placed = points.iter().map(|&(a, b)| (x.place(a), y.place(b)));
            let route: Vec<_> = placed
                .clone()
                .map(|(a, b)| format!("{a:.1},{b:.1}"))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" {style}/>",
                route.join(" ")
            );
            for (a, b) in placed {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{a:.1}\" cy=\"{b:.1}\" r=\"3.5\" fill=\"{colour}\"/>"
                );
            }
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn line(svg: &mut String, [from, to]: [(f64, f64); 2]) {
    let _ = writeln!(
        svg,
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#ddd\"/>",
        from.0, from.1, to.0, to.1
    );
}

/// `anchor` may include other attributes. No text here needs escaping.
fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
    );
}

/// A logarithmic axis, from tick to tick.
struct Scale {
    least: f64,
    most: f64,
    from: f64,
    to: f64,
    /// Whether its ticks are whole decades.
    whole: bool,
}

/// Rounding errors of powers must not add another tick.
const NEARLY: f64 = 1.000_001;

impl Scale {
    fn new(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Scale {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(0.0, f64::max);
        let whole = (most / least).log10() > 2.0;
        let below = ticks(whole).rfind(|tick| *tick <= least * NEARLY);
        let above = ticks(whole).find(|tick| *tick >= most / NEARLY && Some(*tick) > below);
        Scale {
            least: below.unwrap_or(least),
            most: above.unwrap_or(most),
            from,
            to,
            whole,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let part = (value / self.least).ln() / (self.most / self.least).ln();
        self.from + (self.to - self.from) * part
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let inside = self.least / NEARLY..=self.most * NEARLY;
        ticks(self.whole).filter(move |tick| inside.contains(tick))
    }
}

/// 1, 10, 100, … or 1, 2, 5, 10, 20, …, over all that occurs.
fn ticks(whole: bool) -> impl DoubleEndedIterator<Item = f64> {
    (-6..12).flat_map(move |decade| {
        let steps: &[f64] = if whole { &[1.0] } else { &[1.0, 2.0, 5.0] };
        steps.iter().map(move |step| step * 10_f64.powi(decade))
    })
}
