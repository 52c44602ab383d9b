//! Arguments: boxes, points and integers of arrays.

use crate::kept::room;
use crate::{environment, result};
use broadphase::glam::{DVec3, DVec4};
use broadphase::{Aabb, Layer};
use bytemuck::Pod;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Numbers of an argument, of shape (n, columns). The array is contiguous.
enum Numbers<'py> {
    Single(PyReadonlyArray2<'py, f32>),
    Double(PyReadonlyArray2<'py, f64>),
}

impl<'py> Numbers<'py> {
    fn read(
        argument: &Bound<'py, PyAny>,
        name: &str,
        width: usize,
        columns: &str,
    ) -> PyResult<Self> {
        let array = unmasked_array(argument, name, &format!("(n, {width})"))?;
        if array.ndim() != 2 || array.shape()[1] != width {
            let found = argument.getattr("shape")?;
            let text = format!("{name}: expected shape (n, {width}), {columns}, found {found}");
            return Err(PyValueError::new_err(text));
        }
        let rows = array.shape()[0];
        if u32::try_from(rows).is_err() {
            let text = format!("{name}: expected at most {} rows, found {rows}", u32::MAX);
            return Err(PyValueError::new_err(text));
        }
        let in_order = array.is_c_contiguous() && array.is_aligned();
        // NumPy copies in C order, and raises MemoryError.
        let array =
            if in_order { argument.clone() } else { argument.call_method1("copy", ("C",))? };
        if let Ok(array) = array.cast::<PyArray2<f32>>() {
            return Ok(Self::Single(array.try_readonly()?));
        }
        if let Ok(array) = array.cast::<PyArray2<f64>>() {
            return Ok(Self::Double(array.try_readonly()?));
        }
        let found = argument.getattr("dtype")?;
        let text = format!(
            "{name}: expected float32 or float64, found {found}: use {name}.astype(numpy.float64)"
        );
        Err(PyTypeError::new_err(text))
    }
}

/// Rows that are converted between two checks for signals: some milliseconds.
const ROWS_PER_CHECK: usize = 1 << 16;

/// A list of converted rows. Raises MemoryError, or what the handler of a signal raises.
fn collect<T>(py: Python<'_>, mut rows: impl ExactSizeIterator<Item = T>) -> PyResult<Vec<T>> {
    let mut list = room(rows.len())?;
    while rows.len() > 0 {
        py.check_signals()?;
        list.extend(rows.by_ref().take(ROWS_PER_CHECK));
    }
    Ok(list)
}

/// An argument that has to be an array, without a mask.
fn unmasked_array<'a, 'py>(
    argument: &'a Bound<'py, PyAny>,
    name: &str,
    shape: &str,
) -> PyResult<&'a Bound<'py, PyUntypedArray>> {
    refuse_mask(argument, name)?;
    if let Ok(array) = argument.cast() {
        return Ok(array);
    }
    let found = argument.get_type().name()?;
    let text = format!(
        "{name}: expected a numpy array of shape {shape}, float32 or float64, found {found}: \
         use numpy.asarray({name}, numpy.float64)"
    );
    Err(PyTypeError::new_err(text))
}

/// Refuses a masked array: what its mask hides is in its memory all the same.
fn refuse_mask(argument: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    static MASKED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if argument.is_instance(MASKED.import(argument.py(), "numpy.ma", "MaskedArray")?)? {
        let text = format!(
            "{name}: expected an array without a mask, found MaskedArray: use {name}.filled(value)"
        );
        return Err(PyTypeError::new_err(text));
    }
    Ok(())
}

/// The boxes of an argument: `f32` as they are, `f64` rounded outwards.
pub(crate) struct Boxes<'py> {
    rows: Rows<'py>,
    name: &'static str,
}

enum Rows<'py> {
    /// The array's own memory.
    Borrowed(PyReadonlyArray2<'py, f32>),
    Rounded(Vec<Aabb>),
}

/// Boxes that are to be checked, which needs no interpreter.
#[derive(Clone, Copy)]
pub(crate) struct UncheckedBoxes<'a>(&'a [Aabb], &'static str);

impl<'py> Boxes<'py> {
    pub(crate) fn read(argument: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        // Rounding outwards needs it, too.
        environment::check()?;
        let rows = match Numbers::read(argument, name, 6, "min x, y, z, max x, y, z")? {
            Numbers::Single(array) => Rows::Borrowed(array),
            Numbers::Double(array) => {
                let rows = array.as_slice()?.chunks_exact(6).map(rounded_outwards);
                Rows::Rounded(collect(argument.py(), rows)?)
            }
        };
        Ok(Self { rows, name })
    }

    /// The number of boxes.
    pub(crate) fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// The boxes, unchecked.
    pub(crate) fn as_slice(&self) -> &[Aabb] {
        match &self.rows {
            Rows::Borrowed(array) => array.as_slice().map_or(&[], bytemuck::cast_slice),
            Rows::Rounded(boxes) => boxes,
        }
    }

