//! Markdown to text: the words without the marks, blocks on their own lines, each piece with its place in the source.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::builder::TextBuilder;
use super::html;
use super::limits::Limits;
use crate::error::DocumentError;

/// Reads `markdown` into the builder.
pub(crate) fn read(markdown: &str, builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut title: Option<String> = None;
    let mut in_first_heading = false;
    let mut in_html = false;
    for (event, source) in Parser::new_ext(markdown, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level: pulldown_cmark::HeadingLevel::H1, .. }) => {
                builder.end_block(2);
                in_first_heading = title.is_none();
            }
            Event::End(TagEnd::Heading(_)) => {
                builder.end_block(2);
                in_first_heading = false;
            }
            // A block of HTML is read as HTML, in one go, because its elements reach over lines.
            Event::Start(Tag::HtmlBlock) => {
                builder.end_block(2);
                html::read(markdown.get(source.clone()).unwrap_or(""), source.start, builder, limits)?;
                builder.end_block(2);
                in_html = true;
            }
            Event::End(TagEnd::HtmlBlock) => in_html = false,
            _ if in_html => {}
            Event::Start(tag) => start(&tag, builder),
            Event::End(tag) => end(&tag, builder),
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                if in_first_heading {
                    title.get_or_insert_default().push_str(&text);
                }
                piece(markdown, &text, source, builder);
            }
            Event::FootnoteReference(label) => builder.push_replaced(&format!("[{label}]"), source),
            Event::SoftBreak | Event::HardBreak => builder.line_break(source),
            Event::Rule => builder.end_block(2),
            Event::Html(_) | Event::InlineHtml(_) | Event::TaskListMarker(_) => {}
        }
        builder.check(limits)?;
    }
    builder.title = builder.title.take().or(title);
    Ok(())
}

fn start(tag: &Tag<'_>, builder: &mut TextBuilder) {
    match tag {
        Tag::Paragraph
        | Tag::BlockQuote(_)
        | Tag::CodeBlock(_)
        | Tag::Heading { .. }
        | Tag::Table(_)
        | Tag::FootnoteDefinition(_)
        | Tag::MetadataBlock(_) => builder.end_block(2),
        Tag::List(_) | Tag::Item | Tag::TableRow | Tag::TableHead => builder.end_block(1),
        _ => {}
    }
}

fn end(tag: &TagEnd, builder: &mut TextBuilder) {
    match tag {
        TagEnd::Paragraph
        | TagEnd::BlockQuote(_)
        | TagEnd::CodeBlock
        | TagEnd::Table
        | TagEnd::FootnoteDefinition
        | TagEnd::MetadataBlock(_)
        | TagEnd::List(_) => builder.end_block(2),
        TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead => builder.end_block(1),
        TagEnd::TableCell => builder.end_cell(),
        _ => {}
    }
}

/// Writes text that stands in the source as it is, within marks (a code span's backticks), or spelled differently
/// (an entity, an escape).
fn piece(markdown: &str, text: &str, source: Range<usize>, builder: &mut TextBuilder) {
    let raw = markdown.get(source.clone()).unwrap_or("");
    let marks = raw.len() - raw.trim_start_matches(['`', '$']).len();
    match raw.get(marks..marks + text.len()) {
        Some(inside) if inside == text && (marks > 0 || raw.len() == text.len()) => {
            builder.push_verbatim(text, source.start + marks);
        }
        _ => builder.push_replaced(text, source),
    }
}
