#![allow(clippy::unwrap_used, clippy::unwrap_in_result, reason = "a test that fails stops")]

use quorate_curve::Secp256k1;
use quorate_session::frame::{Header, PREFIX, VERSION};
use quorate_session::{Limits, Parties, Round, SessionId};

use super::finding::all_hold;
use super::judge::Terms;
use super::log::Log;
use super::*;
use crate::proofs::{RunBinding, verify};

/// A run whose only proof, in whatever round, is found to be this. Of its three rounds the second alone has direct messages.
struct Found {
    parties: Parties,
    verdict: Option<quorate_zk::ProofFault>,
}

#[allow(private_interfaces, reason = "nobody else implements it")]
impl PublicRun for Found {
    fn terms(&self) -> Terms<'_> {
        let binding = RunBinding { sid: SessionId::new([1; 32]), context: [7; 32] };
        let limits = [0, 1, 0].map(|direct| Limits { broadcast: 1, direct }).to_vec();
        Terms { parties: &self.parties, code: 200, limits, binding }
    }

    fn judge(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        log.broadcast()?;
        let found = self.verdict.into_iter().map(|fault| (log.culprit, Err(fault)));
        all_hold(Some(verify::<Secp256k1>(engine, found)))
    }
}

const CONTEXT: [u8; 32] = [7; 32];

/// Parties 1 and 2.
fn two() -> (Parties, PartyId) {
    let parties = Parties::numbered(2).unwrap();
    let culprit = parties.iter().next().unwrap();
    (parties, culprit)
}

/// A frame of party 1, with its sender.
fn sent(round: u8, to: Option<PartyId>, echo: &[u8; PREFIX], body: &[u8]) -> (PartyId, Vec<u8>) {
    let (version, code, from) = (VERSION, 200, two().1);
    let header = Header { version, code, round: Round(round), from, to, context: CONTEXT };
    (from, header.frame(Some(echo), body))
}

fn verdict(found: Option<quorate_zk::ProofFault>) -> Result<Fault, NotShown> {
    verdict_on(found, vec![sent(1, None, &[0; PREFIX], &[0])])
}

fn verdict_on(
    found: Option<quorate_zk::ProofFault>,
    frames: Vec<(PartyId, Vec<u8>)>,
) -> Result<Fault, NotShown> {
    let (parties, culprit) = two();
    let evidence = Evidence::new(culprit, quorate_session::Evidence::new(CONTEXT, frames)).unwrap();
    evidence.verify(&Found { parties, verdict: found })
}

/// Frames of the culprit that no session takes do not stand in the way of a frame that it did take: an empty one of a kind that the
/// round does not have, and one to nobody of the run, or to the culprit itself.
#[test]
fn frames_that_no_session_takes_are_not_taken() {
    let (parties, culprit) = two();
    let shown = sent(1, None, &[0; PREFIX], &[0]);
    let fault = Some(quorate_zk::ProofFault::Equation);
    let other = parties.iter().last();
    for (round, to, body) in [
        (1, other, &[][..]),
        (3, other, &[]),
        (4, None, &[]),
        (2, Some(culprit), &[0]),
        (2, PartyId::new(9), &[0]),
        (2, PartyId::new(9), &[]),
    ] {
        let more = sent(round, to, &[1; PREFIX], body);
        let frames = vec![more, shown.clone()];
        assert_eq!(verdict_on(fault, frames), Ok(Fault::InvalidProof), "{round} {to:?}");
    }
    // One that a session takes makes it round 2, of which the other broadcasts are missing.
    let frames = vec![sent(2, other, &[1; PREFIX], &[]), shown];
    assert_eq!(verdict_on(fault, frames), Err(NotShown::Incomplete));
}

/// Two frames of 2^31 bytes, by their lengths alone.
#[cfg(target_pointer_width = "64")]
#[test]
fn evidence_longer_than_its_stored_form_can_hold_is_refused() {
    assert_eq!(check_length([0xffff_ffff - 40].into_iter()), Ok(()));
    let got = (1 << 32) + 46;
    assert_eq!(check_length([1 << 31; 2].into_iter()), Err(TooLong { bytes: 4, got }));
}

/// A verifier that fails reports this, and accuses nobody.
#[test]
fn own_defects_leave_it_unclear() {
    assert_eq!(verdict(None), Err(NotShown::InOrder));
    assert_eq!(verdict(Some(quorate_zk::ProofFault::Equation)), Ok(Fault::InvalidProof));
    for defect in [quorate_zk::ProofFault::Values, quorate_zk::ProofFault::Statement] {
        assert_eq!(verdict(Some(defect)), Err(NotShown::Unclear));
    }
}
