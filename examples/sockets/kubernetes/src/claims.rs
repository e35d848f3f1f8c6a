//! The claims of a token, as they come and as they are signed.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use quorate_purpose::JwtClaims;

/// The longest claims, in characters of base64url.
pub const MAX_CLAIMS: usize = 32 * 1024;

/// The type in the header of each token, as Kubernetes demands it.
const TYPE: &str = "JWT";

/// The reason why claims are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Malformed {
    /// There are more than [`MAX_CLAIMS`] characters.
    #[error("the claims have more than {MAX_CLAIMS} characters")]
    Length,
    /// The text is not base64url without padding, in its one form.
    #[error("the claims are not base64url without padding")]
    Base64,
    /// The bytes are not UTF-8.
    #[error("the claims are no text")]
    Text,
    /// The JSON is not an object that every reader reads alike.
    #[error("the claims are refused: {0}")]
    Claims(#[from] quorate_purpose::Malformed),
}

/// Reads claims in base64url, which is the second part of a token, for a key of this id.
///
/// The signing input of the result ends in the same text.
///
/// # Errors
/// [`Malformed`] if the text has another form, or the claims are none that a policy can read.
pub fn read(claims: &str, key_id: &str) -> Result<JwtClaims, Malformed> {
    if claims.len() > MAX_CLAIMS {
        return Err(Malformed::Length);
    }
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(claims).map_err(|_| Malformed::Base64)?;
    let json = String::from_utf8(bytes).map_err(|_| Malformed::Text)?;
    Ok(JwtClaims::new(json, key_id, TYPE)?)
}
