//! Sealed nonces, the headers of all forms, and Taproot's tweak.

use quorate::frost::generic::{
    AggregateError, ClaimError, Commitments, Dealing, DealtShare, DecodeError, KeyShare, Mismatch,
    NonceBatch, PackageError, PublicKeyPackage, PublishedNonces, SignError, SignatureShare,
    SigningPackage, TweakError,
};
use quorate::frost::secp256k1_tr::{Secp256k1Taproot, TaprootInternal};
use quorate::session::container::{ContainerError, DIGEST, HEADER};
use quorate::session::{Continuity, SealError, SealKey};

use super::harness::Hostile;
use super::harness::{
    Key, Ledger, MUTATOR, NAME, PARTIES, decode_error, id, parties, release, rng, seal_key,
    sealed_again, sealed_batch, undigested, unsealed_batch,
};
use quorate_testkit::encodings::{point_len, scalar_len};
use quorate_testkit::mutation::{Case, Class, Field, Kind, cases, splice};

/// Party 2's stored nonces: the sealed bytes, and under the right key every field of them.
pub fn nonce_batch<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "sealed nonce batch";
    let key = Key::<S>::new(1);
    let (batches, sent) = key.commit(&[1, MUTATOR], 10);
    let package = SigningPackage::new(&key.public, sent, b"m").unwrap();
    let peer = key.sign(&[1, MUTATOR], b"m", 10).shares[0];
    let sealed = batches[1].seal(&seal_key());
    sealed_bytes::<S>(ledger, MESSAGE, &sealed);

    let plain = unsealed_batch::<S>;
    let honest = plain(&sealed);
    let other = plain(&Key::<S>::new(2).commit(&[1, MUTATOR], 12).0[1].seal(&seal_key()));
    let point = point_len::<S::Curve>();
    let mut at = 0;
    let fields = [
        Field::next("id", Class::Id, 2, &mut at),
        Field::next("key id", Class::Bytes, 32, &mut at),
        Field::next("epoch", Class::Bytes, 4, &mut at),
        Field::next("package digest", Class::Bytes, 32, &mut at),
        Field::next("generation", Class::Bytes, 8, &mut at),
    ];
    // Next slot, counters, one range of slots.
    at += STOCK + 4 + 8;
    let pair = [
        Field::next("hiding", Class::Point, point, &mut at),
        Field::next("binding", Class::Point, point, &mut at),
        Field::next("hiding nonce", Class::Scalar, scalar_len::<S::Curve>(), &mut at),
        Field::next("binding nonce", Class::Scalar, scalar_len::<S::Curve>(), &mut at),
    ];
    let fields: Vec<_> = fields.into_iter().chain(pair).collect();
    let head = fields[4].at.end;
    let mut other = other;
    // The other batch is of another epoch and generation, too.
    (other[fields[2].at.end - 1], other[head - 1]) = (7, 7);
    let peers = plain(&batches[0].seal(&seal_key()));
    let same_length = |case: &Case| case.class != Class::Bytes || case.kind == Kind::Valid;
    for case in cases::<S::Curve>(&fields, &honest, &peers, &other).into_iter().filter(same_length)
    {
        let name = format!("{} / {}", case.field, case.mutation);
        ledger.case(MESSAGE, &name, || {
            let bytes = sealed_batch::<S>(&case.bytes);
            let opened = NonceBatch::<S>::open(&bytes, &seal_key(), Continuity::StayedUp);
            if matches!(case.kind, Kind::Invalid | Kind::Longer) {
                return assert_eq!(opened.unwrap_err(), SealError::Malformed);
            }
            let mut opened = opened.unwrap();
            let generation = u64::from_be_bytes(case.bytes[head - 8..head].try_into().unwrap());
            assert_eq!(opened.generation(), generation);
            let claim = opened.claim_for(key.share(MUTATOR), &package);
            if ["id", "hiding", "binding"].contains(&case.field) {
                return assert_eq!(claim.unwrap_err(), ClaimError::NoNonces);
            }
            if ["key id", "epoch", "package digest"].contains(&case.field) {
                let mismatch = matches!(claim, Err(ClaimError::Sign(SignError::Mismatch(_))));
                return assert!(mismatch && opened.len() == 1, "{claim:?}");
            }
            let signed = key.share(MUTATOR).sign(&package, release(claim.unwrap()));
            let right = case.field == "generation";
            let signature = key.public.aggregate(&package, &[peer, signed.unwrap()]);
            let named = AggregateError::Cheaters(vec![id(MUTATOR)]);
            assert_eq!(signature.err(), (!right).then_some(named));
        });
    }
    pairs::<S>(ledger, &honest, head);
}

