//! Signature Version 4, by which a request names its access key and cannot be changed.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use sockets_backend::AccessKeys;
use zeroize::Zeroizing;

use crate::error::{Error, ErrorKind};
use crate::time;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";
const SERVICE: &str = "kms";
/// The end of each scope, which the key of a signature is derived with.
const END: &str = "aws4_request";
/// The longest difference between two clocks, in seconds: that of AWS.
const SKEW: u64 = 300;

/// The head of a request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Head {
    /// The method.
    pub method: String,
    /// The path.
    pub path: String,
    /// The query, empty if there is none.
    pub query: String,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
}

impl Head {
    /// The value of a header.
    ///
    /// # Errors
    /// [`ErrorKind::IncompleteSignature`] if it is there more than once.
    pub fn header(&self, name: &str) -> Result<Option<&str>, Error> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        let value = values.next().map(|(_, value)| value.as_str());
        match values.next() {
            None => Ok(value),
            Some(_) => Err(incomplete(format!("The header '{name}' is there more than once."))),
        }
    }

    fn required(&self, name: &str) -> Result<&str, Error> {
        let missing =
            || incomplete(format!("Authorization header requires existence of '{name}'."));
        self.header(name)?.ok_or_else(missing)
    }
}

/// The header `Authorization`.
struct Authorization<'a> {
    access_key: &'a str,
    date: &'a str,
    region: &'a str,
    headers: Vec<&'a str>,
    signature: [u8; 32],
}

/// Verifies the signature of a request, and gives the access key.
///
/// `now` is the time in seconds since 1970. The headers that are signed have to include `host` and all of `x-amz-…`.
///
/// # Errors
/// The [`Error`] with which AWS answers.
pub fn verify<'a>(
    head: &'a Head,
    body: &[u8],
    access: &AccessKeys,
    region: &str,
    now: u64,
) -> Result<&'a str, Error> {
    let Some(authorization) = head.header("authorization")? else {
        let why = "Missing Authentication Token";
        return Err(Error::new(ErrorKind::MissingAuthenticationToken, why));
    };
    let given = Authorization::read(authorization)?;
    if given.region != region {
        return Err(mismatch(format!("Credential should be scoped to the region '{region}'.")));
    }
    let date = head.required("x-amz-date")?;
    check_date(date, given.date, now)?;
    check_signed_headers(head, &given.headers)?;
    let unknown = || {
        let why = "The security token included in the request is invalid.";
        Error::new(ErrorKind::UnrecognizedClient, why)
    };
    // Temporary credentials have a token, and nobody here has given them out.
    let has_token = head.header("x-amz-security-token")?.is_some();
    let secret = access.secret(given.access_key).filter(|_| !has_token).ok_or_else(unknown)?;
    let text = text_to_sign(&given, date, &canonical(head, &given.headers, body)?);
    let mut key = Zeroizing::new([b"AWS4", secret.as_bytes()].concat());
    for part in [given.date, region, SERVICE, END] {
        key = Zeroizing::new(hmac(&key, part)?.finalize().into_bytes().to_vec());
    }
    // In a time that does not depend on where they differ.
    if hmac(&key, &text)?.verify_slice(&given.signature).is_ok() {
        return Ok(given.access_key);
    }
    Err(mismatch(
        "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and \
         signing method."
            .to_owned(),
    ))
}

/// HMAC with SHA-256, under a key of any length.
fn hmac(key: &[u8], message: &str) -> Result<Hmac<Sha256>, Error> {
    let mac = Hmac::<Sha256>::new_from_slice(key);
    let mac = mac.map_err(|why| Error::new(ErrorKind::KmsInternal, why.to_string()))?;
    Ok(mac.chain_update(message))
}

