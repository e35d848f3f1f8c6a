//! Runs of whole protocols, traced: the time that each party computes, and the bytes that it sends to each other one.

use quorate::frost::ed25519::{Dkg, DkgParams};
use quorate::{Parties, SessionId};
use quorate_bignum::Engine;

use crate::ecdsa::sessions::run;
use crate::ecdsa::{EcdsaFixture, EcdsaLibrary as _, EcdsaStep, Ledger, QuorateEcdsa, Trace};
use crate::report::committee::Committee;
use crate::report::ecdsa_lanes::setup;

/// Threshold ECDSA among n parties, all of whom sign; moduli of 2048 bits.
pub(super) fn ecdsa(n: u16, k: u16) -> Box<dyn EcdsaFixture> {
    QuorateEcdsa(Engine::detect()).fixture(setup(n, k)).expect("Quorate does it all")
}

/// One run of these steps, one after the other.
pub(super) fn of(fixture: &mut dyn EcdsaFixture, steps: &[EcdsaStep]) -> Trace {
    let mut whole = Trace::default();
    for &step in steps {
        fixture.prepare(step);
        let mut ledger = Ledger::tracing();
        fixture.run(step, &mut ledger);
        whole = whole.then(ledger.trace());
    }
    whole
}

/// A key generation of FROST over Ed25519: t of n, two thirds of them.
pub(crate) fn frost_keygen(n: u16) -> Trace {
    let parties = Parties::numbered(n).expect("a valid size");
    let mut ledger = Ledger::tracing();
    let params = |_| DkgParams::new(threshold(n));
    run::<Dkg>(SessionId::new([9; 32]), &parties, params, &mut ledger);
    ledger.trace()
}

fn threshold(n: u16) -> u16 {
    (2 * n).div_ceil(3).max(2)
}

/// A signature of FROST over Ed25519, by two thirds of n. The first party is the coordinator too.
pub(super) fn frost_sign(n: u16) -> Trace {
    let mut ledger = Ledger::tracing();
    Committee::new(threshold(n), n).sign(&mut ledger);
    ledger.trace()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::thorchain::net::{Network, finish};

    #[test]
    fn a_signature_of_frost_goes_to_the_coordinator_and_back() {
        let trace = frost_sign(4);
        assert_eq!((trace.rounds.len(), trace.parties()), (4, 3));
        assert!(
            trace.rounds[0].iter().all(|turn| turn.sent.len() == 1 && turn.sent[0].0 == Some(0))
        );
        assert_eq!(trace.rounds[1][0].sent.len(), 2);
        // Three ways over the longest link in use, us-east to eu-west; only what is sent on the way back counts twice.
        let seconds = finish(&trace, Some(&Network::regions(1)));
        assert!(seconds > 3.0 * 0.038 && seconds < 3.0 * 0.038 * 1.1 + 0.1, "{seconds}");
    }

    #[test]
    fn a_key_generation_is_traced_to_its_end() {
        let trace = frost_keygen(3);
        assert_eq!(trace.parties(), 3);
        // Three rounds of messages, and the last turn.
        assert_eq!(trace.rounds.len(), 4);
        assert!(trace.rounds[3].iter().all(|turn| turn.sent.is_empty() && turn.seconds > 0.0));
    }
}
