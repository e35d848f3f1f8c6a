//! The purposes that ciphertexts and signatures are bound to.

use alloc::vec::Vec;

use quorate_session::Transcript;

use crate::name::Name;

const INFO: &[u8] = b"quorate envelope 1 ";

/// The `info` of HPKE: the purpose and the deployment.
pub(crate) fn info(deployment: &Name) -> Vec<u8> {
    [INFO, deployment.as_str().as_bytes()].concat()
}

/// The transcript whose digest a sender signs: the deployment, and all of the envelope before the signature.
pub(crate) fn signed(deployment: &Name, bytes: &[u8]) -> Transcript {
    let mut transcript = Transcript::new("envelope signature");
    transcript.append("deployment", deployment.as_str().as_bytes());
    transcript.append("envelope", bytes);
    transcript
}