impl<'a> Authorization<'a> {
    fn read(text: &'a str) -> Result<Self, Error> {
        let malformed =
            || incomplete("expected Credential, SignedHeaders and Signature".to_owned());
        let fields = text.strip_prefix(ALGORITHM).and_then(|rest| rest.strip_prefix(' '));
        let fields = fields.ok_or_else(|| incomplete(format!("expected {ALGORITHM}")))?;
        let [mut credential, mut headers, mut signature] = [None; 3];
        for field in fields.split(',') {
            let (name, value) = field.trim().split_once('=').ok_or_else(malformed)?;
            let place = match name {
                "Credential" => &mut credential,
                "SignedHeaders" => &mut headers,
                "Signature" => &mut signature,
                _ => return Err(malformed()),
            };
            if place.replace(value).is_some() {
                return Err(malformed());
            }
        }
        let (Some(credential), Some(headers), Some(signature)) = (credential, headers, signature)
        else {
            return Err(malformed());
        };
        let parts: Vec<_> = credential.split('/').collect();
        let [access_key, date, region, SERVICE, END] = *parts.as_slice() else {
            return Err(incomplete(format!(
                "expected a credential of ID/DATE/REGION/{SERVICE}/{END}"
            )));
        };
        if access_key.len() > AccessKeys::MAX_LENGTH {
            return Err(malformed());
        }
        let signature = unhex(signature).ok_or_else(malformed)?;
        Ok(Self { access_key, date, region, headers: headers.split(';').collect(), signature })
    }
}

/// Checks that the time is that of now, and that of the scope.
fn check_date(date: &str, scope: &str, now: u64) -> Result<(), Error> {
    let at = time::read(date);
    let at = at.ok_or_else(|| incomplete("Date must be in ISO-8601 'basic format'.".to_owned()))?;
    if date.get(..8) != Some(scope) {
        return Err(mismatch("Date in Credential scope does not match YYYYMMDD.".to_owned()));
    }
    if at.abs_diff(now) > SKEW {
        let which = if at < now { "Signature expired" } else { "Signature not yet current" };
        return Err(mismatch(format!(
            "{which}: {date} is more than {SKEW} s away from the time here"
        )));
    }
    Ok(())
}

/// Checks that the signature covers all that makes a difference.
fn check_signed_headers(head: &Head, signed: &[&str]) -> Result<(), Error> {
    if !signed.is_sorted_by(|a, b| a < b) {
        return Err(incomplete("expected the signed headers in order, each once".to_owned()));
    }
    let has_to_be_signed = |name: &&str| *name == "host" || name.starts_with("x-amz-");
    let names = head.headers.iter().map(|(name, _)| name.as_str());
    let missing =
        names.chain(["host"]).filter(has_to_be_signed).find(|name| !signed.contains(name));
    match missing {
        Some(name) => {
            Err(mismatch(format!("'{name}' must be a 'SignedHeader' in the AWS Authorization.")))
        }
        None => Ok(()),
    }
}

/// The canonical request.
fn canonical(head: &Head, signed: &[&str], body: &[u8]) -> Result<String, Error> {
    let mut headers = String::new();
    for name in signed {
        let value = head.required(name)?;
        let words: Vec<_> = value.split(' ').filter(|word| !word.is_empty()).collect();
        headers += &format!("{name}:{}\n", words.join(" "));
    }
    let hash = hex(&Sha256::digest(body));
    if head.header("x-amz-content-sha256")?.is_some_and(|given| given != hash) {
        return Err(mismatch("expected the hash of the body in x-amz-content-sha256".to_owned()));
    }
    let Head { method, path, query, .. } = head;
    Ok(format!("{method}\n{path}\n{query}\n{headers}\n{}\n{hash}", signed.join(";")))
}

fn text_to_sign(given: &Authorization<'_>, date: &str, canonical: &str) -> String {
    let hash = hex(&Sha256::digest(canonical));
    format!("{ALGORITHM}\n{date}\n{}/{}/{SERVICE}/{END}\n{hash}", given.date, given.region)
}

fn incomplete(why: String) -> Error {
    Error::new(ErrorKind::IncompleteSignature, why)
}

fn mismatch(why: String) -> Error {
    Error::new(ErrorKind::InvalidSignature, why)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(index * 2..index * 2 + 2)?, 16).ok()?;
    }
    Some(bytes)
}
