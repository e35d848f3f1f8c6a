//! Values of a modulus that differ from form to form.

#[cfg(feature = "std")]
use std::sync::OnceLock;

use super::form::Form;

/// A value for each [`Form`]. An engine uses two or three of the forms that a target has, so a value is computed when it is
/// first asked for. `core` has no cell for that which threads may share. Without the standard library the values are computed
/// at once.
pub(crate) struct PerForm<T> {
    #[cfg(feature = "std")]
    values: [OnceLock<T>; Form::ALL.len()],
    #[cfg(not(feature = "std"))]
    values: [Option<T>; Form::ALL.len()],
}

#[cfg(feature = "std")]
impl<T> PerForm<T> {
    /// Values by this function, which [`get`](Self::get) is given again.
    pub(super) fn new(_make: impl Fn(Form) -> Option<T>) -> Self {
        Self { values: Form::ALL.map(|_| OnceLock::new()) }
    }

    /// The value of a form.
    pub(super) fn get(&self, form: Form, make: impl Fn(Form) -> Option<T>) -> Option<&T> {
        let cell = self.values.get(form as usize)?;
        if cell.get().is_none() {
            // Another thread may have been faster, with the same value.
            cell.set(make(form)?).ok();
        }
        cell.get()
    }
}

#[cfg(not(feature = "std"))]
impl<T> PerForm<T> {
    /// Values by this function, which [`get`](Self::get) is given again.
    pub(super) fn new(make: impl Fn(Form) -> Option<T>) -> Self {
        Self { values: Form::ALL.map(make) }
    }

    /// The value of a form.
    pub(super) fn get(&self, form: Form, _make: impl Fn(Form) -> Option<T>) -> Option<&T> {
        self.values.get(form as usize)?.as_ref()
    }
}
