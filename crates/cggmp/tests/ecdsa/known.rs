//! Known answers: a digest of every frame and of every result of whole runs with fixed seeds, the
//! same on every engine. A change is a change of the wire or of the storage format, or of the order
//! in which random values are drawn. To freeze them again, set `QUORATE_BLESS`.

use std::collections::BTreeMap;

use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfoGen, EcdsaCurve, Evidence, Keygen, KeygenParams, MessageDigest, P256, Presign,
    PresignMany, PresignManyParams, Presignature, Presignatures, Secp256k1, Sign, SignParams,
};
use quorate_paillier::Level;
use quorate_session::sim::{Delivery, Network, Report};
use quorate_session::{Abort, Fault, Parties, PartyId, Protocol, SealKey, Transcript};

use crate::support::*;

/// Whole runs of these parties: the number of the session id, and the seed of the network.
struct Runs<'n> {
    numbers: &'n [u16],
    sid: u8,
    seed: u64,
}

impl Runs<'_> {
    /// A run in which nobody fails, as one digest.
    fn answer<P: Protocol>(
        &self,
        params: impl FnMut(PartyId) -> P::Params,
        store: impl Fn(&P::Output) -> Vec<u8>,
    ) -> String {
        self.ended::<P>(params, |_| {}, |report| all(report).values().map(&store).collect())
    }

    /// A run whose frames `alter` changes on their way, as one digest of them and of what `results` makes of the end.
    fn ended<P: Protocol>(
        &self,
        params: impl FnMut(PartyId) -> P::Params,
        mut alter: impl FnMut(&mut Delivery),
        results: impl FnOnce(Report<P::Output>) -> Vec<Vec<u8>>,
    ) -> String {
        let all_parties: &'static Parties =
            Box::leak(Box::new(parties(self.numbers.iter().copied())));
        let mut transcript = Transcript::new("known answer");
        let network = Network::new(self.seed).tamper(|mut delivery| {
            alter(&mut delivery);
            transcript.append_u64("from", delivery.from.get().into());
            transcript.append_u64("to", delivery.to.get().into());
            transcript.append("frame", &delivery.bytes);
            vec![delivery]
        });
        let report = network.run::<P>(sid(self.sid), all_parties, params).unwrap();
        let sizes: Vec<String> = report
            .stats
            .rounds
            .iter()
            .map(|round| format!("{}+{}", round.broadcast_bytes, round.direct_bytes))
            .collect();
        transcript.append_list("results", results(report));
        format!("{} bytes {}", hex(&transcript.finish32()), sizes.join(" "))
    }
}

const fn of(numbers: &[u16]) -> Runs<'_> {
    Runs { numbers, sid: 70, seed: 42 }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sha256(bytes: &[u8]) -> String {
    hex(MessageDigest::sha256(bytes).as_bytes())
}

/// Parties 2 and 7 with a key and auxiliary information of their own.
fn two<C: EcdsaCurve>(level: Level) -> Group<C> {
    let numbers = [2, 7];
    Group { keys: keys(&numbers, 2), aux: run_aux(Network::new(1), level, &numbers) }
}

fn curve<C: EcdsaCurve>(engine: Engine, lines: &mut Vec<String>) {
    let group = Group::<C>::at(REAL, 2);
    // The run that makes the group's key.
    let runs = Runs { numbers: &NUMBERS, sid: 2, seed: 1 };
    let keygen = runs.answer::<Keygen<C>>(|_| KeygenParams::new(2), |one| one.to_bytes().to_vec());
    lines.push(format!("keygen {} {keygen}", C::NAME));
    let params = |party| group.params(party).with_engine(engine);
    let mut made = None;
    let presign = of(&NUMBERS).ended::<Presign<C>>(
        params,
        |_| {},
        |report| {
            let all = made.insert(all(report));
            all.values().map(|one| one.to_bytes().to_vec()).collect()
        },
    );
    lines.push(format!("presign {} {presign}", C::NAME));
    let presign = of(&[2, 40]).answer::<Presign<C>>(params, |one| one.to_bytes().to_vec());
    lines.push(format!("presign-2-40 {} {presign}", C::NAME));
    let params = |party| SignParams::new(params(party), digest::<C>(b"message"));
    let sign = of(&NUMBERS).answer::<Sign<C>>(params, |one| one.to_recoverable().unwrap().to_vec());
    lines.push(format!("sign {} {sign}", C::NAME));
    lines.push(forms(&group, made.unwrap()));
}

