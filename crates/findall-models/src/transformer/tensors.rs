//! The tensors that a graph names: their shapes from the graph, their bytes from the files beside it.
//!
//! Everything here comes from files that may be damaged or made to harm: a shape that does not fit its bytes, or bytes
//! beyond the end of a file, are refused.

use std::collections::HashMap;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;
use rten_onnx::onnx::{DataLocation, DataType, TensorProto};

use crate::folder::Files;

/// What is wrong with a graph, in words.
pub(super) type Reason = String;

/// Bytes of one file: mapped, or in memory.
enum FileBytes {
    Map(Arc<Mmap>),
    Buffer(Vec<u8>),
}

/// The files beside a graph.
pub(super) struct WeightFiles(HashMap<String, FileBytes>);

impl WeightFiles {
    /// Files that are in memory.
    pub fn held(files: Files) -> Self {
        Self(files.into_iter().map(|(name, bytes)| (name, FileBytes::Buffer(bytes))).collect())
    }

    /// The files of a folder, mapped.
    pub fn mapped<'n>(folder: &Path, names: impl Iterator<Item = &'n str>) -> std::io::Result<Self> {
        let map =
            |name: &'n str| Ok((name.to_owned(), FileBytes::Map(Arc::new(map_file(&folder.join(name))?))));
        names.map(map).collect::<std::io::Result<_>>().map(Self)
    }

    fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(|file| match file {
            FileBytes::Map(map) => &map[..],
            FileBytes::Buffer(bytes) => bytes,
        })
    }

    /// A part of a file that outlives the files: it stays mapped, or is copied out of memory.
    fn share(&self, name: &str, range: Range<usize>) -> Option<SharedBytes> {
        Some(match self.0.get(name)? {
            FileBytes::Map(map) => SharedBytes::Map(map.clone(), range),
            FileBytes::Buffer(bytes) => SharedBytes::Buffer(bytes.get(range)?.to_vec()),
        })
    }
}

/// A part of a file for as long as it is needed.
pub(super) enum SharedBytes {
    Map(Arc<Mmap>, Range<usize>),
    Buffer(Vec<u8>),
}

impl Deref for SharedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Map(map, range) => &map[range.clone()],
            Self::Buffer(bytes) => bytes,
        }
    }
}

fn map_file(path: &Path) -> std::io::Result<Mmap> {
    let file = std::fs::File::open(path)?;
    #[expect(
        unsafe_code,
        reason = "the weights are mapped read-only; replacing the file in place while it is in use is the one misuse, \
                  and installing a model writes a new file"
    )]
    unsafe {
        Mmap::map(&file)
    }
}

/// The tensors of a graph by their names.
pub(super) struct Tensors<'g> {
    protos: HashMap<&'g str, &'g TensorProto>,
    files: &'g WeightFiles,
}

/// A matrix of signed bytes as it lies in a file.
pub(super) struct ByteMatrix<'g> {
    pub rows: usize,
    pub columns: usize,
    pub bytes: &'g [u8],
    file: &'g str,
    range: Range<usize>,
}

impl<'g> Tensors<'g> {
    pub fn new(protos: &'g [TensorProto], files: &'g WeightFiles) -> Self {
        let named = protos.iter().filter_map(|proto| Some((proto.name.as_deref()?, proto)));
        Self { protos: named.collect(), files }
    }

