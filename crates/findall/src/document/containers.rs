//! Documents inside of gzip files and zip archives: each is unpacked under the limits, recognised and read like a file of
//! its own; in an archive its path is its place. What is no document is passed over, and what cannot be read is left out
//! unless nothing else is there.

use std::io::Read;
use std::path::Path;

use flate2::bufread::{GzDecoder, MultiGzDecoder};

use super::archive::Archive;
use super::builder::TextBuilder;
use super::decode::ByteMap;
use super::format::Format;
use super::limits::Limits;
use super::places::PlaceMark;
use crate::error::DocumentError;

/// Containers within containers are followed this deep: a gzip in a zip, and no more.
const MAX_CONTAINER_DEPTH: usize = 2;
/// Files below this may pack as well as they like.
const MIN_SUSPECT_BYTES: u64 = 1024 * 1024;

/// Reads what a gzip file holds; gives its format.
pub(super) fn read_gzip(
    bytes: &[u8],
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<Format, DocumentError> {
    read_gzip_at(bytes, builder, limits, 0)
}

fn read_gzip_at(
    bytes: &[u8],
    builder: &mut TextBuilder,
    limits: &Limits,
    depth: usize,
) -> Result<Format, DocumentError> {
    let damaged =
        |error: std::io::Error| DocumentError::Damaged { format: Format::Gzip, detail: error.to_string() };
    let name = GzDecoder::new(bytes)
        .header()
        .and_then(|header| header.filename().map(|name| String::from_utf8_lossy(name).into_owned()));
    let most = (bytes.len() as u64).saturating_mul(limits.archive_ratio).max(MIN_SUSPECT_BYTES);
    let most = most.min(limits.archive_bytes);
    let mut unpacked = Vec::new();
    MultiGzDecoder::new(bytes).take(most + 1).read_to_end(&mut unpacked).map_err(damaged)?;
    if unpacked.len() as u64 > most {
        return Err(DocumentError::ZipBomb { detail: format!("unpacks to over {most} bytes") });
    }
    // The name inside tells more than the name of the file, which ends in .gz.
    let format = Format::guess(&unpacked, name.as_deref().map(Path::new))?;
    read_inner(unpacked, format, builder, limits, depth + 1)
}

fn read_inner(
    bytes: Vec<u8>,
    format: Format,
    builder: &mut TextBuilder,
    limits: &Limits,
    depth: usize,
) -> Result<Format, DocumentError> {
    match format {
        Format::Gzip | Format::Zip if depth >= MAX_CONTAINER_DEPTH => {
            let detail = format!("archives within archives, over {MAX_CONTAINER_DEPTH} deep");
            Err(DocumentError::ZipBomb { detail })
        }
        Format::Gzip => read_gzip_at(&bytes, builder, limits, depth),
        Format::Zip => read_zip_at(&bytes, builder, limits, depth).map(|()| Format::Zip),
        format => super::read_into(bytes, format, builder, limits),
    }
}

/// Reads the documents of a zip archive, in the order of their paths.
pub(super) fn read_zip(
    bytes: &[u8],
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    read_zip_at(bytes, builder, limits, 0)
}

fn read_zip_at(
    bytes: &[u8],
    builder: &mut TextBuilder,
    limits: &Limits,
    depth: usize,
) -> Result<(), DocumentError> {
    let mut archive = Archive::open(bytes, Format::Zip, limits)?;
    let outer = builder.part_prefix.clone();
    let mut first_error = None;
    let mut read = 0;
    for path in archive.paths() {
        let unpacked = match archive.read(&path) {
            Ok(Some(unpacked)) => unpacked,
            Ok(None) => continue,
            Err(error @ (DocumentError::ZipBomb { .. } | DocumentError::TooLarge { .. })) => {
                return Err(error);
            }
            Err(error) => {
                first_error.get_or_insert(error);
                continue;
            }
        };
        let format = match Format::guess(&unpacked, Some(Path::new(&path))) {
            Ok(format) => format,
            Err(DocumentError::Binary) => continue,
            Err(error) => {
                first_error.get_or_insert(error);
                continue;
            }
        };
        builder.end_block(2);
        builder.part_prefix = if outer.is_empty() { path.clone() } else { format!("{outer}/{path}") };
        // A format that makes no parts of its own belongs to the file all the same.
        builder.start_part(None, ByteMap::Same { skipped: 0 });
        let place = builder.add_place_name(&builder.part_prefix.clone());
        builder.start_place(PlaceMark::Member(place));
        match read_inner(unpacked, format, builder, limits, depth + 1) {
            Ok(_) => read += 1,
            Err(error @ DocumentError::TooLarge { .. }) => return Err(error),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
        builder.part_prefix.clone_from(&outer);
    }
    match first_error {
        Some(error) if read == 0 => Err(error),
        _ if read == 0 => Err(DocumentError::Binary),
        _ => Ok(()),
    }
}
