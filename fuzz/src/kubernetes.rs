//! Requests for service account tokens: the token that is signed ends in the claims that were asked for, and has one header.

use prost::Message as _;
use quorate_purpose::{KeyKind, Purpose};
use sockets_kubernetes::messages::SignRequest;
use sockets_kubernetes::{MAX_CLAIMS, read};

use crate::seeds::Seed;

const KEY: &str = "0707070707070707070707070707070707070707070707070707070707070707";
/// `{"alg":"ES256","kid":KEY,"typ":"JWT"}` in base64url.
const HEADER: &str = "eyJhbGciOiJFUzI1NiIsImtpZCI6IjA3MDcwNzA3MDcwNzA3MDcwNzA3MDcwNzA3MDcwNzA3MDcwNzA3MDcwNzA3MDcwNzA3MDcwNzA3MDcwNzA3MDciLCJ0eXAiOiJKV1QifQ";

/// The first byte chooses: a message of gRPC, or the text of claims.
pub(crate) fn check(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    if what % 2 == 0 {
        let Ok(request) = SignRequest::decode(rest) else { return false };
        assert_eq!(SignRequest::decode(&*request.encode_to_vec()).as_ref(), Ok(&request));
        claims(&request.claims)
    } else {
        core::str::from_utf8(rest).is_ok_and(claims)
    }
}

fn claims(text: &str) -> bool {
    let Ok(token) = read(text, KEY) else { return false };
    assert!(text.len() <= MAX_CLAIMS);
    let input = token.signing_input(KeyKind::EcdsaP256).expect("ES256");
    assert_eq!(input.split_once('.'), Some((HEADER, text)));
    let purpose = Purpose::from(token);
    assert_eq!(Purpose::from_bytes(&purpose.to_bytes()).as_ref(), Ok(&purpose));
    assert_eq!(purpose.facts().text("kid"), Some(KEY));
    true
}

/// `{"aud":["a"],"exp":1800003600,"iss":"b","kubernetes.io":{"namespace":"c"},"sub":"d"}`.
const CLAIMS: &str = "eyJhdWQiOlsiYSJdLCJleHAiOjE4MDAwMDM2MDAsImlzcyI6ImIiLCJrdWJlcm5ldGVzLmlvIjp7Im5hbWVzcGFjZSI6ImMifSwic3ViIjoiZCJ9";

fn seed(name: &str, what: u8, bytes: &[u8]) -> Seed {
    Seed { target: "kubernetes", name: name.into(), bytes: [&[what], bytes].concat() }
}

pub(crate) fn seeds() -> Vec<Seed> {
    let message = SignRequest { claims: CLAIMS.into() }.encode_to_vec();
    vec![
        seed("message", 0, &message),
        seed("claims", 1, CLAIMS.as_bytes()),
        seed("empty", 1, b"e30"),
    ]
}

/// Padding, bits behind the end, a name that stands twice, and a field that is cut off.
pub(crate) fn refused() -> Vec<Seed> {
    vec![
        seed("padding", 1, b"e30="),
        seed("bits", 1, b"e31"),
        seed("twice", 1, b"eyJhIjoxLCJhIjoyfQ"),
        seed("cut", 0, &[0x0a, 4, b'e', b'3', b'0']),
    ]
}
