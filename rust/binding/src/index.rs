//! Rows of keys in blocks of bytes, and queries of these blocks.

use neardup_core::index::key_blocks::{self, Probe, Row};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::support::arrays::{Array, array, optional, slice};
use crate::support::pools;

/// Up to this many blocks are read faster by the calling thread.
const FEW: usize = 128;

type Column<'py> = PyReadonlyArray1<'py, i64>;
/// The bytes of blocks, the offset of each, and the key and the point of the first row of each.
type Packed<'py> = (Array<'py, u8>, Array<'py, i64>, Array<'py, i64>, Array<'py, i64>);

fn broken() -> PyErr {
    PyValueError::new_err("these bytes are not blocks of keys")
}

fn packed<'py>(py: Python<'py>, made: Option<key_blocks::Blocks>) -> PyResult<Packed<'py>> {
    let made = made.ok_or_else(|| PyValueError::new_err("the number of a node is out of range"))?;
    Ok((array(py, made.bytes), array(py, made.offsets), array(py, made.keys), array(py, made.points)))
}

/// Pack rows, given as columns: key, point, node, size; they are sorted if necessary.
#[pyfunction]
pub fn pack_keys<'py>(
    py: Python<'py>,
    keys: Column<'py>,
    points: Column<'py>,
    nodes: Column<'py>,
    sizes: Column<'py>,
) -> PyResult<Packed<'py>> {
    let (keys, points) = (slice(&keys, "keys")?, slice(&points, "points")?);
    let (nodes, sizes) = (slice(&nodes, "nodes")?, slice(&sizes, "sizes")?);
    if [points.len(), nodes.len(), sizes.len()] != [keys.len(); 3] {
        return Err(PyValueError::new_err("keys, points, nodes and sizes must have the same length"));
    }
    let made = py.detach(|| {
        let rows = 0..keys.len();
        let mut rows: Vec<Row> = rows.map(|index| [keys[index], points[index], nodes[index], sizes[index]]).collect();
        rows.sort();
        key_blocks::pack(&rows)
    });
    packed(py, made)
}

/// Pack the rows of several blocks again, from one key and point up to before another; also return the number of rows.
#[pyfunction]
#[pyo3(signature = (bytes, offsets, start=None, end=None))]
pub fn merge_keys<'py>(
    py: Python<'py>,
    bytes: PyReadonlyArray1<'py, u8>,
    offsets: Column<'py>,
    start: Option<(i64, i64)>,
    end: Option<(i64, i64)>,
) -> PyResult<(Packed<'py>, usize)> {
    let (bytes, offsets) = (slice(&bytes, "bytes")?, slice(&offsets, "offsets")?);
    let merged =
        py.detach(|| key_blocks::merge(bytes, offsets, start, end).map(|rows| (rows.len(), key_blocks::pack(&rows))));
    let (count, made) = merged.ok_or_else(broken)?;
    Ok((packed(py, made)?, count))
}

/// Return the rows of several blocks as columns: key, point, node, size.
#[pyfunction]
pub fn unpack_keys<'py>(
    py: Python<'py>,
    bytes: PyReadonlyArray1<'py, u8>,
    offsets: Column<'py>,
) -> PyResult<[Array<'py, i64>; 4]> {
    let (bytes, offsets) = (slice(&bytes, "bytes")?, slice(&offsets, "offsets")?);
    let rows = py.detach(|| key_blocks::merge(bytes, offsets, None, None)).ok_or_else(broken)?;
    Ok([0, 1, 2, 3].map(|column| array(py, rows.iter().map(|row| row[column]).collect())))
}

/// Remove rows, given as columns, from blocks; return the new blocks, the offset of each, and the number of rows
/// removed.
#[pyfunction]
pub fn remove_keys<'py>(
    py: Python<'py>,
    bytes: PyReadonlyArray1<'py, u8>,
    offsets: Column<'py>,
    keys: Column<'py>,
    points: Column<'py>,
    nodes: Column<'py>,
) -> PyResult<(Array<'py, u8>, Array<'py, i64>, usize)> {
    let (bytes, offsets) = (slice(&bytes, "bytes")?, slice(&offsets, "offsets")?);
    let (keys, points, nodes) = (slice(&keys, "keys")?, slice(&points, "points")?, slice(&nodes, "nodes")?);
    if keys.len() != points.len() || keys.len() != nodes.len() {
        return Err(PyValueError::new_err("keys, points and nodes must have the same length"));
    }
    let removed = py.detach(|| {
        let mut gone: Vec<[i64; 3]> = (0..keys.len()).map(|index| [keys[index], points[index], nodes[index]]).collect();
        gone.sort_unstable();
        key_blocks::remove(bytes, offsets, &gone)
    });
    let (bytes, offsets, count) = removed.ok_or_else(broken)?;
    Ok((array(py, bytes), array(py, offsets), count))
}

