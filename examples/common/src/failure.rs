//! The text that the user is given when something goes wrong.

use core::error::Error;
use core::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The result of a function that fails with a text for the user.
pub type Result<T = (), E = Failure> = core::result::Result<T, E>;

/// A text for the user. Every error of the libraries becomes one with `?`.
#[derive(Debug)]
pub struct Failure {
    text: String,
    code: u8,
}

impl Failure {
    /// A failure with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), code: 1 }
    }

    /// A command line that makes no sense.
    pub fn usage(text: impl Into<String>) -> Self {
        Self { text: text.into(), code: 2 }
    }

    /// Something could not be done to a file: `cannot read README.md: No such file …`.
    pub fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::new(format!("cannot {doing} {}: {error}", path.display()))
    }

    /// Something is wrong with a file: `public.key is damaged`.
    #[must_use]
    pub fn at(path: &Path, what: impl fmt::Display) -> Self {
        Self::new(format!("{} {what}", path.display()))
    }

    /// Something is wrong with a file, for this reason: `public.key is damaged: expected 44 bytes …`.
    pub fn about<E: fmt::Display>(path: &Path, what: impl fmt::Display) -> impl FnOnce(E) -> Self {
        move |error| Self::new(format!("{} {what}: {error}", path.display()))
    }

    /// The process's exit code: 2 for a command line that makes no sense, 1 for everything else.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        self.code.into()
    }
}

/// A [`Failure`](crate::Failure) with this text, which is put together as `format!` does it.
#[macro_export]
macro_rules! failure {
    ($($text:tt)+) => { $crate::Failure::new(format!($($text)+)) };
}

/// Ends a function with a [`failure!`].
#[macro_export]
macro_rules! bail {
    ($($text:tt)+) => { return Err($crate::failure!($($text)+)) };
}

/// Ends a function with a [`failure!`], unless something holds.
#[macro_export]
macro_rules! ensure {
    ($holds:expr, $($text:tt)+) => {
        if !$holds {
            $crate::bail!($($text)+)
        }
    };
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}
