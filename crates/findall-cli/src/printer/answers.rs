//! Answers for people: the answer, how sure it is and where it stands, then its sentence with the answer in it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use findall::Span;
use findall::ask::{Evidence, FoundAnswer, Outcome, Place};
use findall::document::Document;
use findall_service::ask::{AnswerOrigin, InquiryOutcome};

use super::standard::push_painted;
use super::terminal::{excerpt, push};
use crate::config::color::Palette;

/// Where an answer came from, for people.
fn origin_words(origin: AnswerOrigin) -> &'static str {
    match origin {
        AnswerOrigin::Reader => "read now",
        AnswerOrigin::Remembered => "remembered",
        AnswerOrigin::OtherWords => "remembered from other words",
        AnswerOrigin::Person => "corrected by a person",
        AnswerOrigin::Larger => "from the larger model",
    }
}

/// What asking gave, ready to be written.
pub struct AskReport<'r> {
    /// The answers, and where they came from.
    pub answered: &'r InquiryOutcome,
    /// What was asked, in the order of the answers' document numbers.
    pub documents: &'r [Document],
    /// Their names.
    pub paths: &'r [PathBuf],
    /// How long it took.
    pub elapsed: Duration,
    /// When the first answer was known.
    pub first_answer: Option<Duration>,
    /// Files that could not be read.
    pub failed: u64,
    /// Files that were left out.
    pub left_out: u64,
}

/// How answers are written.
pub struct AnswerPrinter {
    /// Colours.
    pub palette: Palette,
    /// For a person at a terminal.
    pub pretty: bool,
    /// Show the sentences nearest to the question, whatever the outcome.
    pub evidence: bool,
}

impl AnswerPrinter {
    /// All that goes to standard output.
    pub fn print(&self, report: &AskReport<'_>) -> Vec<u8> {
        let mut out = Vec::new();
        for (answer, origin) in report.answered.answers_with_origins() {
            self.push_answer(report, answer, origin, &mut out);
        }
        let decides = matches!(report.answered.answers.outcome, Outcome::YesOrNo)
            || (report.answered.answers.outcome == Outcome::Counted
                && report.answered.answers.answers.is_empty());
        if self.evidence || decides {
            for evidence in &report.answered.answers.evidence {
                self.push_evidence(report, evidence, &mut out);
            }
        }
        if self.pretty && !report.answered.answers.answers.is_empty() {
            let asked_as =
                report.answered.asked_as.as_ref().map(|asked| format!(" (\"{asked}\")")).unwrap_or_default();
            let took = format!(
                "{}{asked_as}, {} ms",
                origin_words(report.answered.source),
                report.elapsed.as_millis()
            );
            push_painted(&mut out, self.palette.dim, &took, true);
            out.push(b'\n');
        }
        out
    }

    fn push_answer(
        &self,
        report: &AskReport<'_>,
        answer: &FoundAnswer,
        origin: AnswerOrigin,
        out: &mut Vec<u8>,
    ) {
        let words = words_of(report.documents, answer.place);
        if report.answered.answers.outcome == Outcome::Guessed {
            push_painted(out, self.palette.dim, "perhaps ", false);
        }
        push_painted(out, self.palette.meaning, &words, self.pretty);
        let _ = write!(out, "  {:.2}  ", answer.confidence);
        self.push_place(report, answer.place, out);
        let also: Vec<String> =
            answer.also.iter().filter_map(|&place| Some(line_of(report, place)?.to_string())).collect();
        if !also.is_empty() && answer.also.iter().all(|place| place.document == answer.place.document) {
            push_painted(out, self.palette.dim, &format!("  also line {}", also.join(", ")), self.pretty);
        } else if !also.is_empty() {
            push_painted(out, self.palette.dim, &format!("  and {} more places", also.len()), self.pretty);
        }
        if origin != AnswerOrigin::Reader {
            push_painted(out, self.palette.dim, &format!("  {}", origin_words(origin)), false);
        }
        out.push(b'\n');
        self.push_sentence(
            report,
            Place { span: answer.sentence, ..answer.place },
            Some(answer.place.span),
            out,
        );
    }

    fn push_evidence(&self, report: &AskReport<'_>, evidence: &Evidence, out: &mut Vec<u8>) {
        self.push_place(report, evidence.place, out);
        out.push(b'\n');
        self.push_sentence(report, evidence.place, None, out);
    }

    fn push_place(&self, report: &AskReport<'_>, place: Place, out: &mut Vec<u8>) {
        let path = report.paths.get(place.document).map_or(Path::new(""), PathBuf::as_path);
        push_painted(out, self.palette.path, &path.display().to_string(), self.pretty);
        if let Some(line) = line_of(report, place) {
            out.push(b':');
            push_painted(out, self.palette.line, &line.to_string(), false);
        }
    }

    /// The sentence on one line, cut where it is long, the answer highlighted.
    fn push_sentence(
        &self,
        report: &AskReport<'_>,
        sentence: Place,
        answer: Option<Span>,
        out: &mut Vec<u8>,
    ) {
        let text = report.documents[sentence.document].text();
        out.extend_from_slice(b"  ");
        let pieces = match self.pretty {
            true => excerpt(text, sentence.span, answer.into_iter()),
            false => vec![sentence.span],
        };
        for (number, piece) in pieces.iter().enumerate() {
            if number > 0 || piece.start > sentence.span.start {
                push_painted(out, self.palette.dim, "… ", false);
            }
            let inside = answer.filter(|answer| answer.start >= piece.start && answer.end <= piece.end);
            let Span { start, end } = inside.unwrap_or(Span::new(piece.end, piece.end));
            push(out, &one_line(&text[piece.start..start]), self.pretty);
            push_painted(out, self.palette.meaning, &one_line(&text[start..end]), self.pretty);
            push(out, &one_line(&text[end..piece.end]), self.pretty);
        }
        if pieces.last().is_some_and(|piece| piece.end < sentence.span.end) {
            push_painted(out, self.palette.dim, " …", false);
        }
        out.push(b'\n');
    }
}

fn line_of(report: &AskReport<'_>, place: Place) -> Option<usize> {
    let positions = report.documents.get(place.document)?.positions();
    Some(positions.line_column(place.span.start)?.line)
}

fn words_of(documents: &[Document], place: Place) -> String {
    let words = place.span.slice(documents[place.document].text()).unwrap_or_default();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Line breaks become spaces; other spaces stay.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