    /// Whether the graph has a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.protos.contains_key(name)
    }

    /// Floats in the shape that they must have; `None` stands for any length.
    pub fn floats(&self, name: &str, shape: &[Option<usize>]) -> Result<(Vec<usize>, Vec<f32>), Reason> {
        let proto = self.find(name, DataType::FLOAT)?;
        if !proto.float_data.is_empty() {
            let dims = shape_of(name, proto)?;
            expect_shape(name, &dims, shape)?;
            return match proto.float_data.len() == dims.iter().product::<usize>() {
                true => Ok((dims, proto.float_data.clone())),
                false => Err(format!("{name} has other numbers than its shape says")),
            };
        }
        let (dims, bytes) = self.raw(name, proto, 4)?;
        expect_shape(name, &dims, shape)?;
        let floats = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        Ok((dims, floats))
    }

    /// A vector of floats of this length.
    pub fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, Reason> {
        Ok(self.floats(name, &[Some(length)])?.1)
    }

    /// A single float.
    pub fn scalar(&self, name: &str) -> Result<f32, Reason> {
        Ok(self.floats(name, &[])?.1[0])
    }

    /// A single byte.
    pub fn byte(&self, name: &str) -> Result<u8, Reason> {
        let proto = self.find(name, DataType::UINT8)?;
        match proto.int32_data.first() {
            Some(&value) => u8::try_from(value).map_err(|_| format!("{name} is no byte")),
            None => Ok(self.raw(name, proto, 1)?.1[0]),
        }
    }

    /// Whole numbers, few of them.
    pub fn integers(&self, name: &str) -> Result<Vec<i64>, Reason> {
        let proto = self.find(name, DataType::INT64)?;
        if !proto.int64_data.is_empty() {
            return Ok(proto.int64_data.clone());
        }
        let (_, bytes) = self.raw(name, proto, 8)?;
        Ok(bytes
            .chunks_exact(8)
            .map(|b| i64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
            .collect())
    }

    /// A matrix of signed bytes.
    pub fn byte_matrix(&self, name: &str) -> Result<ByteMatrix<'g>, Reason> {
        let proto = self.find(name, DataType::INT8)?;
        let dims = shape_of(name, proto)?;
        expect_shape(name, &dims, &[None, None])?;
        let (file, range) = place_of(name, proto, &dims, 1)?;
        let bytes = self.bytes(name, file, range.clone())?;
        Ok(ByteMatrix { rows: dims[0], columns: dims[1], bytes, file, range })
    }

    /// The same bytes for as long as they are needed.
    pub fn share(&self, matrix: &ByteMatrix<'g>) -> Option<SharedBytes> {
        self.files.share(matrix.file, matrix.range.clone())
    }

    fn find(&self, name: &str, kind: DataType) -> Result<&'g TensorProto, Reason> {
        let proto = self.protos.get(name).ok_or_else(|| format!("{name} is no tensor of the graph"))?;
        match proto.data_type {
            Some(found) if found == kind => Ok(proto),
            _ => Err(format!("{name} is not of type {kind}")),
        }
    }

    /// The bytes of a tensor, wherever they are, as many as its shape says.
    fn raw(&self, name: &str, proto: &'g TensorProto, width: usize) -> Result<(Vec<usize>, Vec<u8>), Reason> {
        let dims = shape_of(name, proto)?;
        if proto.data_location == Some(DataLocation::EXTERNAL) {
            let (file, range) = place_of(name, proto, &dims, width)?;
            return Ok((dims, self.bytes(name, file, range)?.to_vec()));
        }
        let bytes = proto.raw_data.as_ref().map_or_else(Vec::new, |raw| raw.borrow().clone());
        match Some(bytes.len()) == byte_length(&dims, width) {
            true => Ok((dims, bytes)),
            false => Err(format!("{name} has other bytes than its shape says")),
        }
    }

    fn bytes(&self, name: &str, file: &str, range: Range<usize>) -> Result<&'g [u8], Reason> {
        let bytes =
            self.files.bytes(file).ok_or_else(|| format!("{name} lies in {file}, which is not there"))?;
        bytes.get(range).ok_or_else(|| format!("{name} goes on beyond the end of {file}"))
    }
}

/// The file that a tensor lies in, and where in it.
fn place_of<'g>(
    name: &str,
    proto: &'g TensorProto,
    dims: &[usize],
    width: usize,
) -> Result<(&'g str, Range<usize>), Reason> {
    let entry = |key: &str| {
        let entries = proto.external_data.iter().filter(|entry| entry.key.as_deref() == Some(key));
        entries.filter_map(|entry| entry.value.as_deref()).next()
    };
    let number = |key: &str| entry(key).and_then(|value| value.parse::<usize>().ok());
    let length = byte_length(dims, width).ok_or_else(|| format!("{name} is too large"))?;
    if number("length").is_some_and(|said| said != length) {
        return Err(format!("{name} has other bytes than its shape says"));
    }
    let file = entry("location").ok_or_else(|| format!("{name} names no file"))?;
    let start = number("offset").unwrap_or(0);
    let end = start.checked_add(length).ok_or_else(|| format!("{name} is too large"))?;
    Ok((file, start..end))
}

fn shape_of(name: &str, proto: &TensorProto) -> Result<Vec<usize>, Reason> {
    let dims = proto.dims.iter().map(|&dim| usize::try_from(dim).ok().filter(|&dim| dim > 0));
    dims.collect::<Option<_>>().ok_or_else(|| format!("{name} has an empty side"))
}

fn byte_length(dims: &[usize], width: usize) -> Option<usize> {
    dims.iter().try_fold(width, |bytes, &dim| bytes.checked_mul(dim))
}

fn expect_shape(name: &str, found: &[usize], wanted: &[Option<usize>]) -> Result<(), Reason> {
    let fits = found.len() == wanted.len()
        && found.iter().zip(wanted).all(|(&found, wanted)| wanted.is_none_or(|wanted| wanted == found));
    if fits { Ok(()) } else { Err(format!("{name} has the shape {found:?}")) }
}