/// Bytes of the next slot and the counters.
const STOCK: usize = 4 + 32;

/// Pairs of nonces that are missing, repeated, or in impossible slots.
fn pairs<S: Hostile>(ledger: &mut Ledger, honest: &[u8], head: usize) {
    const MESSAGE: &str = "sealed nonce batch";
    let open = |bytes: &[u8]| {
        NonceBatch::<S>::open(bytes, &seal_key(), Continuity::StayedUp).map(|batch| batch.len())
    };
    let refused = Err(SealError::Malformed);
    let sealed = |plain: &[u8]| open(&sealed_batch::<S>(plain));
    let pair = &honest[head + STOCK + 12..];
    let with = |next: u32, ranges: &[u32], pairs: &[&[u8]]| {
        let counters = &honest[head + 4..head + STOCK];
        let count = u32::try_from(ranges.len() / 2).unwrap();
        let ranges: Vec<u8> = [count].iter().chain(ranges).flat_map(|n| n.to_be_bytes()).collect();
        sealed(&[&honest[..head], &next.to_be_bytes(), counters, &ranges, &pairs.concat()].concat())
    };
    ledger.case(MESSAGE, "empty", || assert_eq!(with(0, &[], &[]), Ok(0)));
    let short = &honest[..head + STOCK + 3];
    ledger.case(MESSAGE, "no header", || assert_eq!(sealed(short), refused));
    ledger.case(MESSAGE, "twice", || {
        assert_eq!(with(1, &[0, 0], &[pair, pair]), refused);
        // In two slots.
        assert_eq!(with(2, &[0, 1], &[pair, pair]), refused);
    });
    ledger.case(MESSAGE, "slots", || {
        assert_eq!(with(8, &[7, 7], &[pair]), Ok(1));
        // Slots that are not made yet, backwards, overlapping, and many more than there are pairs.
        for (next, ranges) in [
            (7, &[7, 7][..]),
            (0, &[0, 0]),
            (8, &[7, 6]),
            (8, &[5, 7, 6, 7]),
            (u32::MAX, &[0, u32::MAX - 1]),
        ] {
            assert_eq!(with(next, ranges, &[pair]), refused);
        }
    });
}

fn sealed_bytes<S: Hostile>(ledger: &mut Ledger, message: &'static str, sealed: &[u8]) {
    let open = |bytes: &[u8]| {
        NonceBatch::<S>::open(bytes, &seal_key(), Continuity::StayedUp).map(|batch| batch.len())
    };
    let container = |why| Err(SealError::Container(why));
    for (name, at) in
        [("nonce", HEADER), ("ciphertext", sealed.len() / 2), ("tag", sealed.len() - DIGEST - 1)]
    {
        let mut bytes = sealed.to_vec();
        bytes[at] ^= 1;
        ledger.case(message, name, || {
            assert_eq!(open(&bytes), container(ContainerError::Damaged));
            let bytes = sealed_again::<S>(undigested(&bytes));
            assert_eq!(open(&bytes), Err(SealError::Unauthentic));
        });
    }
    ledger.case(message, "version", || {
        let newer = ContainerError::NewerVersion { expected: 1, got: 2 };
        assert_eq!(open(&splice(sealed, 4..5, &[2])), container(newer));
    });
    ledger.case(message, "every shorter length", || {
        let refused = |end: usize| open(&sealed[..end]).is_err();
        assert!((0..sealed.len()).all(refused));
    });
    ledger.case(message, "one byte more", || {
        let (expected, got) = (sealed.len(), sealed.len() + 1);
        let longer = ContainerError::TrailingBytes { expected, got };
        assert_eq!(open(&[sealed, &[0]].concat()), container(longer));
    });
    ledger.case(message, "other key", || {
        let opened = NonceBatch::<S>::open(sealed, &SealKey::new([8; 32]), Continuity::StayedUp);
        assert_eq!(opened.unwrap_err(), SealError::Unauthentic);
    });
    ledger.case(message, "other purpose", || {
        let bytes = seal_key().seal_bytes("another purpose", &unsealed_batch::<S>(sealed));
        let expected = "a sealed batch of nonces";
        let kind = ContainerError::WrongKind { expected, got: bytes[5] };
        assert_eq!(open(&bytes), container(kind));
        // Under the header of a batch.
        let bytes = [&sealed[..HEADER], &bytes[HEADER..bytes.len() - DIGEST]].concat();
        assert_eq!(open(&sealed_again::<S>(&bytes)), Err(SealError::Unauthentic));
    });
    ledger.case(message, "other form", || {
        let bytes = sealed_batch::<S>(&Key::<S>::new(1).shares[1].to_bytes());
        assert_eq!(open(&bytes), Err(SealError::Malformed));
    });
    ledger.case(message, "other suite", || {
        let got = S::CODE ^ 7;
        let family = ContainerError::WrongFamily { expected: S::CONTEXT, got };
        assert_eq!(open(&splice(sealed, 7..8, &[got])), container(family));
    });
}

