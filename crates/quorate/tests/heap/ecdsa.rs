//! Threshold ECDSA, from the key to a signature.

use std::sync::Arc;

use quorate::ecdsa::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, Engine, KeyShare, Keygen, KeygenParams,
    MessageDigest, Presign, PresignParams, Presignature, Presignatures, RawDigest, Reshare,
    ReshareParams, ResharePlan, Secp256k1 as C, Sign, SignParams,
};
use quorate::session::frame::{HEADER, PREFIX};
use quorate::session::{Parties, PartyId, Progress, Session, SessionId, SpentInMemory, Step, To};
use quorate_bignum::{Integer, SecretInteger};
use quorate_curve::Curve;
use quorate_testkit::fixtures;
use quorate_testkit::heap::Watchlist;

use crate::Report;
use crate::numbers::{LEVEL, big, watch_ciphertexts, watch_primes};
use crate::runs::{Frame, line, recorded, run, watch_number, watch_scalar};
use quorate_testkit::lockstep::id;
use quorate_testkit::rng;

type Scalar = <C as Curve>::Scalar;

fn decode(bytes: &[u8]) -> Scalar {
    C::decode_scalar(bytes).unwrap()
}

/// Takes the share out of a stored form, which ends with it and a digest.
fn secret_of(share: &KeyShare<C>) -> Scalar {
    let bytes = share.to_bytes();
    decode(&bytes[bytes.len() - 64..bytes.len() - 32])
}

fn watch_share(list: &mut Watchlist, share: &KeyShare<C>, signers: &Parties) {
    watch_scalar::<C>(list, "x_i", &secret_of(share));
    let additive = share.additive(signers).unwrap();
    watch_scalar::<C>(list, "lambda_i x_i", additive.secret().expose());
}

#[test]
fn key_generation_leaves_no_secret_on_the_heap() {
    let mut report = Report::default();
    let parties = Parties::numbered(3).unwrap();
    let params = |_| KeygenParams::<C>::new(2);
    let (shares, frames) = recorded::<Keygen<C>>(10, &parties, params);
    let mut list = Watchlist::new();
    for share in &shares {
        watch_scalar::<C>(&mut list, "x_i", &secret_of(share));
    }
    for dealer in parties.iter() {
        let mut dealt = Vec::new();
        for frame in frames.iter().filter(|frame| frame.from == dealer && frame.round == 2) {
            let To::Only(to) = frame.to else { continue };
            dealt.push((to, decode(frame.end(32))));
        }
        for (_, share) in &dealt {
            watch_scalar::<C>(&mut list, "f_i(j)", share);
        }
        let [constant, slope] = line::<C>(dealt.try_into().ok().unwrap());
        watch_scalar::<C>(&mut list, "a_0", &constant);
        watch_scalar::<C>(&mut list, "a_1", &slope);
        let place = Scalar::from(u64::from(dealer.get()));
        watch_scalar::<C>(&mut list, "f_i(i)", &(constant + slope * place));
    }
    report.watch("key generation", &list, || {
        for share in run::<Keygen<C>>(10, &parties, params, |_, _, _| ()) {
            drop(KeyShare::<C>::from_bytes(&share.to_bytes(), share.public()).unwrap());
        }
    });
}

/// The shares of two epochs, those weighted for the dealers, and the secrets of presignatures of the older epoch.
#[test]
fn a_refresh_leaves_no_secret_on_the_heap() {
    let mut report = Report::default();
    let (parties, dealers) = (Parties::numbered(3).unwrap(), Parties::numbered(2).unwrap());
    let keys = run::<Keygen<C>>(14, &parties, |_| KeygenParams::new(2), |_, _, _| ());
    let plan = ResharePlan::<C>::refresh(keys[0].public().shared(), dealers.clone()).unwrap();
    let params = |me: PartyId| match keys.iter().find(|key| key.id() == me) {
        Some(key) if dealers.contains(me) => {
            ReshareParams::dealer(&plan, key.secret_share()).unwrap()
        }
        _ => ReshareParams::member(&plan, me).unwrap(),
    };
    let refreshed = || {
        let done = run::<Reshare<C>>(15, &parties, params, |_, _, _| ());
        done.into_iter().map(|one| one.share.unwrap()).collect::<Vec<_>>()
    };
    let mut list = Watchlist::new();
    for share in &keys {
        watch_scalar::<C>(&mut list, "old x_i", &secret_of(share));
        if dealers.contains(share.id()) {
            let additive = share.additive(&dealers).unwrap();
            watch_scalar::<C>(&mut list, "lambda_i x_i", additive.secret().expose());
        }
    }
    for share in refreshed() {
        watch_scalar::<C>(&mut list, "new x_i", &secret_of(&share));
    }
    report.watch("refresh", &list, || {
        for share in refreshed() {
            let mut again = KeyShare::<C>::from_bytes(&share.to_bytes(), share.public()).unwrap();
            again.confirm();
        }
    });
}

struct Signers {
    parties: Parties,
    keys: Vec<Arc<KeyShare<C>>>,
    secrets: Vec<Arc<AuxSecrets>>,
    aux: Vec<Arc<AuxInfo>>,
}

