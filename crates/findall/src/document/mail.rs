//! Mail to text: the headers that people read, then the body as a mail program shows it, then the names of attachments.
//! mail-parser takes the message apart; a web page saved as MHTML is a message, too. A mailbox is one message after the
//! other, each a place of its own.

use std::collections::BTreeSet;

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::builder::TextBuilder;
use super::decode::ByteMap;
use super::format::Format;
use super::html;
use super::limits::Limits;
use super::places::PlaceMark;
use crate::error::DocumentError;

/// Messages within messages are followed this deep.
const MAX_MESSAGE_DEPTH: usize = 4;
/// Parts read of one message; a message with more is a trap.
const MAX_MESSAGE_PARTS: usize = 10_000;

/// Reads one message into the builder.
pub(super) fn read_message(
    bytes: &[u8],
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    let message = parse(bytes).ok_or_else(|| DocumentError::Damaged {
        format: Format::Mail,
        detail: "it has no headers".to_owned(),
    })?;
    builder.title = message.subject().map(str::to_owned);
    write_message(&message, 0, "", 0, builder, limits)
}

/// Reads a mailbox into the builder.
pub(super) fn read_mailbox(
    bytes: &[u8],
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    let starts = message_starts(bytes);
    for (at, &start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(bytes.len());
        let body = start + memchr::memchr(b'\n', &bytes[start..end]).map_or(end - start, |line| line + 1);
        let number = at as u32 + 1;
        builder.end_block(2);
        builder.start_place(PlaceMark::Message(number));
        if let Some(message) = parse(&bytes[body..end]) {
            write_message(&message, body, &format!("message {number}, "), 0, builder, limits)?;
        }
        builder.check(limits)?;
    }
    Ok(())
}

fn parse(bytes: &[u8]) -> Option<Message<'_>> {
    MessageParser::default().parse(bytes)
}

/// Where messages start: at lines `From …` that stand first or after an empty line.
fn message_starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::new();
    if bytes.starts_with(b"From ") {
        starts.push(0);
    }
    for at in memchr::memmem::find_iter(bytes, b"\nFrom ") {
        let before = bytes[..at].strip_suffix(b"\r").unwrap_or(&bytes[..at]);
        if before.is_empty() || before.ends_with(b"\n") {
            starts.push(at + 1);
        }
    }
    starts
}

fn write_message(
    message: &Message<'_>,
    offset: usize,
    prefix: &str,
    depth: usize,
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    builder.start_part(None, ByteMap::Same { skipped: 0 });
    write_headers(message, offset, builder);
    let bodies: BTreeSet<u32> = message.html_body.iter().copied().take(MAX_MESSAGE_PARTS).collect();
    let attached = message.attachments.iter().copied().take(MAX_MESSAGE_PARTS);
    // In the order of the file, so that the way back to it goes forward.
    let parts: BTreeSet<u32> = attached.chain(bodies.iter().copied()).collect();
    for number in parts {
        let Some(part) = message.part(number) else { continue };
        let name = format!("{prefix}part {number}");
        if bodies.contains(&number) {
            write_body(part, message, offset, &name, builder, limits)?;
        } else {
            write_attachment(part, message, offset, &name, depth, builder, limits)?;
        }
        builder.check(limits)?;
    }
    Ok(())
}

/// The name of an attachment; a message that is attached is read, too.
fn write_attachment(
    part: &MessagePart<'_>,
    message: &Message<'_>,
    offset: usize,
    name: &str,
    depth: usize,
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    builder.end_block(2);
    if let Some(title) = part.attachment_name() {
        builder.start_part(None, ByteMap::Same { skipped: 0 });
        builder
            .push_replaced(title, offset + part.offset_header as usize..offset + part.offset_body as usize);
    }
    builder.end_block(2);
    let inner = match &part.body {
        PartType::Message(inner) if depth < MAX_MESSAGE_DEPTH => inner,
        _ => return Ok(()),
    };
    let prefix = format!("{name}, ");
    // A message that stands in the file as it is counts from the start of the outer one; one that was packed again is a
    // part of its own.
    if std::ptr::eq(inner.raw_message(), message.raw_message()) {
        return write_message(inner, offset, &prefix, depth + 1, builder, limits);
    }
    let outer = builder.part_prefix.clone();
    builder.part_prefix = if outer.is_empty() { name.to_owned() } else { format!("{outer}/{name}") };
    let result = write_message(inner, 0, &prefix, depth + 1, builder, limits);
    builder.part_prefix = outer;
    result
}

fn write_headers(message: &Message<'_>, offset: usize, builder: &mut TextBuilder) {
    for header in message.headers() {
        let source = offset + header.offset_field as usize..offset + header.offset_end as usize;
        let name = header.name.as_str();
        let value = match name.to_ascii_lowercase().as_str() {
            "from" | "to" | "cc" | "bcc" | "reply-to" => header.value.as_address().map(format_address),
            "subject" => header.value.as_text().map(str::to_owned),
            "date" => {
                let raw = header.offset_start as usize..header.offset_end as usize;
                message.raw_message().get(raw).map(|raw| String::from_utf8_lossy(raw).trim().to_owned())
            }
            _ => None,
        };
        let Some(value) = value.filter(|value| !value.is_empty()) else { continue };
        builder.push_replaced(&format!("{name}: {value}"), source);
        builder.end_block(1);
    }
    builder.end_block(2);
}

fn format_address(address: &Address<'_>) -> String {
    let each = address.iter().map(|one| match (one.name(), one.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (name, address) => name.or(address).unwrap_or_default().to_owned(),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// A body that stands in the file as it is read leads back to its bytes there; one that was decoded is a part of its own.
fn write_body(
    part: &MessagePart<'_>,
    message: &Message<'_>,
    offset: usize,
    name: &str,
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    let (text, is_html) = match &part.body {
        PartType::Text(text) => (text.as_ref(), false),
        PartType::Html(html) => (html.as_ref(), true),
        _ => return Ok(()),
    };
    builder.end_block(2);
    let start = part.offset_body as usize;
    let as_it_stands = message.raw_message().get(start..).is_some_and(|raw| raw.starts_with(text.as_bytes()));
    let start = match as_it_stands {
        true => {
            builder.start_part(None, ByteMap::Same { skipped: 0 });
            offset + start
        }
        false => {
            builder.start_part(Some(name.to_owned()), ByteMap::Same { skipped: 0 });
            0
        }
    };
    match is_html {
        true => html::read(text, start, builder, limits),
        false => {
            builder.lines(text, start);
            builder.check(limits)
        }
    }
}
