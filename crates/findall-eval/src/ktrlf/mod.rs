//! `findall-eval ktrlf`: finds all targets of the KTRL+F queries and scores them as published, beside the paper's rows
//! and the systems that people use instead.

pub mod data;
mod llm;
pub mod measure;
pub mod systems;

use std::io::Write;
use std::path::PathBuf;

use findall::find::KeepRule;

pub use self::llm::Endpoint;
use self::measure::{SystemMeasurement, measure};
use self::systems::{SystemName, Tools};
use crate::EvalError;
use crate::inputs;
use crate::record::{self, RecordArgs, Row};
use crate::resources::ResourceArgs;
use crate::table;

/// Arguments of `findall-eval ktrlf`.
#[derive(Debug, clap::Args)]
pub struct KtrlfArgs {
    /// KTRL+F data, JSON Lines
    #[arg(value_name = "DATA.jsonl")]
    data: PathBuf,

    /// Measure on so many of the documents, evenly spread
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// Do not tell findall that every query of this set has an answer, so that it may find nothing
    #[arg(long)]
    may_be_silent: bool,

    #[command(flatten)]
    what: SystemArgs,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    record: RecordArgs,
}

/// What is measured; shared with `findall-eval lists`.
#[derive(Clone, Debug, clap::Args)]
pub struct SystemArgs {
    /// Take entities and mentions from the data instead of finding them
    #[arg(long)]
    pub gold_entities: bool,

    /// Leave out what is known outside the document, or what the document says
    #[arg(long, value_enum, value_name = "EVIDENCE")]
    pub without: Option<WithoutArg>,

    /// Whether the judge reads what the page itself says that a name is
    #[arg(long, value_enum, value_name = "ON|OFF", default_value = "on")]
    pub page_words: SwitchArg,

    /// Which judge reads the candidates
    #[arg(long, value_enum, value_name = "JUDGE", default_value = "small")]
    pub judge: JudgeArg,

    /// What to measure; may be repeated
    #[arg(long = "system", value_enum, value_name = "SYSTEM", default_value = "findall")]
    pub systems: Vec<SystemName>,

    /// Measure every system that needs no network, side by side
    #[arg(long, conflicts_with = "systems")]
    pub side_by_side: bool,

    /// Write what findall predicts, one line a query
    #[arg(long, value_name = "OUT.jsonl")]
    pub predictions: Option<PathBuf>,

    /// OpenAI-compatible endpoint of the generative baseline, e.g. http://127.0.0.1:8080/v1
    #[arg(long, value_name = "URL")]
    pub endpoint: Option<String>,

    /// Name of the generative model at the endpoint
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub llm_model: String,
}

/// Which judge reads the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum JudgeArg {
    /// None: the encoder's first answer
    None,
    /// The one that ships
    Small,
    /// The one in `judge-large/` of the models' folder, which does not ship (training/README.md makes it)
    Large,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SwitchArg {
    /// As people have it
    On,
    /// Left out, to see what it is worth
    Off,
}

/// What to leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum WithoutArg {
    /// Knowledge from outside the document
    External,
    /// What the document says
    Internal,
}

impl SystemArgs {
    /// The systems to run, in order.
    pub fn systems_to_run(&self) -> Vec<SystemName> {
        if self.side_by_side { SystemName::LOCAL.to_vec() } else { self.systems.clone() }
    }

    /// How a run of `system` is called in tables and records.
    pub fn label(&self, system: SystemName) -> String {
        let mut label = system.name().to_owned();
        if system == SystemName::Findall || system == SystemName::EveryMention {
            if self.gold_entities {
                label += ", gold entities";
            }
            match self.without {
                Some(WithoutArg::External) => label += ", without external",
                Some(WithoutArg::Internal) => label += ", without internal",
                None => {}
            }
            if system == SystemName::Findall && self.page_words == SwitchArg::Off {
                label += ", without page words";
            }
            match self.judge {
                JudgeArg::None if system == SystemName::Findall => label += ", encoder only",
                JudgeArg::Large if system == SystemName::Findall => label += ", large judge",
                _ => {}
            }
        }
        label
    }
}

/// The paper's rows: system, List EM, List Overlap, (R) EM, (R) Overlap, ms a query.
const PUBLISHED_KTRLF_ROWS: [(&str, [f64; 4], Option<f64>); 8] = [
    ("paper: GPT-4", [30.457, 37.402, 7.452, 12.898], None),
    ("paper: GPT-3.5", [30.346, 41.929, 8.284, 19.446], None),
    ("paper: LLAMA-2-Chat-7B", [28.529, 40.546, 8.947, 20.008], Some(2359.0)),
    ("paper: SequenceTagger", [7.239, 8.614, 0.612, 1.211], Some(26.0)),
    ("paper: own model, Wikifier", [23.152, 40.718, 7.091, 23.107], Some(15.0)),
    ("paper: own model, gold entities", [46.170, 53.689, 22.426, 32.285], Some(14.0)),
    ("paper: the same, without external", [34.582, 43.758, 14.178, 26.406], None),
    ("paper: GPT-4, gold entities", [52.937, 55.765, 22.479, 25.183], None),
];