    pub(crate) fn share(&self) -> UncheckedBoxes<'_> {
        UncheckedBoxes(self.as_slice(), self.name)
    }

    /// The boxes, if all are finite or empty.
    pub(crate) fn check(&self) -> PyResult<&[Aabb]> {
        self.share().check().map_err(PyValueError::new_err)
    }
}

impl<'a> UncheckedBoxes<'a> {
    /// The number of boxes.
    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    /// The boxes, if all are finite or empty.
    pub(crate) fn check(self) -> Result<&'a [Aabb], String> {
        let Self(boxes, name) = self;
        broadphase::check_boxes(boxes).map_err(|bad| format!("{name}: {bad}"))?;
        Ok(boxes)
    }
}

/// The box around a row. An infinite side of a box that is not empty stays one, to be refused by the check.
fn rounded_outwards(row: &[f64]) -> Aabb {
    let (min, max) = (DVec3::from_slice(row), DVec3::from_slice(&row[3..]));
    let b = Aabb::from_f64(min, max);
    if b.is_empty() || min.is_finite() && max.is_finite() {
        return b;
    }
    Aabb::new(min.as_vec3(), max.as_vec3())
}

/// Rows of `N` numbers, as points or planes.
pub(crate) fn vectors<const N: usize>(
    argument: &Bound<'_, PyAny>,
    name: &str,
    columns: &str,
) -> PyResult<Vec<[f64; N]>> {
    let py = argument.py();
    match Numbers::read(argument, name, N, columns)? {
        Numbers::Single(array) => collect(
            py,
            array
                .as_slice()?
                .chunks_exact(N)
                .map(|row| std::array::from_fn(|column| row[column].into())),
        ),
        Numbers::Double(array) => collect(
            py,
            array.as_slice()?.chunks_exact(N).map(|row| std::array::from_fn(|column| row[column])),
        ),
    }
}

/// Planes of shape (q, p, 4), one after another, and p.
pub(crate) fn planes(argument: &Bound<'_, PyAny>) -> PyResult<(Vec<DVec4>, usize)> {
    let array = unmasked_array(argument, "planes", "(q, p, 4)")?;
    let &[frustums, planes @ 1..=usize::MAX, 4] = array.shape() else {
        let found = argument.getattr("shape")?;
        let text = format!(
            "planes: expected shape (q, p, 4), x, y, z, w of 1 or more planes of each frustum, found {found}"
        );
        return Err(PyValueError::new_err(text));
    };
    let rows = array.call_method1("reshape", ((frustums * planes, 4),))?;
    let rows = vectors::<4>(&rows, "planes", "x, y, z, w")?;
    Ok((rows.into_iter().map(DVec4::from).collect(), planes))
}

