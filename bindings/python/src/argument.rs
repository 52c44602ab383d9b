//! Arguments: boxes, vectors and integers of arrays, and single values.

use crate::kept::{collect, room};
use crate::{environment, result};
use broadphase::glam::DVec3;
use broadphase::{Aabb, Layer};
use numpy::{
    PyArray2, PyArrayDescr, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArray2,
};
use numpy::{PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::PyTypeInfo;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::fmt::Display;
use std::ops::Deref;

/// An argument of any type.
pub(crate) type Argument<'a, 'py> = &'a Bound<'py, PyAny>;

/// Largest number of boxes: each index is an id.
const MAX_ROWS: usize = u32::MAX as usize;

/// An error that names the argument.
pub(crate) fn expected<E: PyTypeInfo>(
    name: &str,
    expected: impl Display,
    found: impl Display,
) -> PyErr {
    PyErr::new::<E, _>(format!("{name}: expected {expected}, found {found}"))
}

/// Refuses a masked array: what its mask hides is in its memory all the same.
fn refuse_mask(argument: Argument<'_, '_>, name: &str) -> PyResult<()> {
    static MASKED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if argument.is_instance(MASKED.import(argument.py(), "numpy.ma", "MaskedArray")?)? {
        let found = format!("MaskedArray: use {name}.filled(value)");
        return Err(expected::<PyTypeError>(name, "an array without a mask", found));
    }
    Ok(())
}

/// Refuses an array of another shape than `shape` describes.
fn check_shape(
    array: &Bound<'_, PyUntypedArray>,
    name: &str,
    shape: &str,
    fits: impl Fn(&[usize]) -> bool,
) -> PyResult<()> {
    if fits(array.shape()) {
        return Ok(());
    }
    Err(expected::<PyValueError>(name, format!("shape {shape}"), array.getattr("shape")?))
}

/// An array of floats, of a shape that fits: `shape` describes it. They are converted to `dtype`, or stay as they are. The
/// result is aligned and in C order; it is the argument if that is. NumPy raises MemoryError.
fn floats<'py>(
    argument: Argument<'_, 'py>,
    name: &str,
    shape: &str,
    fits: impl Fn(&[usize]) -> bool,
    dtype: Option<Bound<'py, PyArrayDescr>>,
) -> PyResult<Bound<'py, PyAny>> {
    refuse_mask(argument, name)?;
    let py = argument.py();
    let refuse = |found: Bound<'_, PyAny>| {
        let text = format!("a numpy array of float32 or float64 of shape {shape}");
        let found = format!("{found}: use numpy.asarray({name}, numpy.float64)");
        Err(expected::<PyTypeError>(name, text, found))
    };
    let Ok(array) = argument.cast::<PyUntypedArray>() else {
        return refuse(argument.get_type().name()?.into_any());
    };
    check_shape(array, name, shape, fits)?;
    let own = array.dtype();
    if !own.is_equiv_to(&numpy::dtype::<f32>(py)) && !own.is_equiv_to(&numpy::dtype::<f64>(py)) {
        return refuse(own.into_any());
    }
    let dtype = dtype.unwrap_or_else(|| own.clone());
    if own.is_equiv_to(&dtype) && array.is_c_contiguous() && array.is_aligned() {
        return Ok(argument.clone());
    }
    array.call_method1("astype", (dtype, "C"))
}

/// As `floats`, converted to `f64`.
pub(crate) fn doubles<'py>(
    argument: Argument<'_, 'py>,
    name: &str,
    shape: &str,
    fits: impl Fn(&[usize]) -> bool,
) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    let dtype = numpy::dtype::<f64>(argument.py());
    let array = floats(argument, name, shape, fits, Some(dtype))?;
    Ok(array.cast_into::<PyArrayDyn<f64>>()?.try_readonly()?)
}

