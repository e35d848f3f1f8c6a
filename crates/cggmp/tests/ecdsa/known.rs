//! Known answers: a digest of every frame and of every result of whole runs with fixed seeds, the
//! same on every engine. A change is a change of the wire or of the storage format, or of the order
//! in which random values are drawn. To freeze them again, set `QUORATE_BLESS`.

use quorate_bignum::Engine;
use quorate_cggmp::{AuxInfoGen, EcdsaCurve, P256, Presign, Secp256k1, Sign, SignParams};
use quorate_session::sim::Network;
use quorate_session::{Parties, PartyId, Protocol, Transcript};

use crate::support::*;

/// A run of all three parties as one digest.
fn answer<P: Protocol>(
    params: impl FnMut(PartyId) -> P::Params,
    store: impl Fn(&P::Output) -> Vec<u8>,
) -> String {
    let all_parties: &'static Parties = Box::leak(Box::new(parties(NUMBERS)));
    let mut transcript = Transcript::new("known answer");
    let network = Network::new(42).tamper(|delivery| {
        transcript.append_u64("from", delivery.from.get().into());
        transcript.append_u64("to", delivery.to.get().into());
        transcript.append("frame", &delivery.bytes);
        vec![delivery]
    });
    let report = network.run::<P>(sid(70), all_parties, params).unwrap();
    let sizes: Vec<String> = report
        .stats
        .rounds
        .iter()
        .map(|round| format!("{}+{}", round.broadcast_bytes, round.direct_bytes))
        .collect();
    transcript.append_list("results", all(report).values().map(store));
    let digest = transcript.finish32();
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{digest} bytes {}", sizes.join(" "))
}

fn curve<C: EcdsaCurve>(engine: Engine, lines: &mut Vec<String>) {
    let group = Group::<C>::at(REAL, 2);
    let params = |party| group.params(party).with_engine(engine);
    let presign = answer::<Presign<C>>(params, |one| one.to_bytes().to_vec());
    lines.push(format!("presign {} {presign}", C::NAME));
    let params = |party| SignParams::new(params(party), digest::<C>(b"message"));
    let sign = answer::<Sign<C>>(params, |one| one.to_recoverable().unwrap().to_vec());
    lines.push(format!("sign {} {sign}", C::NAME));
}

fn answers(engine: Engine) -> String {
    let all = parties(NUMBERS);
    let params = |party| aux_params(REAL, all.position(party).unwrap()).with_engine(engine);
    let aux = answer::<AuxInfoGen>(params, |one| one.to_bytes().to_vec());
    let mut lines = vec![format!("aux-info 2048 {aux}")];
    curve::<Secp256k1>(engine, &mut lines);
    curve::<P256>(engine, &mut lines);
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