/// Refuses an argument that has another number of rows than `of`.
pub(crate) fn check_rows(name: &str, found: usize, of: &str, expected: usize) -> PyResult<()> {
    if found != expected {
        let text = format!("{name}: expected {expected} rows, as of {of}, found {found}");
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

/// A single value. An error names the argument, which PyO3's own do not.
pub(crate) fn scalar<'py, T: FromPyObjectOwned<'py>>(
    argument: &Bound<'py, PyAny>,
    name: &str,
    expected: &str,
    admits: impl Fn(&T) -> bool,
) -> PyResult<T> {
    let py = argument.py();
    match argument.extract::<T>().map_err(Into::<PyErr>::into) {
        Ok(value) if admits(&value) => Ok(value),
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            let found = argument.get_type().name()?;
            Err(PyTypeError::new_err(format!("{name}: expected {expected}, found {found}")))
        }
        Err(error) if !error.is_instance_of::<PyOverflowError>(py) => Err(error),
        _ => Err(PyValueError::new_err(format!("{name}: expected {expected}, found {argument}"))),
    }
}

/// A largest distance or time: infinite without an argument.
pub(crate) fn limit(argument: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<f64> {
    let read = |argument| {
        scalar(argument, name, "None or a number of 0 or more", |number: &f64| *number >= 0.0)
    };
    argument.map_or(Ok(f64::INFINITY), read)
}

/// The number of objects that are nearest to a point.
pub(crate) fn k(argument: &Bound<'_, PyAny>) -> PyResult<usize> {
    scalar(argument, "k", "a whole number of 1 or more", |k| *k > 0)
}

/// An argument as an array of any type, without a mask.
fn array_like<'py>(argument: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    refuse_mask(argument, name)?;
    let py = argument.py();
    py.import("numpy")?.call_method1("asarray", (argument,)).map_err(|error| {
        // Rows of different lengths, for example.
        if error.is_instance_of::<PyValueError>(py) {
            PyValueError::new_err(format!("{name}: expected integers: {}", error.value(py)))
        } else {
            error
        }
    })
}

/// Integers of any type, each row as `T`, which is as many `u32` as a row has: of shape (n,) if that is one.
pub(crate) fn integers<T: Pod>(argument: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<T>> {
    let width = size_of::<T>() / size_of::<u32>();
    let array = array_like(argument, name)?;
    let shape = array.getattr("shape")?;
    let fits = match shape.extract::<Vec<usize>>()?.as_slice() {
        [_] => width == 1,
        [_, columns] => width > 1 && width == *columns,
        _ => false,
    };
    if !fits {
        let expected = if width == 1 { String::from("(n,)") } else { format!("(n, {width})") };
        let text = format!("{name}: expected integers of shape {expected}, found shape {shape}");
        return Err(PyValueError::new_err(text));
    }
    let dtype = array.getattr("dtype")?;
    // An empty list is an array of floats.
    if !"biu".contains(&dtype.getattr("kind")?.extract::<String>()?) && array.len()? > 0 {
        return Err(PyTypeError::new_err(format!("{name}: expected integers, found {dtype}")));
    }
    let numbers = array.call_method1("astype", ("int64", "C"))?.call_method1("reshape", (-1,))?;
    let numbers = numbers.cast_into::<PyArray1<i64>>()?.try_readonly()?;
    let numbers = numbers.as_slice()?;
    if let Some(at) = numbers.iter().position(|number| u32::try_from(*number).is_err()) {
        // The array's own number: the conversion to int64 wraps the largest of uint64.
        let (row, found) = (at / width, array.getattr("flat")?.get_item(at)?);
        let text = format!("{name}[{row}]: expected numbers from 0 to {}, found {found}", u32::MAX);
        return Err(PyValueError::new_err(text));
    }
    let row = |row: &[i64]| {
        let mut numbers = T::zeroed();
        let words = bytemuck::cast_slice_mut::<T, u32>(std::slice::from_mut(&mut numbers));
        words.iter_mut().zip(row).for_each(|(word, number)| *word = *number as u32);
        numbers
    };
    collect(argument.py(), numbers.chunks_exact(width).map(row))
}

/// The layers of `objects` objects; none without an argument.
pub(crate) fn layers(argument: Option<&Bound<'_, PyAny>>, objects: usize) -> PyResult<Vec<Layer>> {
    let Some(argument) = argument else { return Ok(Vec::new()) };
    let rows = integers::<[u32; 3]>(argument, "layers")?;
    if rows.len() != objects {
        let text =
            format!("layers: expected {objects} rows, one for each box, found {}", rows.len());
        return Err(PyValueError::new_err(text));
    }
    let mut layers = room(objects)?;
    for (object, row) in rows.iter().enumerate() {
        let bad = |bad| PyValueError::new_err(format!("layers: object {object}: {bad}"));
        layers.push(layer_of(row).map_err(bad)?);
    }
    Ok(layers)
}

/// The layer of a query; `None` without an argument.
pub(crate) fn layer(argument: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Layer>> {
    let Some(argument) = argument else { return Ok(None) };
    let array = array_like(argument, "layer")?;
    let shape = array.getattr("shape")?;
    if !shape.eq((3,))? {
        let text = format!(
            "layer: expected integers of shape (3,), group, mask and static, found shape {shape}"
        );
        return Err(PyValueError::new_err(text));
    }
    let row = integers(&array, "layer")?;
    let layer = layer_of(&[row[0], row[1], row[2]]);
    layer.map(Some).map_err(|bad| PyValueError::new_err(format!("layer: {bad}")))
}

fn layer_of(&[group, mask, is_static]: &[u32; 3]) -> Result<Layer, String> {
    if group >= u32::from(Layer::GROUPS) || is_static > 1 {
        return Err(format!(
            "expected a group from 0 to 31, a mask, and 0 or 1 for static, found {group}, {mask}, {is_static}"
        ));
    }
    Ok(Layer { mask, group: group as u8, is_static: is_static == 1 })
}

/// Raises TypeError or ValueError, as a search does, if boxes is not of shape (n, 6), has a NaN, or a side is infinite.
#[pyfunction]
pub(crate) fn check_boxes(boxes: &Bound<'_, PyAny>) -> PyResult<()> {
    Boxes::read(boxes, "boxes")?.check().map(|_| ())
}

/// A copy of boxes as float32 of shape (n, 6): the smallest that contain them, up to the largest float. Absent objects have the box (inf, -inf).
/// Raises TypeError or ValueError, as a search does.
#[pyfunction]
pub(crate) fn round_outwards<'py>(
    boxes: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let read = Boxes::read(boxes, "boxes")?;
    let canonical = |b: &Aabb| if b.is_empty() { Aabb::EMPTY } else { *b };
    result::rows(boxes.py(), collect(boxes.py(), read.check()?.iter().map(canonical))?)
}
