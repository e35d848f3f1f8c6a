//! Which orders a node takes part in.

use quorate::PartyId;
use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::Node;
use crate::orders::{Body, Kind, Order};
use crate::records::Made;
use crate::request::{KeyId, Scheme};
use crate::vault::{Held, Word};

/// Whether something is done, or the reason why it is not.
type Allowed = Result<(), String>;

impl Node {
    /// Whether an order is one that this node takes part in; nothing if it does not know that yet. Of new shares it gives its
    /// word with that, that they are stored.
    pub(super) fn allows(&mut self, order: &Order, now: Time) -> Result<Option<Allowed>, Failure> {
        let Some(body) = Body::from_bytes(&order.job.body) else {
            return Ok(Some(Err("not the body of an order".to_owned())));
        };
        if order.job.parties.iter().any(|party| !self.config.nodes.contains(party)) {
            return Ok(Some(Err("a party that this node does not know".to_owned())));
        }
        match order.kind {
            Kind::AuxInfo => Ok(Some(Ok(()))),
            Kind::Keygen | Kind::Dkg => Ok(Some(names_none(&body))),
            Kind::Presign => self.presigns(&body).map(Some),
            Kind::ReshareEcdsa | Kind::ReshareEd25519 => self.reshares(order, &body).map(Some),
            Kind::StoredEcdsa => self.promises(Scheme::Ecdsa, order, &body, now),
            Kind::StoredEd25519 => self.promises(Scheme::Ed25519, order, &body, now),
        }
    }

    /// Gives the node's word for new shares once all of their committee keep theirs, and tells those who wait for this one that
    /// it does.
    fn promises(
        &mut self,
        scheme: Scheme,
        order: &Order,
        body: &Body,
        now: Time,
    ) -> Result<Option<Allowed>, Failure> {
        let (word, news) = {
            let mut vault = self.vault.borrow_mut();
            vault.look_again()?;
            let before = vault.holds();
            let word = vault.promise(scheme, body)?;
            vault.look_again()?;
            (word, vault.holds() != before)
        };
        if news {
            self.tell_news(&order.job.parties, now)?;
        }
        Ok(match word {
            Word::Given => Some(Ok(())),
            Word::Waits => None,
            Word::Refused(why) => Some(Err(why)),
        })
    }

    /// Returns whether the policy allows the order's size, and this node has a share of the key and auxiliary information.
    fn presigns(&self, body: &Body) -> Result<Allowed, Failure> {
        if let Err(why) = self.policy.allows_presigning(body.count) {
            return Ok(Err(why));
        }
        let mut vault = self.vault.borrow_mut();
        vault.look_again()?;
        Ok(if vault.share_of(body).is_none() {
            Err(format!("this node has no share of epoch {} of the key", body.epoch))
        } else if vault.aux().is_none() {
            Err("this node has no auxiliary information".to_owned())
        } else {
            Ok(())
        })
    }

    /// The committee as it is may have new shares at any time; another one is a matter of policy.
    fn reshares(&self, order: &Order, body: &Body) -> Result<Allowed, Failure> {
        let committee: Vec<u16> = body.committee.iter().map(|party| party.get()).collect();
        let mut vault = self.vault.borrow_mut();
        vault.look_again()?;
        let held = vault.share_of(body);
        let latest = vault.latest(body.key)?;
        if let Some(latest) = latest.filter(|latest| *latest > body.epoch && held.is_none()) {
            return Ok(Err(format!(
                "the shares of epoch {latest} have replaced those of the order"
            )));
        }
        if let Some(why) = vault.goes_on(body.key, body.epoch) {
            return Ok(Err(why));
        }
        match held.as_deref().map(Held::committee) {
            Some((parties, threshold))
                if parties.iter().map(PartyId::get).eq(committee.iter().copied())
                    && threshold == body.count =>
            {
                return Ok(Ok(()));
            }
            None if !committee.contains(&self.config.me.get()) => {
                return Ok(Err("this node has no such share".to_owned()));
            }
            // A gateway has said which key this node is to get a share of: the one of this name.
            None if !vault.is_same_key(order.kind, body.key, &body.public) => {
                return Ok(Err("another key than the one of this name".to_owned()));
            }
            _ => {}
        }
        Ok(self.policy.allows_committee(body.key, &committee, body.count))
    }

    /// Whether what a run has made is still wanted: there may be other shares of its epoch.
    pub(super) fn is_wanted(&self, order: &Order, made: &Made) -> Allowed {
        let Some(body) = Body::from_bytes(&order.job.body) else { return Ok(()) };
        match (order.kind, made) {
            (Kind::ReshareEcdsa | Kind::ReshareEd25519, Made::Key(_, public)) => {
                let epoch = body.epoch.saturating_add(1);
                if !self.vault.borrow().is_same_key(order.kind, body.key, public) {
                    return Err("another key than the one of this name".to_owned());
                }
                let late = self.vault.borrow().is_replaced(body.key, epoch, public);
                let why = || format!("this node has other shares of epoch {epoch}");
                if late { Err(why()) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }
}

/// Whether an order for a key gives it no name: a key has its name of itself.
fn names_none(body: &Body) -> Allowed {
    if body.key == KeyId::NONE {
        return Ok(());
    }
    Err("a key has no name before it is made".to_owned())
}
