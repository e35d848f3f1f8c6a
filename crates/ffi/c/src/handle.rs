//! Handles: boxes of counted references.

use core::any::type_name;
use std::sync::Arc;

use crate::memory::{Result, arguments};

/// A handle and the object behind it.
pub(crate) trait Handle {
    /// The object.
    type Object;

    /// The object.
    fn object(&self) -> &Self::Object;
}

/// A handle that a call was given, or NULL.
pub(crate) trait Given<O> {
    /// The object; an error for NULL.
    fn get(self) -> Result<O>;
}

impl<H: Handle<Object: Clone>> Given<H::Object> for Option<&H> {
    fn get(self) -> Result<H::Object> {
        self.map(|handle| handle.object().clone()).ok_or_else(|| {
            let name = type_name::<H>();
            arguments(format!("the {} is NULL", name.rsplit("::").next().unwrap_or(name)))
        })
    }
}

/// The handle of an object that is shared.
macro_rules! shared {
    ($($handle:ident: $object:ty;)*) => {$(
        impl $crate::handle::Handle for $handle {
            type Object = std::sync::Arc<$object>;

            fn object(&self) -> &Self::Object {
                &self.0
            }
        }

        impl From<std::sync::Arc<$object>> for $handle {
            fn from(object: std::sync::Arc<$object>) -> Self {
                Self(object)
            }
        }
    )*};
}

pub(crate) use shared;

/// A list for the caller, shared so that a handle is one reference.
pub(crate) type List<T> = Arc<Vec<T>>;

/// A value of a list.
pub(crate) fn at<T>(list: &[T], index: usize) -> Result<&T> {
    let beyond = || arguments(format!("got the index {index}, expected less than {}", list.len()));
    list.get(index).ok_or_else(beyond)
}
