//! Every stored and sent form, pinned for one fixed seed: old bytes stay readable, and nothing
//! changes by accident.
//!
//! After a change that is meant, `QUORATE_BLESS=1 cargo test -p quorate --test vectors wire`
//! writes the files in `data/wire_*.txt` anew; the change of a released form needs a new version.

use std::path::PathBuf;

use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::roast::AnswerOutcome;
use quorate::frost::generic::{
    Ciphersuite, Commitments, Dealing, DealtShare, Dkg, DkgOutput, DkgParams, Frost, KeyShare,
    NonceBatch, PublicKeyPackage, PublishedNonces, RoastCoordinator, RoastSigner, ShareExchange,
    Signature, SignatureShare, SigningPackage, VerifyingKey,
};
use quorate::keys::{Acknowledge, Repair, Reshare};
use quorate::runner::Kind;
use quorate::session::{Continuity, SealKey, Sealed, SpentInMemory, Step, To};
use quorate::{Parties, Progress, Session, SessionId};

use crate::data::{hex, id, records, unhex};
use crate::group::rng;

/// Names and values, in the order of the file.
struct Snapshot(Vec<(String, String)>);

impl Snapshot {
    fn put(&mut self, name: &str, bytes: &[u8]) {
        self.0.push((name.to_owned(), hex(bytes)));
    }

    fn get(&self, name: &str) -> Vec<u8> {
        unhex(&self.0.iter().find(|(known, _)| known == name).unwrap().1)
    }
}

/// A 2-of-3 key of parties 1, 7 and 65535; 1 and 65535 sign.
fn signing<S: Ciphersuite>(snapshot: &mut Snapshot) {
    let parties = Parties::new([1, 7, 65535].map(id)).unwrap();
    let Dealing { shares, public } = Dealing::<S>::new(2, &parties, &mut rng(1)).unwrap();
    snapshot.put("dealt_share", &shares[0].to_bytes());
    let shares: Vec<KeyShare<S>> =
        shares.into_iter().map(|s| s.accept(2, &public).unwrap()).collect();
    let (first, last) = (&shares[0], &shares[2]);
    snapshot.put("key_share", &first.to_bytes());
    snapshot.put("public_key_package", &public.to_bytes());
    snapshot.put("verifying_key", public.verifying_key().as_bytes().as_ref());
    snapshot.put("key_id", &public.key_id());
    snapshot.put("package_digest", &public.package_id().digest());

    let (firsts_nonces, firsts) = first.commit(&mut rng(2));
    let mut batch = last.precompute(2, &mut rng(3));
    let lasts = batch.commitments().next().unwrap();
    snapshot.put("nonce_batch", &batch.seal(&SealKey::new([4; 32])));
    snapshot.put("published_nonces", &batch.publish().to_bytes());
    snapshot.put("commitments", &firsts.to_bytes());
    snapshot.put("nonce_id", &firsts.nonce_id().0);
    let package = SigningPackage::new(&public, [lasts, firsts], b"pinned").unwrap();
    snapshot.put("signing_package", &package.to_bytes());
    snapshot.put("signing_package_digest", &package.digest(None));
    let claim = batch.claim_for(last, &package).unwrap();
    let receipt = claim.record().store(&mut SpentInMemory::new()).unwrap();
    let lasts_nonces = claim.release(receipt).unwrap();
    let signature_shares =
        [first.sign(&package, firsts_nonces).unwrap(), last.sign(&package, lasts_nonces).unwrap()];
    snapshot.put("signature_share", &signature_shares[0].to_bytes());
    let signature = public.aggregate(&package, &signature_shares).unwrap();
    snapshot.put("signature", signature.to_bytes().as_ref());
}

/// A robust run of the same two: first message, request, answer, the state of a signer.
fn roast<S: Ciphersuite>(snapshot: &mut Snapshot) {
    let parties = Parties::new([1, 7, 65535].map(id)).unwrap();
    let Dealing { shares, public } = Dealing::<S>::new(2, &parties, &mut rng(1)).unwrap();
    let shares: Vec<KeyShare<S>> =
        shares.into_iter().map(|s| s.accept(2, &public).unwrap()).collect();
    let run = SessionId::new([6; 32]);
    let start =
        |at: usize, seed| RoastSigner::start(&shares[at], run, b"pinned", &mut rng(seed)).unwrap();
    let (mut first, last) = (start(0, 9), start(2, 10));
    snapshot.put("roast_first", first.message());
    let mut coordinator = RoastCoordinator::start(public, run, b"pinned").unwrap();
    assert!(matches!(coordinator.receive(id(1), first.message()), Ok(AnswerOutcome::Waiting)));
    let asked = coordinator.receive(id(65535), last.message()).unwrap();
    let AnswerOutcome::Ask(ask) = asked else { panic!("a session") };
    snapshot.put("roast_request", &ask.bytes);
    let table = &mut SpentInMemory::new();
    let answer = first.answer(&shares[0], &ask.bytes, table, &mut rng(11)).unwrap();
    snapshot.put("roast_answer", answer);
    snapshot.put("roast_signer", &first.seal(&SealKey::new([4; 32])));
}

