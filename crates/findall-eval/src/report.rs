//! `findall-eval report`: pictures from the records. Every CSV under the record folder is read; precision against
//! recall, latency, and cost against size are drawn as SVG beside them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::EvalError;

/// Arguments of `findall-eval report`.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// Folder of the records
    #[arg(long, value_name = "DIR", default_value = "eval/record")]
    record: PathBuf,

    /// Where the pictures go [default: the newest day's folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// One figure of a record, as far as pictures need it.
#[derive(serde::Deserialize)]
struct Figure {
    verb: String,
    definition: String,
    system: String,
    metric: String,
    value: f64,
}

/// A point with its label.
struct Point {
    x: f64,
    y: f64,
    label: String,
}

/// A picture: points, labelled axes.
struct Plot {
    title: String,
    x_axis: Axis,
    y_axis: Axis,
    points: Vec<Point>,
    /// Join the points, in order of x.
    joined: bool,
}

struct Axis {
    label: &'static str,
    scale: Scale,
}

/// How values are laid out on an axis.
#[derive(Clone, Copy, PartialEq)]
enum Scale {
    /// 0 to 1.
    Share,
    /// Powers of ten.
    Logarithmic,
}

/// Draws.
pub fn run(args: &ReportArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let days = days(&args.record)?;
    let Some(newest) = days.last() else {
        return Err(EvalError::Definition {
            path: args.record.clone(),
            message: "holds no record yet; run findall-eval ktrlf DATA.jsonl first".into(),
        });
    };
    let mut figures: Vec<Figure> = Vec::new();
    for path in csv_files(newest)? {
        let mut reader = csv::Reader::from_path(&path)?;
        figures.extend(reader.deserialize().collect::<Result<Vec<Figure>, _>>()?);
    }
    let folder = args.out.as_ref().unwrap_or(newest);
    std::fs::create_dir_all(folder).map_err(|error| EvalError::File { path: folder.clone(), error })?;
    for (name, plot) in [
        ("precision-recall", precision_recall(&figures)),
        ("latency", latency(&figures)),
        ("scaling", scaling(&figures)),
    ] {
        if plot.points.is_empty() {
            continue;
        }
        let path = folder.join(format!("{name}.svg"));
        std::fs::write(&path, plot.svg()).map_err(|error| EvalError::File { path: path.clone(), error })?;
        writeln!(out, "{}: {} points", path.display(), plot.points.len())?;
    }
    Ok(())
}

fn days(record: &Path) -> Result<Vec<PathBuf>, EvalError> {
    let failed = |error| EvalError::File { path: record.to_owned(), error };
    let entries =
        std::fs::read_dir(record).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut days: Vec<PathBuf> =
        entries.iter().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    days.sort();
    Ok(days)
}

fn csv_files(folder: &Path) -> Result<Vec<PathBuf>, EvalError> {
    let failed = |error| EvalError::File { path: folder.to_owned(), error };
    let entries =
        std::fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut files: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "csv"));
    files.sort();
    Ok(files)
}

/// Pairs two metrics of the same system in the same record.
fn pairs(figures: &[Figure], x: &str, y: &str) -> Vec<Point> {
    type Half = Option<f64>;
    let mut found: BTreeMap<(&str, &str, &str), (Half, Half)> = BTreeMap::new();
    for figure in figures {
        let entry = found.entry((&figure.verb, &figure.definition, &figure.system)).or_default();
        if figure.metric == x {
            entry.0 = Some(figure.value);
        }
        if figure.metric == y {
            entry.1 = Some(figure.value);
        }
    }
    let points = found.into_iter().filter_map(|((_, definition, system), (x, y))| {
        Some(Point { x: x?, y: y?, label: format!("{system} ({definition})") })
    });
    points.collect()
}

fn precision_recall(figures: &[Figure]) -> Plot {
    let mut points = pairs(figures, "List EM recall", "List EM precision");
    points.extend(pairs(figures, "mention recall", "mention precision"));
    Plot {
        title: "Precision against recall of mentions".into(),
        x_axis: Axis { label: "recall", scale: Scale::Share },
        y_axis: Axis { label: "precision", scale: Scale::Share },
        points,
        joined: false,
    }
}

fn latency(figures: &[Figure]) -> Plot {
    Plot {
        title: "List EM against the time of a query (median)".into(),
        x_axis: Axis { label: "milliseconds", scale: Scale::Logarithmic },
        y_axis: Axis { label: "List EM F1", scale: Scale::Share },
        points: pairs(figures, "query p50", "List EM F1"),
        joined: false,
    }
}