/// Rows of `N` numbers: `rows` of them, or any number.
pub(crate) fn vectors<const N: usize>(
    argument: Argument<'_, '_>,
    name: &str,
    rows: Option<usize>,
    columns: &str,
) -> PyResult<Vec<[f64; N]>> {
    let count = rows.map_or_else(|| String::from("n"), |rows| rows.to_string());
    let fits = |shape: &[usize]| match *shape {
        [found, columns] => columns == N && rows.is_none_or(|rows| rows == found),
        _ => false,
    };
    let numbers = doubles(argument, name, &format!("({count}, {N}), {columns}"), fits)?;
    collect(numbers.as_slice()?.as_chunks().0.iter().copied())
}

/// Boxes that are finite or empty: `f32` as they are, in the array's own memory if it is in C order; `f64` rounded outwards.
pub(crate) struct Boxes<'py>(PyReadonlyArray2<'py, f32>);

impl<'py> Boxes<'py> {
    pub(crate) fn read(argument: Argument<'_, 'py>, name: &str) -> PyResult<Self> {
        // Rounding outwards needs it, too.
        environment::check()?;
        let py = argument.py();
        let shape = format!("(n, 6), min x, y, z, max x, y, z, at most {MAX_ROWS} rows");
        let fits = |shape: &[usize]| matches!(shape, [0..=MAX_ROWS, 6]);
        let array = floats(argument, name, &shape, fits, None)?;
        let array = if let Ok(double) = array.cast::<PyArray2<f64>>() {
            let double = double.try_readonly()?;
            let rows = double.as_slice()?.as_chunks().0;
            result::rows(py, py.detach(|| collect(rows.iter().map(rounded_outwards)))?)?
        } else {
            array.cast_into()?
        };
        let read = Self(array.try_readonly()?);
        let boxes = &*read;
        let checked = py.detach(|| broadphase::check_boxes(boxes));
        checked.map_err(|bad| PyValueError::new_err(format!("{name}: {bad}")))?;
        Ok(read)
    }
}

impl Deref for Boxes<'_> {
    type Target = [Aabb];

    fn deref(&self) -> &[Aabb] {
        self.0.as_slice().map_or(&[], bytemuck::cast_slice)
    }
}

/// The box around a row. An infinite side of a box that is not empty stays one, to be refused by the check.
fn rounded_outwards(row: &[f64; 6]) -> Aabb {
    let (min, max) = (DVec3::from_slice(row), DVec3::from_slice(&row[3..]));
    let b = Aabb::from_f64(min, max);
    if b.is_empty() || min.is_finite() && max.is_finite() {
        return b;
    }
    Aabb::new(min.as_vec3(), max.as_vec3())
}

/// Integers of any type, row after row, of a shape that fits: `shape` describes it.
pub(crate) fn integers(
    argument: Argument<'_, '_>,
    name: &str,
    shape: &str,
    fits: impl Fn(&[usize]) -> bool,
) -> PyResult<Vec<u32>> {
    refuse_mask(argument, name)?;
    let py = argument.py();
    let array = match py.import("numpy")?.call_method1("asarray", (argument,)) {
        // Rows of different lengths, for example.
        Err(error) if error.is_instance_of::<PyValueError>(py) => {
            let found = format!("no array: {}", error.value(py));
            return Err(expected::<PyValueError>(name, format!("shape {shape}"), found));
        }
        array => array?.cast_into::<PyUntypedArray>()?,
    };
    check_shape(&array, name, shape, fits)?;
    // An empty list is an array of floats.
    if !b"biu".contains(&array.dtype().kind()) && !array.is_empty() {
        return Err(expected::<PyTypeError>(name, "integers", array.dtype()));
    }
    let numbers = array.call_method1("astype", ("int64", "C"))?;
    let numbers = numbers.cast_into::<PyArrayDyn<i64>>()?.try_readonly()?;
    let numbers = numbers.as_slice()?;
    if let Some(at) = numbers.iter().position(|number| u32::try_from(*number).is_err()) {
        let row = at / array.shape().get(1).unwrap_or(&1);
        let (name, range) = (format!("{name}[{row}]"), format!("numbers from 0 to {}", u32::MAX));
        // The array's own number: the conversion to int64 wraps the largest of uint64.
        let found = array.getattr("flat")?.get_item(at)?;
        return Err(expected::<PyValueError>(&name, range, found));
    }
    collect(numbers.iter().map(|number| *number as u32))
}

