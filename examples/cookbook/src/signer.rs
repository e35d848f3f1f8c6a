//! The ecosystem's traits of signers, once for all: code that takes a `Signer` signs with a committee.

use std::sync::Mutex;

use signature::{Error, Signer};

use crate::Failure;

type Sign<'c, T> = dyn FnMut(&[u8]) -> Result<T, Failure> + Send + 'c;

/// A key that lies with several parties, as a `Signer` of signatures of type `T`.
pub struct Committee<'c, T>(Mutex<Box<Sign<'c, T>>>);

impl<'c, T> Committee<'c, T> {
    /// Signs by this function: [`frost::Key::sign`](crate::frost::Key::sign) or
    /// [`ecdsa::Key::sign`](crate::ecdsa::Key::sign), and the conversion of what comes out.
    pub fn new(sign: impl FnMut(&[u8]) -> Result<T, Failure> + Send + 'c) -> Self {
        Self(Mutex::new(Box::new(sign)))
    }
}

impl<T> Signer<T> for Committee<'_, T> {
    fn try_sign(&self, message: &[u8]) -> Result<T, Error> {
        let mut sign = self.0.lock().map_err(|_| Error::new())?;
        sign(message).map_err(Error::from_source)
    }
}

/// The previous release line, on which the asynchronous trait rests. A type that implements it is an
/// [`AsyncSigner`](async_signature::AsyncSigner) as well.
impl<T> async_signature::signature::Signer<T> for Committee<'_, T> {
    fn try_sign(&self, message: &[u8]) -> Result<T, async_signature::Error> {
        Signer::try_sign(self, message).map_err(|_| async_signature::Error::new())
    }
}
