//! Threshold signatures for JavaScript and TypeScript, in browsers and in Node.js.
//!
//! The objects are those of `quorate-ffi`, with names in the way of the language. What is plain data (messages,
//! rejections, sealed state) is a plain object, which `postMessage` and `structuredClone` take. What is a class stays in its worker: a
//! clone of it is an empty shell. It leaves sealed, or by `toBytes`.
//!
//! The package in `package/` is made of this crate by `build.sh`.

mod arguments;
mod error;
#[cfg(feature = "sign")]
mod object;
#[cfg(feature = "sign")]
mod sign;
mod types;
mod verify;
