//! Messages, whole and damaged.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use sockets_pkcs11_wire::{
    Answer, Description, Input, KeyInfo, MAX_MESSAGE, MAX_PIN, MakeRequest, Malformed, Pin, Reason,
    Request, Scheme, SignRequest,
};
use sockets_testkit::mutations;

fn key(scheme: Scheme) -> KeyInfo {
    let public_key = vec![7; scheme.public_key_length()];
    KeyInfo { id: [9; 32], scheme, signs_digests: false, name: "key".into(), public_key }
}

fn requests() -> Vec<Vec<u8>> {
    let pin = Pin::new(b"1234").unwrap();
    let sign = SignRequest { pin: Some(pin), key: [1; 32], input: Input::Message, bytes: b"hello" };
    let requests = [
        Request::Describe,
        Request::Login(pin),
        Request::Sign(sign),
        Request::Sign(SignRequest { pin: None, input: Input::Digest, ..sign }),
        Request::Make(MakeRequest { pin: None, scheme: Scheme::EcdsaP256, name: "ca" }),
    ];
    requests.iter().map(|request| request.to_frame().to_vec()).collect()
}

fn answers() -> Vec<Answer> {
    let keys = Scheme::ALL.map(key).to_vec();
    let description =
        Description { label: "quorate".into(), needs_login: true, makes_keys: false, keys };
    let mut answers = vec![
        Answer::Wait(40),
        Answer::Description(description),
        Answer::LoggedIn,
        Answer::Signature(vec![3; 64]),
        Answer::Made(key(Scheme::Ed25519)),
    ];
    answers.extend(Reason::ALL.map(Answer::Failed));
    answers
}

fn body(frame: &[u8]) -> &[u8] {
    let (length, body) = frame.split_first_chunk().unwrap();
    assert_eq!(usize::try_from(u32::from_be_bytes(*length)).unwrap(), body.len());
    body
}

#[test]
fn answers_are_read_as_they_were_written() {
    for answer in answers() {
        assert_eq!(Answer::from_bytes(body(&answer.to_frame())), Ok(answer));
    }
}

#[test]
fn request_has_its_fields_after_reading() {
    let frames = requests();
    let Request::Sign(sign) = Request::from_bytes(body(&frames[2])).unwrap() else {
        panic!("no request for a signature")
    };
    assert_eq!(sign.pin.unwrap().as_bytes(), b"1234");
    assert_eq!((sign.key, sign.input, sign.bytes), ([1; 32], Input::Message, &b"hello"[..]));
    let Request::Make(make) = Request::from_bytes(body(&frames[4])).unwrap() else {
        panic!("no request for a key")
    };
    assert!(make.pin.is_none() && make.scheme == Scheme::EcdsaP256 && make.name == "ca");
}

/// A damaged message is malformed, or another one in its only form.
#[test]
fn damaged_messages_are_malformed_or_canonical() {
    let mut others = 0;
    for frame in requests() {
        for damaged in mutations(body(&frame)) {
            if let Ok(request) = Request::from_bytes(&damaged) {
                assert_eq!(body(&request.to_frame()), damaged);
                others += 1;
            }
        }
    }
    for answer in answers() {
        for damaged in mutations(body(&answer.to_frame())) {
            if let Ok(answer) = Answer::from_bytes(&damaged) {
                assert_eq!(body(&answer.to_frame()), damaged);
                others += 1;
            }
        }
    }
    assert!(others > 100, "{others}");
}

#[test]
fn messages_of_another_version_and_kind_are_malformed() {
    for body in [&[][..], &[1], &[0, 1], &[2, 1], &[1, 0], &[1, 5], &[1, 128], &[1, 1, 0]] {
        assert_eq!(Request::from_bytes(body).err(), Some(Malformed), "{body:?}");
    }
    for body in [&[][..], &[1, 1], &[2, 130], &[1, 130, 0], &[1, 133, 0], &[1, 133, 16]] {
        assert_eq!(Answer::from_bytes(body), Err(Malformed), "{body:?}");
    }
}

#[test]
fn fields_beyond_their_limits_are_malformed() {
    assert!(Pin::new(&[1; MAX_PIN]).is_ok());
    for length in [0, MAX_PIN + 1] {
        assert!(Pin::new(&vec![1; length]).is_err(), "{length}");
    }
    for (length, fits) in [(MAX_MESSAGE, true), (MAX_MESSAGE + 1, false)] {
        let (key, input, bytes) = ([1; 32], Input::Message, vec![0; length]);
        let sign = Request::Sign(SignRequest { pin: None, key, input, bytes: &bytes });
        assert_eq!(Request::from_bytes(body(&sign.to_frame())).is_ok(), fits, "{length}");
    }
    let short = KeyInfo { public_key: vec![7; 31], ..key(Scheme::Ed25519) };
    assert_eq!(Answer::from_bytes(body(&Answer::Made(short).to_frame())), Err(Malformed));
}

#[test]
fn pin_is_not_printed() {
    let request = Request::Login(Pin::new(b"1234").unwrap());
    assert_eq!(format!("{request:?}"), "Login(Pin)");
}