/// The public side of party 2's batch: every field of it, and slots and pairs that do not go together.
pub fn published_nonces<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "published nonces";
    let key = Key::<S>::new(1);
    let [mine, peers] =
        [MUTATOR, 1].map(|party| key.commit(&[party], 10).0[0].publish().to_bytes());
    let other = Key::<S>::new(2).commit(&[MUTATOR], 12).0[0].publish().to_bytes();
    let read = |from: u16, body: &[u8]| {
        PublishedNonces::<S>::from_bytes(id(from), &sealed_again::<S>(body))
    };
    let [honest, peers, mut other] = [&mine, &peers, &other].map(|form| undigested(form).to_vec());
    let mut at = NAME.end;
    let generation = Field::next("generation", Class::Bytes, 8, &mut at);
    let head = at;
    // One range, of the one slot.
    at += 4 + 8;
    let point = point_len::<S::Curve>();
    let fields = [
        Field { name: "id", class: Class::Id, at: HEADER..HEADER + 2 },
        generation,
        Field::next("hiding", Class::Point, point, &mut at),
        Field::next("binding", Class::Point, point, &mut at),
    ];
    other[head - 1] = 7;
    let same_length = |case: &Case| case.class != Class::Bytes || case.kind == Kind::Valid;
    for case in cases::<S::Curve>(&fields, &honest, &peers, &other).into_iter().filter(same_length)
    {
        ledger.case(MESSAGE, &format!("{} / {}", case.field, case.mutation), || {
            let read = read(MUTATOR, &case.bytes);
            if let Some(error) = decode_error(case.class, case.kind) {
                assert_eq!(read.unwrap_err(), error);
            } else if case.class == Class::Id {
                let named = id(u16::from_be_bytes([case.bytes[HEADER], case.bytes[HEADER + 1]]));
                let theirs = DecodeError::NotTheSenders { sender: id(MUTATOR), named };
                assert_eq!(read.unwrap_err(), theirs);
            } else {
                let generation = u64::from_be_bytes(case.bytes[head - 8..head].try_into().unwrap());
                assert_eq!(read.unwrap().generation(), generation);
            }
        });
    }
    slots_and_pairs::<S>(ledger, &honest, head);
}

/// Lists of slots in every disorder, before as many pairs or others.
fn slots_and_pairs<S: Hostile>(ledger: &mut Ledger, honest: &[u8], head: usize) {
    const MESSAGE: &str = "published nonces";
    let pair = &honest[head + 12..];
    let with = |ranges: &[u32], pairs: &[&[u8]]| {
        let count = u32::try_from(ranges.len() / 2).unwrap();
        let ranges: Vec<u8> = [count].iter().chain(ranges).flat_map(|n| n.to_be_bytes()).collect();
        let body = [&honest[..head], &ranges, &pairs.concat()].concat();
        let published = PublishedNonces::<S>::from_bytes(id(MUTATOR), &sealed_again::<S>(&body));
        published.map(|published| published.slots().len())
    };
    ledger.case(MESSAGE, "slots", || {
        assert_eq!((with(&[], &[]), with(&[7, 7], &[pair])), (Ok(0), Ok(1)));
        assert_eq!(with(&[0, 0, u32::MAX, u32::MAX], &[pair, pair]), Ok(2));
        // Backwards, overlapping, touching, in another order, and many more than there are pairs.
        for ranges in [
            &[7, 6][..],
            &[5, 7, 6, 7],
            &[1, 1, 2, 2],
            &[7, 7, 1, 1],
            &[0, u32::MAX],
            &[0, 0, 2, u32::MAX],
        ] {
            assert!(with(ranges, &[pair, pair]).is_err(), "{ranges:?}");
        }
    });
    ledger.case(MESSAGE, "a pair less", || assert!(with(&[0, 1], &[pair]).is_err()));
    ledger.case(MESSAGE, "a pair more", || assert!(with(&[0, 0], &[pair, pair]).is_err()));
}