/// The layers of `objects` objects; none without an argument.
pub(crate) fn layers(argument: Option<Argument<'_, '_>>, objects: usize) -> PyResult<Vec<Layer>> {
    let Some(argument) = argument else { return Ok(Vec::new()) };
    let shape = format!("({objects}, 3) of integers, group, mask and static of each box");
    layers_of(argument, "layers", &shape, |shape| shape == [objects, 3])
}

/// The layer of a query; `None` without an argument.
pub(crate) fn layer(argument: Option<Argument<'_, '_>>) -> PyResult<Option<Layer>> {
    let Some(argument) = argument else { return Ok(None) };
    let shape = "(3,) of integers, group, mask and static";
    Ok(layers_of(argument, "layer", shape, |shape| shape == [3])?.pop())
}

/// The layers of rows of group, mask and static.
fn layers_of(
    argument: Argument<'_, '_>,
    name: &str,
    shape: &str,
    fits: impl Fn(&[usize]) -> bool,
) -> PyResult<Vec<Layer>> {
    let numbers = integers(argument, name, shape, fits)?;
    let rows = numbers.as_chunks().0;
    let mut layers = room(rows.len())?;
    for (row, &[group, mask, is_static]) in rows.iter().enumerate() {
        if group >= u32::from(Layer::GROUPS) || is_static > 1 {
            let text = "a group from 0 to 31, a mask, and 0 or 1 for static";
            let found = format!("{group}, {mask}, {is_static} in row {row}");
            return Err(expected::<PyValueError>(name, text, found));
        }
        layers.push(Layer { mask, group: group as u8, is_static: is_static == 1 });
    }
    Ok(layers)
}

/// A single value. An error names the argument, which PyO3's own do not.
pub(crate) fn scalar<'py, T: FromPyObjectOwned<'py>>(
    argument: Argument<'_, 'py>,
    name: &str,
    range: &str,
    admits: impl Fn(&T) -> bool,
) -> PyResult<T> {
    let py = argument.py();
    match argument.extract::<T>().map_err(Into::<PyErr>::into) {
        Ok(value) if admits(&value) => Ok(value),
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            Err(expected::<PyTypeError>(name, range, argument.get_type().name()?))
        }
        Err(error) if !error.is_instance_of::<PyOverflowError>(py) => Err(error),
        _ => Err(expected::<PyValueError>(name, range, argument)),
    }
}

/// A largest distance or time: infinite without an argument.
pub(crate) fn limit(argument: Option<Argument<'_, '_>>, name: &str) -> PyResult<f64> {
    let Some(argument) = argument else { return Ok(f64::INFINITY) };
    scalar(argument, name, "None or a number of 0 or more", |number| *number >= 0.0)
}

/// The number of objects that are nearest to a point.
pub(crate) fn k(argument: Argument<'_, '_>) -> PyResult<usize> {
    scalar(argument, "k", "a whole number of 1 or more", |k| *k > 0)
}

/// Raises TypeError or ValueError, as a search does, if boxes is not of shape (n, 6), has a NaN, or a side is infinite.
#[pyfunction]
pub(crate) fn check_boxes(boxes: &Bound<'_, PyAny>) -> PyResult<()> {
    Boxes::read(boxes, "boxes").map(drop)
}

/// A copy of boxes as float32 of shape (n, 6): the smallest that contain them, up to the largest float. Absent objects have the box (inf, -inf).
/// Raises TypeError or ValueError, as a search does.
#[pyfunction]
pub(crate) fn round_outwards<'py>(
    boxes: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let read = Boxes::read(boxes, "boxes")?;
    let canonical = |b: &Aabb| if b.is_empty() { Aabb::EMPTY } else { *b };
    result::rows(boxes.py(), collect(read.iter().map(canonical))?)
}