fn secrets(place: usize) -> Arc<AuxSecrets> {
    quorate_testkit::ecdsa::secrets(LEVEL, place)
}

impl Signers {
    fn new() -> Self {
        let all = Parties::numbered(3).unwrap();
        let keys = run::<Keygen<C>>(11, &all, |_| KeygenParams::new(2), |_, _, _| ());
        let mut this = Self {
            parties: Parties::numbered(2).unwrap(),
            keys: keys.into_iter().take(2).map(Arc::new).collect(),
            secrets: (0..2).map(secrets).collect(),
            aux: Vec::new(),
        };
        this.aux = this.run_aux().into_iter().map(Arc::new).collect();
        this
    }

    fn run_aux(&self) -> Vec<AuxInfo> {
        let params = |party: PartyId| {
            let place = self.parties.position(party).unwrap();
            AuxInfoParams::new(Arc::clone(&self.secrets[place]))
        };
        run::<AuxInfoGen>(12, &self.parties, params, |_, _, _| ())
    }

    fn params(&self, party: PartyId) -> PresignParams<C> {
        let place = self.parties.position(party).unwrap();
        let (key, aux) = (Arc::clone(&self.keys[place]), Arc::clone(&self.aux[place]));
        PresignParams::new(key, aux)
    }

    fn watch_keys(&self) -> Watchlist {
        let mut list = Watchlist::new();
        for (place, share) in self.keys.iter().enumerate() {
            watch_share(&mut list, share, &self.parties);
            watch_primes(&mut list, "N", &fixtures::paillier_primes(LEVEL, place));
            watch_primes(&mut list, "the setup", &fixtures::pedersen_primes(LEVEL, place));
        }
        list
    }
}

/// Secrets behind the frames of a presigning: every k, γ and β with their nonces.
fn watch_presigning(list: &mut Watchlist, frames: &[Frame]) -> Vec<Scalar> {
    let len = LEVEL.ciphertext_bytes();
    let part = |bytes: &[u8], at: usize| bytes[at * len..(at + 1) * len].to_vec();
    let mut nonces = Vec::new();
    for frame in frames {
        let (own, other) = if frame.from == id(1) { (0, 1) } else { (1, 0) };
        match (frame.round, frame.to) {
            (1, To::Everyone) => {
                let both = [part(frame.body(), 0), part(frame.body(), 1)];
                let both = both.each_ref().map(Vec::as_slice);
                let plain = watch_ciphertexts(list, "K, G", own, &both);
                for (name, m) in ["k_i", "gamma_i"].iter().zip(&plain) {
                    let scalar = scalar(m);
                    watch_scalar::<C>(list, name, &scalar);
                    nonces.push(scalar);
                }
            }
            (2, To::Only(_)) => {
                let [d, f, d_hat, f_hat] = [0, 1, 2, 3].map(|at| part(frame.body(), at));
                watch_ciphertexts(list, "F", own, &[f.as_slice(), &f_hat]);
                watch_ciphertexts(list, "D", other, &[d.as_slice(), &d_hat]);
            }
            _ => {}
        }
    }
    nonces
}

fn scalar(m: &SecretInteger) -> Scalar {
    let m = m.declassify();
    let magnitude = decode(&m.magnitude().to_be_bytes(32).unwrap());
    if m.is_negative() { -magnitude } else { magnitude }
}

#[test]
#[ignore = "long: .ci/run memory"]
fn aux_info_presigning_and_signing() {
    let mut report = Report::default();
    let signers = Signers::new();
    let list = signers.watch_keys();
    report.watch("keys of a party", &list, || drop([secrets(0), secrets(1)]));
    report.watch("aux-info", &list, || drop(signers.run_aux()));
    presigning(&mut report, &signers);
    signing(&mut report, &signers);
    alarm(&mut report, &signers);
}

fn presigning(report: &mut Report, signers: &Signers) {
    let params = |party| signers.params(party);
    let (made, frames) = recorded::<Presign<C>>(20, &signers.parties, params);
    let mut list = signers.watch_keys();
    watch_presigning(&mut list, &frames);
    let broadcast = |frame: &&Frame| frame.round == 3 && frame.to == To::Everyone;
    let deltas = frames.iter().filter(broadcast).map(|frame| decode(&frame.body()[..32]));
    let delta = deltas.fold(Scalar::default(), |sum, one| sum + one);
    for presignature in &made {
        let bytes = presignature.to_bytes();
        let end = bytes.len() - 32;
        let [k, chi] = [64, 32].map(|back| decode(&bytes[end - back..end - back + 32]));
        watch_scalar::<C>(&mut list, "k_i / delta", &k);
        watch_scalar::<C>(&mut list, "chi_i / delta", &chi);
        watch_scalar::<C>(&mut list, "chi_i", &(chi * delta));
    }
    let path = "m/1".parse().unwrap();
    let other = signers.keys[0].derive(&path).unwrap();
    report.watch("presigning", &list, || {
        for one in run::<Presign<C>>(20, &signers.parties, params, |_, _, _| ()) {
            let one = Presignature::<C>::from_bytes(&one.to_bytes()).unwrap();
            let place = signers.parties.position(one.party_id()).unwrap();
            let path = "m/0/7".parse().unwrap();
            let claim =
                one.claim(&signers.keys[place], &path, MessageDigest::sha256(b"message")).unwrap();
            let receipt = claim.record().store(&mut SpentInMemory::new()).unwrap();
            claim.release(receipt).unwrap();
        }
    });
    report.watch("presignatures that are of no use any more", &list, || {
        for one in made {
            let mut held = Presignatures::new(one.party_id());
            held.insert(one).unwrap();
            assert_eq!(held.keep_only(other.public()), 1);
        }
    });
}

