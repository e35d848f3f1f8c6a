#![allow(clippy::unwrap_used, clippy::unwrap_in_result, reason = "a test that fails stops")]

use quorate_curve::Secp256k1;
use quorate_session::frame::{Header, PREFIX, VERSION};
use quorate_session::{Limits, Parties, Round, SessionId};

use super::finding::all_hold;
use super::judge::Terms;
use super::log::Log;
use super::*;
use crate::proofs::{RunBinding, verify};

/// A run of one round whose only proof is found to be this.
struct Found {
    parties: Parties,
    verdict: Option<quorate_zk::ProofFault>,
}

#[allow(private_interfaces, reason = "nobody else implements it")]
impl PublicRun for Found {
    fn terms(&self) -> Terms<'_> {
        let binding = RunBinding { sid: SessionId::new([1; 32]), context: [7; 32] };
        let limits = vec![Limits { broadcast: 1, direct: 0 }];
        Terms { parties: &self.parties, code: 200, limits, binding }
    }

    fn judge(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        log.broadcast()?;
        let found = self.verdict.into_iter().map(|fault| (log.culprit, Err(fault)));
        all_hold(Some(verify::<Secp256k1>(engine, found)))
    }
}

fn verdict(found: Option<quorate_zk::ProofFault>) -> Result<Fault, NotShown> {
    let parties = Parties::numbered(2).unwrap();
    let culprit = parties.iter().next().unwrap();
    let (version, code, round, context) = (VERSION, 200, Round(1), [7; 32]);
    let header = Header { version, code, round, from: culprit, to: None, context };
    let frames = vec![(culprit, header.frame(Some(&[0; PREFIX]), &[0]))];
    let evidence = Evidence::new(culprit, quorate_session::Evidence::new(context, frames)).unwrap();
    evidence.verify(&Found { parties, verdict: found })
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
