//! Stub.
use crate::{Fixture, Library, Size, Suite};

/// This library.
pub struct Quorate;

impl Library for Quorate {
    fn name(&self) -> &'static str {
        "quorate"
    }

    fn fixture(&self, _suite: Suite, _size: Size) -> Box<dyn Fixture> {
        todo!()
    }
}