/// A 2-of-2 key generation of parties 1 and 300: every frame, a sealed session, the outputs.
fn generation<S: Ciphersuite>(snapshot: &mut Snapshot) {
    let parties = Parties::new([1, 300].map(id)).unwrap();
    let start = |me: u16, seed| {
        let sid = SessionId::new([5; 32]);
        Session::<Dkg<S>>::start(sid, id(me), &parties, DkgParams::new(2), &mut rng(seed)).unwrap()
    };
    let mut steps = [start(1, 6), start(300, 7)];
    for round in 1.. {
        for (from, step) in [1, 300].into_iter().zip(&steps) {
            let [frame] = step.outgoing.as_slice() else { panic!("one frame a round") };
            assert_eq!(matches!(frame.to, To::Only(_)), round == 2);
            snapshot.put(&format!("dkg_frame_{round}_{from}"), &frame.bytes);
        }
        if round == 2 {
            let sealed = steps[0].session.seal(&SealKey::new([8; 32]));
            snapshot.put("dkg_sealed_2_1", sealed.as_bytes());
        }
        let [one, other] = steps;
        let (to_one, to_other) = (other.outgoing[0].bytes.clone(), one.outgoing[0].bytes.clone());
        match (advance(one, 300, &to_one), advance(other, 1, &to_other)) {
            (Progress::Round(one), Progress::Round(other)) => steps = [one, other],
            (Progress::Done { output: one, .. }, Progress::Done { output: other, .. }) => {
                return outputs(snapshot, &one, &other);
            }
            _ => panic!("out of step"),
        }
    }
}

fn advance<S: Ciphersuite>(step: Step<Dkg<S>>, from: u16, frame: &[u8]) -> Progress<Dkg<S>> {
    let mut session = step.session;
    session.receive(id(from), frame).unwrap();
    session.advance().unwrap()
}

fn outputs<S: Ciphersuite>(snapshot: &mut Snapshot, one: &DkgOutput<S>, other: &DkgOutput<S>) {
    assert!(one.public == other.public);
    snapshot.put("dkg_key_share_1", &one.share.to_bytes());
    snapshot.put("dkg_key_share_300", &other.share.to_bytes());
    snapshot.put("dkg_public_key_package", &one.public.to_bytes());
}

/// The key of the sent commitments, with Taproot's tweak for an unspendable script path.
fn check_generated_key<S: Ciphersuite>(snapshot: &Snapshot) {
    let constant = |name: &str| {
        let frame = snapshot.get(name);
        // A header and a digest of 71 bytes, then the commitment to the constant.
        let end = 71 + size_of::<<S::Curve as Curve>::PointBytes>();
        S::Curve::decode_point(&frame[71..end]).unwrap()
    };
    let sum = constant("dkg_frame_1_1") + constant("dkg_frame_1_300");
    let encoded = S::Curve::encode_point(&sum);
    let mut expected = sum;
    if S::EVEN_Y {
        let tweak = crate::bip341::tagged("TapTweak", &encoded.as_ref()[1..]);
        let even = if encoded.as_ref()[0] == 2 { sum } else { -sum };
        let tweak = S::Curve::decode_scalar(&tweak).unwrap();
        expected = even + S::Curve::mul_base(&tweak);
    }
    let expected = VerifyingKey::<S>::from_bytes(S::Curve::encode_point(&expected).as_ref());
    let package =
        PublicKeyPackage::<S>::from_bytes(&snapshot.get("dkg_public_key_package")).unwrap();
    assert_eq!(package.verifying_key(), &expected.unwrap());
}

/// Pinned forms are read, and written back byte for byte.
fn reads_back<S: Ciphersuite>(pinned: &Snapshot) {
    let again = |name: &str, read: &dyn Fn(&[u8]) -> Vec<u8>| {
        let bytes = pinned.get(name);
        assert_eq!(hex(&read(&bytes)), hex(&bytes), "{name}");
    };
    let share = |package: &'static str| {
        let public = PublicKeyPackage::<S>::from_bytes(&pinned.get(package)).unwrap();
        move |bytes: &[u8]| KeyShare::<S>::from_bytes(bytes, &public).unwrap().to_bytes().to_vec()
    };
    let package = |bytes: &[u8]| PublicKeyPackage::<S>::from_bytes(bytes).unwrap().to_bytes();
    again("dealt_share", &|b| DealtShare::<S>::from_bytes(b).unwrap().to_bytes().to_vec());
    again("key_share", &share("public_key_package"));
    again("dkg_key_share_1", &share("dkg_public_key_package"));
    again("dkg_key_share_300", &share("dkg_public_key_package"));
    again("public_key_package", &package);
    again("dkg_public_key_package", &package);
    again("verifying_key", &|b| {
        VerifyingKey::<S>::from_bytes(b).unwrap().as_bytes().as_ref().to_vec()
    });
    again("commitments", &|b| Commitments::<S>::from_bytes(id(1), b).unwrap().to_bytes());
    again("published_nonces", &|b| {
        PublishedNonces::<S>::from_bytes(id(65535), b).unwrap().to_bytes()
    });
    again("signing_package", &|b| SigningPackage::<S>::from_bytes(b).unwrap().to_bytes());
    again("signature_share", &|b| SignatureShare::<S>::from_bytes(id(1), b).unwrap().to_bytes());
    again("signature", &|b| Signature::<S>::from_bytes(b).unwrap().to_bytes().as_ref().to_vec());
    let key = SealKey::new([4; 32]);
    again("nonce_batch", &|b| {
        NonceBatch::<S>::open(b, &key, Continuity::StayedUp).unwrap().seal(&key)
    });

    again("roast_signer", &|b| RoastSigner::<S>::open(b, &key).unwrap().seal(&key));

    let sealed = Sealed::from_bytes(&pinned.get("dkg_sealed_2_1")).unwrap();
    let resumed =
        Session::<Dkg<S>>::open(&sealed, DkgParams::new(2), &SealKey::new([8; 32])).unwrap();
    assert_eq!(hex(&resumed.outgoing[0].bytes), hex(&pinned.get("dkg_frame_2_1")));
}