/// Decodes a form, and drops what comes out.
type Decode = Box<dyn Fn(&[u8]) -> Result<(), DecodeError>>;
type Form = (&'static str, Vec<u8>, Decode);

/// One of each form.
fn forms<S: Hostile>() -> [Form; 7] {
    let key = Key::<S>::new(1);
    let signed = key.sign(&[1, MUTATOR], b"message", 10);
    let commitments = signed.package.commitments_of(id(1)).unwrap();
    let public = key.public.clone();
    let form = |name, bytes, decode| -> Form { (name, bytes, decode) };
    [
        form(
            "dealer share",
            key.dealt[0].clone(),
            Box::new(|b| DealtShare::<S>::from_bytes(b).map(drop)),
        ),
        form(
            "key-share file",
            key.shares[0].to_bytes().to_vec(),
            Box::new(move |b| KeyShare::<S>::from_bytes(b, &public).map(drop)),
        ),
        form(
            "public key package file",
            key.public.to_bytes(),
            Box::new(|b| PublicKeyPackage::<S>::from_bytes(b).map(drop)),
        ),
        form(
            "commitments",
            commitments.to_bytes(),
            Box::new(|b| Commitments::<S>::from_bytes(id(1), b).map(drop)),
        ),
        form(
            "published nonces",
            key.commit(&[1], 10).0[0].publish().to_bytes(),
            Box::new(|b| PublishedNonces::<S>::from_bytes(id(1), b).map(drop)),
        ),
        form(
            "signing package",
            signed.package.to_bytes(),
            Box::new(|b| SigningPackage::<S>::from_bytes(b).map(drop)),
        ),
        form(
            "signature share",
            signed.shares[0].to_bytes(),
            Box::new(|b| SignatureShare::<S>::from_bytes(id(1), b).map(drop)),
        ),
    ]
}

/// The header of a container: magic, version, kind, curve, family, length.
pub fn headers<S: Hostile>(ledger: &mut Ledger) {
    use ContainerError as Error;
    let forms = forms::<S>();
    for (message, honest, decode) in &forms {
        let open = |bytes: &[u8]| match decode(bytes) {
            Err(DecodeError::Container(why)) => why,
            other => panic!("{other:?}"),
        };
        let altered = |at: usize, value: u8| open(&splice(honest, at..at + 1, &[value]));
        for at in 0..4 {
            ledger.case(message, "magic", || assert_eq!(altered(at, 0), Error::NotAContainer));
        }
        for (version, older) in [(0, true), (2, false), (255, false)] {
            ledger.case(message, "version", || match altered(4, version) {
                Error::OlderVersion { expected: 1, got } if older => assert_eq!(got, version),
                Error::NewerVersion { expected: 1, got } if !older => assert_eq!(got, version),
                other => panic!("{other:?}"),
            });
        }
        for (at, values) in [(5, [0, 1, 64]), (6, [0, 6, 255]), (7, [0, 128, 255])] {
            for value in values {
                ledger.case(message, "kind, curve, family", || match (at, altered(at, value)) {
                    (5, Error::WrongKind { got, .. })
                    | (6, Error::WrongCurve { got, .. })
                    | (7, Error::WrongFamily { got, .. }) => assert_eq!(got, value),
                    (_, other) => panic!("{other:?}"),
                });
            }
        }
        for (other, bytes, _) in forms.iter().filter(|(other, ..)| other != message) {
            ledger.case(message, other, || assert!(matches!(open(bytes), Error::WrongKind { .. })));
        }
        let longer = |more: &[u8]| open(&[&honest[..], more].concat());
        for (name, more) in
            [("one byte more", &[0][..]), ("twice", honest), ("a megabyte more", &[0; 1 << 20])]
        {
            ledger.case(message, name, || {
                let (expected, got) = (honest.len(), honest.len() + more.len());
                assert_eq!(longer(more), Error::TrailingBytes { expected, got });
            });
        }
        ledger.case(message, "a megabyte", || {
            assert_eq!(open(&[255; 1 << 20]), Error::NotAContainer);
        });
        ledger.case(message, "every shorter length", || {
            let cut = |end: usize| matches!(open(&honest[..end]), Error::Truncated { .. });
            assert!((0..honest.len()).all(cut));
        });
        ledger.case(message, "every byte", || {
            let damaged = |at: usize| altered(at, honest[at] ^ 1) == Error::Damaged;
            assert!((12..honest.len()).all(damaged));
        });
    }
}

/// Roots that some parties and the coordinator do not agree on; the parities of every key.
pub fn tweak(ledger: &mut Ledger) {
    const MESSAGE: &str = "Taproot tweak";
    let all = parties(PARTIES);
    let dealing = Dealing::<TaprootInternal>::new(2, &all, &mut rng(1)).unwrap();
    let internal = dealing.public;
    let accept = |share: DealtShare<_>| share.accept(2, &internal).unwrap();
    let shares: Vec<_> = dealing.shares.into_iter().map(accept).collect();
    let root = [5; 32];
    let mut flipped = root;
    flipped[31] ^= 1;
    let wrong = [None, Some([0; 32]), Some([255; 32]), Some(flipped)];
    let public = internal.tweak(Some(root)).unwrap();
    for (number, other) in wrong.into_iter().enumerate() {
        ledger.case(MESSAGE, &format!("root {number}"), || {
            let astray = internal.tweak(other).unwrap();
            assert_ne!(public.key_id(), astray.key_id(), "another key");
            let astray = shares[1].tweak(&internal, other).unwrap();
            let (nonces, theirs) = astray.commit(&mut rng(3));
            let tweaked = shares[0].tweak(&internal, Some(root)).unwrap();
            let (_, mine) = tweaked.commit(&mut rng(4));
            // Refused before anything is signed, and nobody is blamed.
            let why = Mismatch::WrongKey;
            let package = SigningPackage::new(&public, [mine, theirs], b"m");
            let party = id(MUTATOR);
            assert_eq!(package.unwrap_err(), PackageError::Mismatch { party, why });
            let of = public.package_id();
            let theirs = Commitments::from_parts(party, of, theirs.hiding(), theirs.binding());
            let package = SigningPackage::new(&public, [mine, theirs.unwrap()], b"m").unwrap();
            let signed = astray.sign(&package, nonces);
            assert_eq!(signed.unwrap_err(), SignError::Mismatch(why));
        });
    }
    ledger.case(MESSAGE, "share of another internal key", || {
        let other = Dealing::<TaprootInternal>::new(2, &all, &mut rng(2)).unwrap().public;
        let error = TweakError::Mismatch(Mismatch::WrongKey);
        assert_eq!(shares[0].tweak(&other, Some(root)).unwrap_err(), error);
    });
    ledger.case(MESSAGE, "stored as the other kind", || {
        let output = shares[0].tweak(&internal, None).unwrap().to_bytes();
        let other =
            |error| matches!(error, DecodeError::Container(ContainerError::WrongFamily { .. }));
        assert!(other(KeyShare::<TaprootInternal>::from_bytes(&output, &internal).unwrap_err()));
        let stored = shares[0].to_bytes();
        let public = internal.tweak(None).unwrap();
        let opened = KeyShare::<Secp256k1Taproot>::from_bytes(&stored, &public);
        assert!(other(opened.unwrap_err()));
        let stored = KeyShare::<TaprootInternal>::from_bytes(&stored, &internal).unwrap();
        assert_eq!(*stored.tweak(&internal, None).unwrap().to_bytes(), *output);
        let opened = PublicKeyPackage::<TaprootInternal>::from_bytes(&public.to_bytes());
        assert!(other(opened.unwrap_err()));
    });
}
