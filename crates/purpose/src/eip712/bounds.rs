//! Bounds on the values of typed data.

use core::cell::Cell;

use crate::error::Malformed;

/// How deep arrays and structs are nested at most.
const DEPTH: usize = 16;
/// The highest number of values. Structs and arrays are values too, and take memory without being longer than their parts.
const VALUES: usize = 1 << 16;

/// How many values have been read.
pub(crate) struct Count(Cell<usize>);

impl Count {
    pub(crate) const fn new() -> Self {
        Self(Cell::new(0))
    }

    /// The bounds at the outermost level.
    pub(crate) const fn bounds(&self) -> Bounds<'_> {
        Bounds { depth: DEPTH, values: &self.0 }
    }
}

/// How much deeper the values may be nested, and how many have been read.
#[derive(Clone, Copy)]
pub(crate) struct Bounds<'a> {
    depth: usize,
    values: &'a Cell<usize>,
}

impl Bounds<'_> {
    /// The bounds one level down.
    pub(crate) fn inside(self) -> Result<Self, Malformed> {
        const DEEP: Malformed = Malformed("the data is nested too deeply");
        Ok(Self { depth: self.depth.checked_sub(1).ok_or(DEEP)?, ..self })
    }

    /// Counts a value.
    pub(crate) fn count(self) -> Result<(), Malformed> {
        let values = self.values.get().saturating_add(1);
        self.values.set(values);
        if values > VALUES { Err(Malformed("there are too many values")) } else { Ok(()) }
    }
}