/// Measures and records.
pub fn run(args: &KtrlfArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let samples = inputs::sample_evenly(data::read_ktrlf(&args.data)?, args.sample);
    let set = match args.sample {
        Some(_) => format!("ktrlf, {} documents", samples.len()),
        None => "ktrlf".into(),
    };
    let keep = if args.may_be_silent { KeepRule::Decided } else { KeepRule::Expected };
    let tools = Tools { descriptions: true, keep, ..args.resources.tools(&args.what)? };
    let mut rows = Vec::new();
    let mut shown = Vec::new();
    for system in args.what.systems_to_run() {
        let measured = measure(&tools, system, &samples)?;
        if system == SystemName::Findall
            && let Some(path) = &args.what.predictions
        {
            measured.write_predictions(path, &samples)?;
        }
        let mut label = args.what.label(system);
        if args.may_be_silent && system == SystemName::Findall {
            label += ", may be silent";
        }
        shown.push(table_row(&label, &measured));
        rows.extend(record_rows(&set, &label, &measured));
    }
    for (name, scores, latency) in PUBLISHED_KTRLF_ROWS {
        let mut row = vec![name.to_owned()];
        row.extend(scores.iter().map(|score| format!("{score:.1}")));
        row.extend(["", "", "", "", "", "", ""].map(String::from));
        row.push(latency.map_or(String::new(), |ms| format!("{ms:.0}")));
        shown.push(row);
    }
    let header = [
        "system",
        "List EM",
        "Overlap",
        "(R) EM",
        "(R) Ov",
        "Set EM",
        "Set Ov",
        "P",
        "R",
        "MAP",
        "gold seen",
        "text shown",
        "ms p50",
        "ms p99",
        "prep ms",
    ];
    table::write(out, &header, &shown)?;
    writeln!(
        out,
        "{} queries on {} documents; P and R are List EM's; times on this machine, {} threads",
        samples.iter().map(|sample| sample.queries.len()).sum::<usize>(),
        samples.len(),
        std::thread::available_parallelism().map_or(1, usize::from)
    )?;
    let name = match (args.what.systems_to_run().contains(&SystemName::Llm), args.what.gold_entities) {
        (true, _) => "ktrlf-llm",
        (false, true) => "ktrlf-gold",
        (false, false) => "ktrlf",
    };
    let name = match args.what.without {
        Some(WithoutArg::External) => format!("{name}-without-external"),
        Some(WithoutArg::Internal) => format!("{name}-without-internal"),
        None => name.to_owned(),
    };
    record::write(&args.record, &name, &rows, out)
}

fn table_row(label: &str, measured: &SystemMeasurement) -> Vec<String> {
    let percent = |value: f64| format!("{:.1}", 100.0 * value);
    let mut row = vec![label.to_owned()];
    let mean = &measured.mean;
    row.extend([
        percent(mean.list_exact.f1),
        percent(mean.list_overlap.f1),
        percent(measured.robust_exact),
        percent(measured.robust_overlap),
        percent(mean.set_exact.f1),
        percent(mean.set_overlap.f1),
        percent(mean.list_exact.precision),
        percent(mean.list_exact.recall),
        percent(measured.map),
        percent(measured.gold_seen),
        percent(measured.text_shown),
        format!("{:.1}", measured.latency.at(0.5)),
        format!("{:.1}", measured.latency.at(0.99)),
        format!("{:.0}", measured.preparation.at(0.5)),
    ]);
    row
}

fn record_rows(set: &str, label: &str, measured: &SystemMeasurement) -> Vec<Row> {
    let row = |metric: &str, value: f64, unit| Row::new(set, label, metric, value, unit);
    let mut rows = Vec::new();
    for (name, prf) in [
        ("List EM", measured.mean.list_exact),
        ("List Overlap", measured.mean.list_overlap),
        ("Set EM", measured.mean.set_exact),
        ("Set Overlap", measured.mean.set_overlap),
    ] {
        rows.push(row(&format!("{name} F1"), prf.f1, "share"));
        rows.push(row(&format!("{name} precision"), prf.precision, "share"));
        rows.push(row(&format!("{name} recall"), prf.recall, "share"));
    }
    rows.extend([
        row("(R) List EM F1", measured.robust_exact, "share"),
        row("(R) List Overlap F1", measured.robust_overlap, "share"),
        row("MAP@IoU0.5", measured.map, "share"),
        row("(R) MAP@IoU0.5", measured.robust_map, "share"),
        row("gold mentions shown", measured.gold_seen, "share"),
        row("text shown", measured.text_shown, "share"),
        row("query p50", measured.latency.at(0.5), "ms"),
        row("query p99", measured.latency.at(0.99), "ms"),
        row("preparation p50", measured.preparation.at(0.5), "ms"),
        row("preparation per 2000 characters", measured.preparation_per_page, "ms"),
    ]);
    rows
}