/// Return the pairs of askers and nodes that met often enough, in ascending order.
///
/// An element of `asked` is the number of an asker, below `askers`, or -1 minus that number if one meeting is enough;
/// `needed` is the number of meetings that each asker needs.
#[pyfunction]
#[pyo3(signature = (asked, nodes, askers, needed=None))]
pub fn tally_meetings<'py>(
    py: Python<'py>,
    asked: Column<'py>,
    nodes: Column<'py>,
    askers: usize,
    needed: Option<PyReadonlyArray1<'py, u32>>,
) -> PyResult<(Array<'py, i64>, Array<'py, i64>)> {
    let needed = optional(needed.as_ref(), askers, "needed")?;
    let (asked, nodes) = (slice(&asked, "asked")?, slice(&nodes, "nodes")?);
    if asked.len() != nodes.len() {
        return Err(PyValueError::new_err("asked and nodes must have the same length"));
    }
    let found = py.detach(|| key_blocks::tally(asked, nodes, &needed, askers));
    let (asked, nodes) = found.ok_or_else(|| PyValueError::new_err(format!("an asker is not below {askers}")))?;
    Ok((array(py, asked), array(py, nodes)))
}

/// Queries of blocks of keys.
#[pyclass(frozen)]
pub struct KeyProbes {
    probes: Vec<Probe>,
}

#[pymethods]
impl KeyProbes {
    /// Create queries from columns: the asker, the key, and the ranges of point and size.
    #[staticmethod]
    fn from_arrays(
        py: Python<'_>,
        asked: Column<'_>,
        keys: Column<'_>,
        earliest: Column<'_>,
        latest: Column<'_>,
        smallest: Column<'_>,
        largest: Column<'_>,
    ) -> PyResult<Self> {
        let (asked, keys) = (slice(&asked, "asked")?, slice(&keys, "keys")?);
        let (earliest, latest) = (slice(&earliest, "earliest")?, slice(&latest, "latest")?);
        let (smallest, largest) = (slice(&smallest, "smallest")?, slice(&largest, "largest")?);
        if [asked.len(), earliest.len(), latest.len(), smallest.len(), largest.len()] != [keys.len(); 5] {
            return Err(PyValueError::new_err("the columns of queries must have the same length"));
        }
        let probe = |index: usize| Probe {
            key: keys[index],
            earliest: earliest[index],
            latest: latest[index],
            smallest: smallest[index],
            largest: largest[index],
            asked: asked[index],
        };
        let probes = py.detach(|| {
            let mut probes: Vec<Probe> = (0..keys.len()).map(probe).collect();
            probes.sort_by_key(|probe| probe.key);
            probes
        });
        Ok(Self { probes })
    }

    fn __len__(&self) -> usize {
        self.probes.len()
    }

    /// Return the indices of the blocks of a segment that these queries have to read, by the first key and point of
    /// each block.
    ///
    /// The rows of the segment are from `earliest` to `latest`, others at `unplaced`.
    #[pyo3(signature = (keys, points, earliest, latest, unplaced=None))]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        keys: Column<'py>,
        points: Column<'py>,
        earliest: i64,
        latest: i64,
        unplaced: Option<i64>,
    ) -> PyResult<Array<'py, u32>> {
        let (keys, points) = (slice(&keys, "keys")?, slice(&points, "points")?);
        if keys.len() != points.len() {
            return Err(PyValueError::new_err("keys and points must have the same length"));
        }
        let chosen = py.detach(|| key_blocks::choose(&self.probes, keys, points, (earliest, latest), unplaced));
        Ok(array(py, chosen))
    }

    /// Return the nodes that the queries match in blocks, with the askers, once for each row.
    fn meet<'py>(
        &self,
        py: Python<'py>,
        bytes: PyReadonlyArray1<'py, u8>,
        offsets: Column<'py>,
    ) -> PyResult<(Array<'py, i64>, Array<'py, i64>)> {
        let (bytes, offsets) = (slice(&bytes, "bytes")?, slice(&offsets, "offsets")?);
        let threads = usize::from(offsets.len() <= FEW);
        let found = pools::run(py, threads, || key_blocks::meet(bytes, offsets, &self.probes))?;
        let (asked, nodes) = found.ok_or_else(broken)?;
        Ok((array(py, asked), array(py, nodes)))
    }
}