fn scaling(figures: &[Figure]) -> Plot {
    let sized = figures.iter().filter(|figure| figure.verb == "scaling" && figure.metric == "prepare");
    let mut points: Vec<Point> = sized
        .filter_map(|figure| {
            let bytes = figure.definition.split(' ').next()?.parse().ok()?;
            Some(Point { x: bytes, y: figure.value, label: figure.definition.clone() })
        })
        .collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    Plot {
        title: "Preparation time against the length of the text".into(),
        x_axis: Axis { label: "bytes of text", scale: Scale::Logarithmic },
        y_axis: Axis { label: "milliseconds", scale: Scale::Logarithmic },
        points,
        joined: true,
    }
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
const MARGIN: f64 = 60.0;
/// Width of a label's letter and height of its line.
const LETTER: f64 = 5.6;
const LINE: f64 = 11.0;

impl Axis {
    /// The range shown and its ticks.
    fn range(&self, values: impl Iterator<Item = f64>) -> (f64, f64, Vec<f64>) {
        match self.scale {
            Scale::Share => (0.0, 1.0, (0..=5).map(|n| f64::from(n) / 5.0).collect()),
            Scale::Logarithmic => {
                let (mut least, mut most) = (f64::INFINITY, 0.0f64);
                for value in values.filter(|value| *value > 0.0) {
                    least = least.min(value);
                    most = most.max(value);
                }
                let (from, to) = (least.log10().floor(), most.log10().ceil());
                let to = if to > from { to } else { from + 1.0 };
                (from, to, (from as i32..=to as i32).map(|power| 10f64.powi(power)).collect())
            }
        }
    }

    fn place(&self, value: f64, from: f64, to: f64) -> f64 {
        let value =
            if self.scale == Scale::Logarithmic { value.max(f64::MIN_POSITIVE).log10() } else { value };
        ((value - from) / (to - from)).clamp(0.0, 1.0)
    }
}

impl Plot {
    fn svg(&self) -> String {
        let (x_from, x_to, x_ticks) = self.x_axis.range(self.points.iter().map(|point| point.x));
        let (y_from, y_to, y_ticks) = self.y_axis.range(self.points.iter().map(|point| point.y));
        let x = |value: f64| MARGIN + self.x_axis.place(value, x_from, x_to) * (WIDTH - 2.0 * MARGIN);
        let y =
            |value: f64| HEIGHT - MARGIN - self.y_axis.place(value, y_from, y_to) * (HEIGHT - 2.0 * MARGIN);
        let (left, right, top, bottom) = (MARGIN, WIDTH - MARGIN, MARGIN, HEIGHT - MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{}\" y=\"28\" text-anchor=\"middle\" font-size=\"16\">{}</text>\n",
            WIDTH / 2.0,
            escape(&self.title)
        );
        // Writing into memory cannot fail.
        for tick in x_ticks {
            let at = x(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top}\" y2=\"{bottom}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 16.0,
                number(tick)
            );
        }
        for tick in y_ticks {
            let at = y(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{left}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 6.0,
                at + 4.0,
                number(tick)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            WIDTH / 2.0,
            HEIGHT - 16.0,
            self.x_axis.label
        );
        let _ = writeln!(
            svg,
            "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            HEIGHT / 2.0,
            self.y_axis.label
        );
        if self.joined {
            let path: Vec<String> =
                self.points.iter().map(|p| format!("{:.1},{:.1}", x(p.x), y(p.y))).collect();
            let _ =
                writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f5f99\"/>", path.join(" "));
        }
        let places = self.points.iter().map(|point| (x(point.x), y(point.y), point.label.as_str()));
        draw_points(&mut svg, places.collect());
        svg.push_str("</svg>\n");
        svg
    }
}

/// Points with their labels, none on another.
fn draw_points(svg: &mut String, mut places: Vec<(f64, f64, &str)>) {
    places.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut labels: Vec<(f64, f64, f64)> = Vec::new();
    for (px, py, label) in places {
        // A label near the right edge goes to the left of its point.
        let (anchor, shift) = if px > WIDTH * 0.65 { ("end", -7.0) } else { ("start", 7.0) };
        let width = LETTER * label.chars().count() as f64;
        let start = if shift < 0.0 { px + shift - width } else { px + shift };
        // One that would stand on another goes above it.
        let mut line = py + 3.0;
        for &(other, end, taken) in &labels {
            if start < end && other < start + width && line > taken - LINE {
                line = taken - LINE;
            }
        }
        labels.push((start, start + width, line));
        let _ = writeln!(
            svg,
            "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"4\" fill=\"#1f5f99\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-size=\"10\">{}</text>",
            px + shift,
            line,
            escape(label)
        );
    }
}

fn number(value: f64) -> String {
    match value {
        value if value >= 1e6 => format!("{} M", value / 1e6),
        value if value >= 1e3 => format!("{} k", value / 1e3),
        value => format!("{value}"),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_become_pictures() {
        let folder = tempfile::tempdir().unwrap();
        let day = folder.path().join("2026-01-02");
        std::fs::create_dir(&day).unwrap();
        let rows = "time,commit,verb,definition,system,metric,value,unit\n\
            t,c,ktrlf,ktrlf,a<b,List EM recall,0.5,share\n\
            t,c,ktrlf,ktrlf,a<b,List EM precision,0.25,share\n\
            t,c,scaling,2000 bytes,findall,prepare,100,ms\n";
        std::fs::write(day.join("ktrlf.csv"), rows).unwrap();
        let mut said = Vec::new();
        run(&ReportArgs { record: folder.path().into(), out: None }, &mut said).unwrap();
        let svg = std::fs::read_to_string(day.join("precision-recall.svg")).unwrap();
        assert!(svg.contains("cx=\"380.0\" cy=\"330.0\"") && svg.contains("a&lt;b"), "{svg}");
        assert!(day.join("scaling.svg").is_file() && !day.join("latency.svg").exists());
    }

    #[test]
    fn without_records_it_says_what_to_run() {
        let folder = tempfile::tempdir().unwrap();
        let error =
            run(&ReportArgs { record: folder.path().into(), out: None }, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("findall-eval ktrlf"), "{error}");
    }
}
