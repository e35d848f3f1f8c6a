//! One party, and the messages that others may send it. `benches/model` plays all orders of steps; these tests
//! check each answer.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails stops"
)]

mod hostile;
mod restored;
mod steps;

use alloc::vec::Vec;

use quorate_session::{Continuity, Parties, PartyId};

use super::{
    Agreement, Attempt, Certificate, Entry, Held, Opening, Record, Stage, Store, Stored, Tally,
    Unsigned,
};
use crate::Committee;

const KEY: [u8; 32] = [7; 32];

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

fn committee(numbers: &[u16], threshold: u16) -> Committee {
    let parties = Parties::new(numbers.iter().map(|number| id(*number))).unwrap();
    Committee::new(parties, threshold).unwrap()
}

fn attempt_of(key: [u8; 32], epoch: u32, name: u8, numbers: &[u16]) -> Attempt {
    Attempt::invented(key, epoch, [name; 32], committee(numbers, 2))
}

fn attempt(epoch: u32, name: u8) -> Attempt {
    attempt_of(KEY, epoch, name, &[1, 2, 3])
}

fn held(party: u16, attempt: &Attempt) -> Held {
    Held::invented(id(party), attempt.clone(), attempt.epoch() == 0)
}

/// A signature for tests: the signer and the message.
fn sign(party: u16) -> impl Fn(&[u8]) -> Vec<u8> {
    move |message| [&party.to_be_bytes(), message].concat()
}

fn identities(party: PartyId, message: &[u8], signature: &[u8]) -> bool {
    signature == sign(party.get())(message)
}

fn certificate<S: Stage>(attempt: &Attempt) -> Certificate<S> {
    let mut tally = Tally::new(attempt.clone());
    for party in attempt.committee().parties().iter() {
        let signed = Unsigned::<S>::new(party, attempt.clone()).sign(sign(party.get())).unwrap();
        tally.add(signed, &identities).unwrap();
    }
    tally.certificate().unwrap()
}

/// The two stores of party 1. All data in them goes through bytes.
#[derive(Clone, Default)]
struct Disk {
    record: Option<Vec<u8>>,
    shares: Vec<Held>,
    ledger: Vec<Vec<u8>>,
}

impl Disk {
    fn with(shares: &[&Attempt]) -> Self {
        Self { shares: shares.iter().map(|attempt| held(1, attempt)).collect(), ..Self::default() }
    }

    fn stored(&self) -> Stored {
        Stored {
            record: self.record.as_ref().map(|bytes| Record::from_bytes(bytes).unwrap()),
            held: self.shares.clone(),
            ledger: self.ledger.iter().map(|bytes| Entry::from_bytes(bytes).unwrap()).collect(),
        }
    }

    fn write(&mut self, stores: &[Store]) {
        for store in stores {
            match store {
                Store::Ledger(entry) => self.ledger.push(entry.to_bytes()),
                Store::Record(record) => self.record = Some(record.to_bytes()),
                Store::Backups(_) => {}
            }
        }
    }

    fn opening(&self, continuity: Continuity) -> Opening {
        Agreement::open(id(1), KEY, self.stored(), continuity).unwrap()
    }

    fn open(&mut self, continuity: Continuity) -> Agreement {
        let opening = self.opening(continuity);
        self.write(opening.stores());
        opening.stored()
    }

    /// Votes for the attempt, and stores the vote.
    fn vote(&mut self, agreement: &mut Agreement, attempt: &Attempt) {
        let step = agreement.prepare(&held(1, attempt)).unwrap();
        self.write(step.stores());
        let _sent = step.stored();
        if !self.shares.iter().any(|held| held.attempt() == attempt) {
            self.shares.push(held(1, attempt));
        }
    }
}

/// A party that holds the first shares and one new attempt, opened.
fn holder(new: &Attempt) -> (Disk, Agreement) {
    let mut disk = Disk::with(&[&attempt(0, 0), new]);
    let agreement = disk.open(Continuity::StayedUp);
    (disk, agreement)
}

fn names(stores: &[Store]) -> Vec<&'static str> {
    let name = |store: &Store| match store {
        Store::Ledger(_) => "ledger",
        Store::Record(_) => "record",
        Store::Backups(_) => "backups",
    };
    stores.iter().map(name).collect()
}
