//! Messages between the PKCS#11 module and its daemon: each side reads what the other may forge, and each has one form.

use sockets_pkcs11_wire::{
    Answer, Description, Input, KeyInfo, MAX_KEYS, MAX_MESSAGE, MAX_NAME, MAX_PIN, MakeRequest,
    Pin, Reason, Request, Scheme, SignRequest,
};

use crate::seeds::Seed;

/// The first byte chooses: a request of the module, or an answer of the daemon.
pub(crate) fn check(data: &[u8]) -> bool {
    match data.split_first() {
        Some((what, body)) if what % 2 == 0 => request(body),
        Some((_, body)) => answer(body),
        None => false,
    }
}

fn request(body: &[u8]) -> bool {
    let Ok(request) = Request::from_bytes(body) else { return false };
    assert_eq!(body_of(&request.to_frame()), body, "accepted, but not canonical");
    let pin = match request {
        Request::Describe => None,
        Request::Login(pin) => Some(pin),
        Request::Sign(sign) => {
            assert!(sign.bytes.len() <= MAX_MESSAGE);
            sign.pin
        }
        Request::Make(make) => {
            assert!(make.name.len() <= MAX_NAME);
            make.pin
        }
    };
    assert!(pin.is_none_or(|pin| (1..=MAX_PIN).contains(&pin.as_bytes().len())));
    true
}

fn answer(body: &[u8]) -> bool {
    let Ok(answer) = Answer::from_bytes(body) else { return false };
    assert_eq!(body_of(&answer.to_frame()), body, "accepted, but not canonical");
    match answer {
        Answer::Description(Description { label, keys, .. }) => {
            assert!(label.len() <= MAX_NAME && keys.len() <= MAX_KEYS);
            keys.iter().for_each(check_key);
        }
        Answer::Made(key) => check_key(&key),
        _ => {}
    }
    true
}

fn check_key(key: &KeyInfo) {
    assert_eq!(key.public_key.len(), key.scheme.public_key_length());
}

/// The body of a frame, whose length is in front.
fn body_of(frame: &[u8]) -> &[u8] {
    let (length, body) = frame.split_first_chunk().expect("a length");
    assert_eq!(u32::from_be_bytes(*length) as usize, body.len());
    body
}

pub(crate) fn seeds() -> Vec<Seed> {
    let seed = |name: &str, what: u8, frame: &[u8]| {
        let bytes = [&[what], body_of(frame)].concat();
        Seed { target: "pkcs11_wire", name: name.into(), bytes }
    };
    let pin = Pin::new(b"1234").expect("a PIN");
    let message =
        SignRequest { pin: Some(pin), key: [1; 32], input: Input::Message, bytes: b"hello" };
    let digest = SignRequest { pin: None, input: Input::Digest, bytes: &[7; 32], ..message };
    let make = MakeRequest { pin: None, scheme: Scheme::EcdsaP256, name: "ca" };
    let requests = [
        ("describe", Request::Describe),
        ("login", Request::Login(pin)),
        ("sign", Request::Sign(message)),
        ("sign_digest", Request::Sign(digest)),
        ("make", Request::Make(make)),
    ];
    let key = |scheme: Scheme| KeyInfo {
        id: [3; 32],
        scheme,
        signs_digests: scheme != Scheme::Ed25519,
        name: "key".into(),
        public_key: vec![4; scheme.public_key_length()],
    };
    let keys = Scheme::ALL.map(key).to_vec();
    let description =
        Description { label: "quorate".into(), needs_login: true, makes_keys: true, keys };
    let answers = [
        ("wait", Answer::Wait(31)),
        ("description", Answer::Description(description)),
        ("logged_in", Answer::LoggedIn),
        ("signature", Answer::Signature(vec![5; 64])),
        ("made", Answer::Made(key(Scheme::Ed25519))),
        ("failed", Answer::Failed(Reason::Refused)),
    ];
    let requests = requests.iter().map(|(name, request)| seed(name, 0, &request.to_frame()));
    let answers = answers.iter().map(|(name, answer)| seed(name, 1, &answer.to_frame()));
    requests.chain(answers).collect()
}

/// A version that there is not, and a byte too many.
pub(crate) fn refused() -> Vec<Seed> {
    let seed = |name: &str, bytes: &[u8]| Seed {
        target: "pkcs11_wire",
        name: name.into(),
        bytes: bytes.to_vec(),
    };
    let describe = Request::Describe.to_frame();
    let body = body_of(&describe);
    let mut other = body.to_vec();
    other[0] = 2;
    vec![
        seed("version", &[&[0], other.as_slice()].concat()),
        seed("longer", &[&[0], body, &[0]].concat()),
    ]
}