/// The SHA-256 of stored and sent forms that come of presignatures: the share of party 2 for a key with a tweak, the public side, the
/// list and the inventory of party 2.
fn forms<C: EcdsaCurve>(group: &Group<C>, mut made: BTreeMap<PartyId, Presignature<C>>) -> String {
    let one = made.remove(&id(2)).unwrap();
    let (info, stored) = (one.info().to_bytes(), one.to_bytes());
    let mut stock = Presignatures::new(id(2));
    stock.insert(one).unwrap();
    let (list, sealed) = (stock.list(&parties(NUMBERS)), stock.seal(&SealKey::new([9; 32])));
    let key = group.key_of(id(2));
    let path = "m/0/7".parse().unwrap();
    let child = key.public().derivation(&path).unwrap();
    let claim = Presignature::<C>::from_bytes(&stored).unwrap().claim(
        key,
        &path,
        MessageDigest::sha256(b"message"),
    );
    let share = release(claim.unwrap()).to_bytes();
    format!(
        "forms {} tweak {} key {} 37 {} 38 {} 42 {} 167 {}",
        C::NAME,
        hex(&C::encode_scalar(&child.tweak)),
        hex(child.key.as_bytes()),
        sha256(&share),
        sha256(&info),
        sha256(&list),
        sha256(&sealed)
    )
}

/// The last bit of party 7's δ is changed on its way. Party 7 confirms, with the echo of what the others have, and they raise the
/// alert. The results are the evidence of both against it.
fn alert(engine: Engine) -> String {
    let group = Group::<Secp256k1>::at(REAL, 2);
    let params = |party| group.params(party).with_engine(engine);
    let mut sums = BTreeMap::new();
    let alter = |delivery: &mut Delivery| {
        let (liar, body) = (delivery.from == id(7), HEADER + ECHO);
        if delivery.round.get() == 3 {
            delivery.bytes[body + 31] ^= u8::from(liar);
            sums.insert(delivery.from, delivery.bytes[body..].to_vec());
        } else if delivery.round.get() == 4 && liar {
            let seen: Vec<&[u8]> = sums.values().map(Vec::as_slice).collect();
            let echo = echo(&context(&delivery.bytes), Round(3), &seen);
            delivery.bytes[HEADER..body].copy_from_slice(&echo);
        }
    };
    let evidence = |party: u16, result: &Result<_, Abort>| {
        let Err(Abort::Misbehaviour(blames)) = result else { panic!("party {party}") };
        let [blame] = &blames[..] else { panic!("one culprit") };
        assert_eq!((blame.party, blame.fault, blame.round.get()), (id(7), Fault::Malformed, 4));
        Evidence::from_blame(blame).unwrap().to_bytes()
    };
    let mut shown = Vec::new();
    let answer = of(&NUMBERS).ended::<Presign<Secp256k1>>(params, alter, |report| {
        shown = [2, 40].map(|party| evidence(party, &report.results[&id(party)])).to_vec();
        shown.clone()
    });
    format!("alert secp256k1 {answer} 41 {}", sha256(&shown[0]))
}

/// Level 3072, with the key of parties 2 and 7.
fn long(engine: Engine, lines: &mut Vec<String>) {
    let (level, numbers) = (Level::Bits128, [2, 7]);
    let place = |party| parties(numbers).position(party).unwrap();
    let params = |party| aux_params(level, place(party)).with_engine(engine);
    let aux = of(&numbers).answer::<AuxInfoGen>(params, |one| one.to_bytes().to_vec());
    lines.push(format!("aux-info 3072 {aux}"));
    let group = two::<Secp256k1>(level);
    let params = |party| group.params(party).with_engine(engine);
    let presign = of(&numbers).answer::<Presign<Secp256k1>>(params, |one| one.to_bytes().to_vec());
    lines.push(format!("presign-3072 secp256k1 {presign}"));
}

fn many(engine: Engine) -> String {
    let group = two::<Secp256k1>(REAL);
    let params = |party| PresignManyParams::new(group.params(party).with_engine(engine), 3);
    let each = |made: &Vec<Presignature<_>>| -> Vec<u8> {
        made.iter().flat_map(|one| one.to_bytes().to_vec()).collect()
    };
    let answer = of(&[2, 7]).answer::<PresignMany<Secp256k1>>(params, each);
    format!("presign-many secp256k1 {answer}")
}

fn answers(engine: Engine) -> String {
    let all = parties(NUMBERS);
    let params = |party| aux_params(REAL, all.position(party).unwrap()).with_engine(engine);
    let aux = of(&NUMBERS).answer::<AuxInfoGen>(params, |one| one.to_bytes().to_vec());
    let mut lines = vec![format!("aux-info 2048 {aux}")];
    curve::<Secp256k1>(engine, &mut lines);
    curve::<P256>(engine, &mut lines);
    lines.extend([many(engine), alert(engine)]);
    long(engine, &mut lines);
    lines.join("\n") + "\n"
}

#[test]
fn known_answers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/known_answers.txt");
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(path, answers(Engine::portable())).unwrap();
    }
    let frozen = std::fs::read_to_string(path).unwrap();
    // Every other engine gives the same bytes: `presign::engines_agree`.
    assert_eq!(answers(Engine::detect()), frozen);
}
