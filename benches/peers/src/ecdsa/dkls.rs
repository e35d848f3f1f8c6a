//! The crate `dkls23`: oblivious transfer instead of Paillier encryption.
//!
//! Its parameters precede the corrections of ePrint 2026/976, by which a multiplication takes more transfers than its 416.
//! Whoever compares times or bytes with it says so.

use std::collections::BTreeMap;

use dkls23::protocols::dkg_session::DkgSession;
use dkls23::protocols::sign_session::SignSession;
use dkls23::protocols::signing::SignData;
use dkls23::protocols::{Parameters, PartyIndex};
use dkls23::secp256k1::{Party, compute_eth_address};
use quorate_benches::MESSAGE;
use quorate_benches::ecdsa::{
    EcdsaCurve, EcdsaFixture, EcdsaLibrary, EcdsaStep, Ledger, Level, Setup,
};
use sha2::{Digest, Sha256};

use super::machines::size;

/// `dkls23` 0.6. There are no moduli in it, and neither auxiliary information nor presignatures. It draws its
/// randomness from the system.
pub struct Dkls23;

impl EcdsaLibrary for Dkls23 {
    fn name(&self) -> String {
        "dkls23-0.6".to_owned()
    }

    fn fixture(&self, setup: Setup) -> Option<Box<dyn EcdsaFixture>> {
        let same = setup.curve == EcdsaCurve::Secp256k1 && setup.level == Level::Bits128;
        same.then(|| -> Box<dyn EcdsaFixture> {
            Box::new(Parties { setup, count: 0, parties: Vec::new() })
        })
    }
}

struct Parties {
    setup: Setup,
    /// Counts the runs: each has an id of its own.
    count: u8,
    parties: Vec<Party>,
}

fn index(party: usize) -> PartyIndex {
    PartyIndex::new(u8::try_from(party + 1).expect("few parties")).expect("not zero")
}

/// Messages for one party, out of those from each to each.
macro_rules! to {
    ($party:expr, $sent:expr) => {
        $sent
            .iter()
            .flatten()
            .filter(|m| m.parties.receiver == index($party))
            .cloned()
            .collect::<Vec<_>>()
    };
}

impl Parties {
    fn id(&mut self) -> Vec<u8> {
        self.count = self.count.wrapping_add(1);
        vec![self.count; 32]
    }

    fn keygen(&mut self, ledger: &mut Ledger) {
        let Setup { t, n, .. } = self.setup;
        let [threshold, share_count] = [t, n].map(|n| u8::try_from(n).expect("few parties"));
        let id = self.id();
        let (mut sessions, mut rows) = (Vec::new(), Vec::new());
        for party in 0..usize::from(n) {
            let (session, row) = ledger.work(0, party, || {
                let parameters = Parameters { threshold, share_count };
                let session = DkgSession::new(parameters, index(party), id.clone());
                let row = session.phase1();
                (session, row)
            });
            // A scalar to each other party.
            ledger.sent(party, || 32 * (row.len() - 1));
            sessions.push(session);
            rows.push(row);
        }
        let (mut proofs, mut zero2, mut chain2) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (party, session) in sessions.iter_mut().enumerate() {
            let column: Vec<_> = rows.iter().map(|row| row[party]).collect();
            let (proof, zero, chain) =
                ledger.work(1, party, || session.phase2(&column).expect("honest parties"));
            ledger
                .sent(party, || size(&proof) + zero.iter().map(size).sum::<usize>() + size(&chain));
            proofs.push(proof);
            zero2.push(zero);
            chain2.insert(index(party), chain);
        }
        let (mut zero3, mut products, mut chain3) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (party, session) in sessions.iter_mut().enumerate() {
            let (zero, product, chain) =
                ledger.work(2, party, || session.phase3().expect("honest parties"));
            ledger.sent(party, || {
                zero.iter().map(size).sum::<usize>()
                    + product.iter().map(size).sum::<usize>()
                    + size(&chain)
            });
            zero3.push(zero);
            products.push(product);
            chain3.insert(index(party), chain);
        }
        self.parties.clear();
        for (party, session) in sessions.into_iter().enumerate() {
            let (zero2, zero3) = (to!(party, zero2), to!(party, zero3));
            let products = to!(party, products);
            let (made, _) = ledger.work(3, party, || {
                let address = compute_eth_address;
                let made =
                    session.phase4(&proofs, &zero2, &zero3, &products, &chain2, &chain3, address);
                made.expect("honest parties")
            });
            self.parties.push(made);
        }
    }

    fn sign(&mut self, ledger: &mut Ledger) {
        let t = usize::from(self.setup.t);
        let id = self.id();
        let (mut sessions, mut first) = (Vec::new(), Vec::new());
        for party in 0..t {
            let data = SignData {
                sign_id: id.clone(),
                counterparties: (0..t).filter(|&other| other != party).map(index).collect(),
                message_hash: Sha256::digest(MESSAGE).into(),
            };
            let keys = &self.parties[party];
            let (session, sent) =
                ledger.work(0, party, || SignSession::new(keys, data).expect("valid data"));
            ledger.sent(party, || sent.iter().map(size).sum());
            sessions.push(session);
            first.push(sent);
        }
        let mut second = Vec::new();
        for (party, session) in sessions.iter_mut().enumerate() {
            let received = to!(party, first);
            let sent = ledger.work(1, party, || session.phase2(&received).expect("honest parties"));
            ledger.sent(party, || sent.iter().map(size).sum());
            second.push(sent);
        }
        let mut third = Vec::new();
        for (party, session) in sessions.iter_mut().enumerate() {
            let received = to!(party, second);
            let sent = ledger.work(2, party, || session.phase3(&received).expect("honest parties"));
            ledger.sent(party, || size(&sent));
            third.push(sent);
        }
        for (party, session) in sessions.into_iter().enumerate() {
            ledger.work(3, party, || session.phase4(&third, true).expect("honest parties"));
        }
    }
}

impl EcdsaFixture for Parties {
    fn has(&self, step: EcdsaStep) -> bool {
        matches!(step, EcdsaStep::Keygen | EcdsaStep::SignInteractive)
    }

    fn prepare(&mut self, step: EcdsaStep) {
        if step == EcdsaStep::SignInteractive && self.parties.is_empty() {
            self.keygen(&mut Ledger::timing());
        }
    }

    fn run(&mut self, step: EcdsaStep, ledger: &mut Ledger) {
        match step {
            EcdsaStep::Keygen => self.keygen(ledger),
            EcdsaStep::SignInteractive => self.sign(ledger),
            _ => unreachable!("there is no such step"),
        }
    }
}