/// The kinds by which a store keeps runs apart.
fn kinds<S: Ciphersuite>(snapshot: &mut Snapshot) {
    let mut put = |name: &str, kind: Kind| snapshot.put(name, kind.as_bytes());
    put("kind_dkg", Kind::of::<Dkg<S>>());
    put("kind_share_exchange", Kind::of::<ShareExchange<S>>());
    put("kind_reshare", Kind::of::<Reshare<Frost<S>>>());
    put("kind_repair", Kind::of::<Repair<Frost<S>>>());
    put("kind_acknowledge", Kind::of::<Acknowledge<Frost<S>>>());
}

fn wire<S: Ciphersuite>() {
    let mut now = Snapshot(Vec::new());
    signing::<S>(&mut now);
    roast::<S>(&mut now);
    generation::<S>(&mut now);
    check_generated_key::<S>(&now);
    kinds::<S>(&mut now);

    let suite = S::CONTEXT.trim_end_matches("-v1").to_lowercase().replace('-', "_");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/vectors/data")
        .join(format!("wire_{suite}.txt"));
    if std::env::var_os("QUORATE_BLESS").is_some() {
        let lines: String =
            now.0.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        let head = format!("# Stored and sent forms of {}; see wire.rs.\n\n", S::CONTEXT);
        std::fs::write(&path, head + &lines).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let [record] = records(&text).try_into().ok().unwrap();
    let pinned = Snapshot(
        now.0.iter().map(|(name, _)| (name.clone(), record.text(name).to_owned())).collect(),
    );
    assert_eq!(text.matches(" = ").count(), now.0.len());
    for ((name, now), (_, before)) in now.0.iter().zip(&pinned.0) {
        assert_eq!(now, before, "{name} has changed");
    }
    reads_back::<S>(&pinned);
    golden::<S>(now, &suite);
}

/// What version 1 of the stored forms wrote opens for ever: see [`quorate_testkit::golden`].
fn golden<S: Ciphersuite>(now: Snapshot, suite: &str) {
    const STORED: [&str; 7] = [
        "dealt_share",
        "nonce_batch",
        "published_nonces",
        "commitments",
        "signing_package",
        "signature_share",
        "roast_signer",
    ];
    let file = |(name, digits): (String, String)| {
        if !STORED.contains(&&name[..]) {
            return (name, digits);
        }
        let object = format!("{suite}-{name}").replace('_', "-");
        let make = || unhex(&digits);
        let bytes = quorate_testkit::golden::file(env!("CARGO_MANIFEST_DIR"), &object, make);
        (name, hex(&bytes))
    };
    reads_back::<S>(&Snapshot(now.0.into_iter().map(file).collect()));
}

/// The suite's row in the first table of `docs/spec/frost.md`: the code, which no other row has, and the lengths. Codes from 32 up are
/// those of other families.
fn has_a_row_of_its_own<S: Ciphersuite>() {
    assert!(S::CODE < 32, "{}: {}", S::CONTEXT, S::CODE);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/spec/frost.md");
    let page = std::fs::read_to_string(page).unwrap();
    let table = page.lines().skip_while(|line| !line.starts_with("| suite | code |")).skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    let rows = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let with_code: Vec<_> = rows.filter(|row| row[2] == S::CODE.to_string()).collect();
    let [row] = with_code.as_slice() else {
        panic!(
            "{} rows of docs/spec/frost.md have {}, the code of {}",
            with_code.len(),
            S::CODE,
            S::CONTEXT
        )
    };
    let lengths = [
        (row[3], size_of::<<S::Curve as Curve>::PointBytes>()),
        (row[4], size_of::<<S::Curve as Curve>::ScalarBytes>()),
        (row[5].split_once("z, ").unwrap().1, size_of::<S::SignatureBytes>()),
    ];
    for (cell, length) in lengths {
        let digits = cell.split(|c: char| !c.is_ascii_digit()).next().unwrap();
        assert_eq!(digits, length.to_string(), "{}: {cell}", S::CONTEXT);
    }
}

quorate_testkit::suite_tests!(wire, has_a_row_of_its_own);
