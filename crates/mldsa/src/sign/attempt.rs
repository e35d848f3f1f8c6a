//! The count of a share's attempts, kept in a table.

use core::fmt;

use quorate_session::{ClaimRecord, Parties, SessionId, Transcript};

use crate::message::MessageRepresentative;
use crate::share::KeyShare;

/// The share has made all the attempts that its key allows. Make a new key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UsedUp {
    /// The number of attempts that the key allows.
    pub attempts: u64,
}

impl fmt::Display for UsedUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a share of this key makes at most {} attempts to sign: make a new key",
            self.attempts
        )
    }
}

impl core::error::Error for UsedUp {}

impl KeyShare {
    /// The record of an attempt to sign. [Store](ClaimRecord::store) it before the session starts; its receipt goes
    /// into [`SignParams`](crate::SignParams).
    ///
    /// Attempts of a share are numbered from 0 to [`attempts`](crate::PublicKeyPackage::attempts) − 1. Each number
    /// is for one session, and the table refuses a second one. A caller that has lost its count takes the next
    /// number after [`RecordError::Spent`](quorate_session::RecordError::Spent). The table must outlive every
    /// restore, as for nonces.
    ///
    /// A session starts with a receipt that [is new](quorate_session::SpendReceipt::is_new), so a record starts one
    /// session. A record that is stored already gives a receipt that is not new. With that receipt the session can
    /// be [opened](quorate_session::Session::open) from its seal, but none can start. A process that died between
    /// storing and starting takes the next number and another session id.
    ///
    /// # Errors
    /// [`UsedUp`] for a number beyond the last.
    pub fn attempt(
        &self,
        number: u64,
        sid: SessionId,
        signers: &Parties,
        mu: &MessageRepresentative,
    ) -> Result<ClaimRecord, UsedUp> {
        let attempts = self.public().attempts();
        if number >= attempts {
            return Err(UsedUp { attempts });
        }
        // The id hashes only what this party alone decides, so nobody else can give one number two ids.
        let mut id = Transcript::new("quorate-mldsa attempt");
        id.append("key", &self.public().digest());
        id.append_u64("party", self.id().get().into());
        id.append_u64("number", number);
        let mut digest = Transcript::new("quorate-mldsa attempt is for");
        digest.append("session", sid.as_bytes());
        digest.append_list("signers", signers.iter().map(|party| party.get().to_be_bytes()));
        digest.append("message", mu.as_bytes());
        Ok(ClaimRecord { id: id.finish32(), digest: digest.finish32() })
    }
}

#[cfg(test)]
mod tests {
    use quorate_testkit::lockstep::{parties, sid};

    use super::*;
    use crate::dealer::Dealing;
    use crate::level::Level;

    /// A record names a key, a party and a number. It is for one session, its signers, and one message.
    #[test]
    fn records_of_other_attempts_are_others() {
        let deal = |seed| {
            let rng = &mut quorate_testkit::rng(seed);
            Dealing::new(Level::MlDsa44, 2, &parties([1, 2, 3]), rng).unwrap().shares
        };
        let (shares, others) = (deal(1), deal(2));
        let mu = MessageRepresentative::external([1; 64]);
        let two = parties([1, 2]);
        let first = shares[0].attempt(0, sid(1), &two, &mu).unwrap();
        assert_eq!(shares[0].attempt(0, sid(1), &two, &mu).unwrap(), first);
        for other in [
            others[0].attempt(0, sid(1), &two, &mu),
            shares[1].attempt(0, sid(1), &two, &mu),
            shares[0].attempt(1, sid(1), &two, &mu),
        ] {
            assert_ne!(other.unwrap().id, first.id);
        }
        let other_message = MessageRepresentative::external([2; 64]);
        for other in [
            shares[0].attempt(0, sid(2), &two, &mu),
            shares[0].attempt(0, sid(1), &parties([1, 3]), &mu),
            shares[0].attempt(0, sid(1), &two, &other_message),
        ] {
            let other = other.unwrap();
            assert!(other.id == first.id && other.digest != first.digest);
        }
    }
}