fn signing(report: &mut Report, signers: &Signers) {
    let digest = RawDigest::of_message::<C>(b"message");
    let params = |party| SignParams::new(signers.params(party), digest);
    let (_, frames) = recorded::<Sign<C>>(30, &signers.parties, params);
    let mut list = signers.watch_keys();
    watch_presigning(&mut list, &frames);
    report.watch("signing", &list, || {
        drop(run::<Sign<C>>(30, &signers.parties, params, |_, _, _| ()));
    });
}

/// Presigns up to a red alert: each of the two receives a wrong δ from the other. `seen` gets the alarms.
fn alarmed(signers: &Signers, mut seen: impl FnMut(PartyId, &[u8])) {
    let (parties, sid) = (&signers.parties, SessionId::new([20; 32]));
    let begin = |(me, seed)| {
        Session::<Presign<C>>::start(sid, me, parties, signers.params(me), &mut rng(seed)).unwrap()
    };
    let mut steps: Vec<Step<Presign<C>>> = parties.iter().zip(20..).map(begin).collect();
    for round in 1..4 {
        let [one, other] = <[_; 2]>::try_from(steps).unwrap();
        let told = |step: Step<_>, from: PartyId, outgoing: &[quorate::session::Outgoing]| {
            let mut session: Session<Presign<C>> = step.session;
            for message in outgoing {
                let mut bytes = message.bytes.clone();
                if round == 3 {
                    let delta = &mut bytes[HEADER + PREFIX..][..32];
                    let more = decode(delta) + Scalar::from(1u64);
                    delta.copy_from_slice(C::encode_scalar(&more).as_ref());
                }
                session.receive(from, &bytes).unwrap();
            }
            let Progress::Round(step) = session.advance().unwrap() else { panic!() };
            step
        };
        let (mine, theirs) = (one.outgoing.clone(), other.outgoing.clone());
        steps = vec![told(one, id(2), &theirs), told(other, id(1), &mine)];
    }
    for Step { session, outgoing } in steps {
        seen(session.party_id(), &outgoing[0].bytes[HEADER + PREFIX..]);
        drop(session.give_up());
    }
}

/// The sum of each signer as an integer, and some masks of its Πdec.
fn alarm(report: &mut Report, signers: &Signers) {
    let (_, frames) = recorded::<Presign<C>>(20, &signers.parties, |party| signers.params(party));
    let mut list = signers.watch_keys();
    watch_presigning(&mut list, &frames);
    let len = LEVEL.ciphertext_bytes();
    let part = |bytes: &[u8], at: usize| bytes[at * len..(at + 1) * len].to_vec();
    alarmed(signers, |me, body| {
        let own = usize::from(me.get()) - 1;
        let opening = frames.iter().find(|frame| frame.from == me && frame.round == 1).unwrap();
        let mut read = |bytes: Vec<u8>| {
            watch_ciphertexts(&mut list, "a product", own, &[&bytes]).remove(0).declassify()
        };
        let [k, gamma] = [0, 1].map(|at| read(part(opening.body(), at)));
        let [sent, received] = [1, 2].map(|at| read(part(body, at)));
        let sum = k.mul(&gamma).add(&received).sub(&sent);
        // The upper bits of a mask are those of its response.
        let mut watch = |name: &str, number: &Integer, bytes: usize| {
            let number = number.magnitude().to_be_bytes(512).unwrap();
            list.number(name, &number[512 - bytes..]);
        };
        watch("the sum", &sum, 512);
        let proof = &body[4 * len + 64..];
        let integer = |at: usize, len: usize| Integer::from_be_bytes(&proof[at..at + len]).unwrap();
        for repetition in (0..8).filter(|bit| proof[0] >> bit & 1 == 1) {
            let at = 16 + repetition * (97 + 248 + 256);
            watch("the mask of gamma_i", &integer(at, 97).sub(&gamma), 32);
            watch("the mask of the sum", &integer(at + 97, 248).sub(&sum), 144);
        }
    });
    report.watch("an alarm", &list, || alarmed(signers, |_, _| ()));
}

/// The trapdoors are among what is watched.
#[test]
fn setups_have_trapdoors() {
    let mut report = Report::default();
    let setup = fixtures::pedersen_trapdoor(&Engine::detect(), LEVEL, 0, &mut rng(0)).unwrap();
    let mut list = Watchlist::new();
    watch_number(&mut list, "lambda", &big(setup.lambda()));
    report.watch("a setup's bytes", &list, || drop(setup.to_secret_bytes()));
}
