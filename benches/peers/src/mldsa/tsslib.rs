//! The crate `tsslib`: a session for each signer, and messages in its binary form.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use ::tsslib::mldsatss::{
    Key44, SigningParty44, ThresholdParams44, get_threshold_params44, trusted_dealer_keygen44,
};
use ::tsslib::tss::{
    BrokerResult, Message, MessageBroker, MessageReceiver, Parameters, PartyId, WireFormat,
};
use quorate_benches::mldsa::{MlDsaFixture, MlDsaLibrary, MlDsaSetup, Tried};
use quorate_benches::{MESSAGE, Meter as _, Stopwatch};

use super::{SEED, shape};

/// The crate `tsslib`.
pub struct Tsslib;

impl MlDsaLibrary for Tsslib {
    fn name(&self) -> &'static str {
        "tsslib"
    }

    fn fixture(&self, setup: MlDsaSetup) -> Option<Box<dyn MlDsaFixture>> {
        let (t, n) = shape(setup)?;
        let params = get_threshold_params44(t.into(), n.into()).ok()?;
        let (_, mut keys) = trusted_dealer_keygen44(&SEED, &params).ok()?;
        keys.truncate(t.into());
        let signer = |id: u8| PartyId::new(id.to_string(), "", vec![id + 1]);
        let signers = PartyId::sort((0..t).map(signer).collect(), 0);
        Some(Box::new(Signers { params, keys, signers }))
    }
}

struct Signers {
    params: ThresholdParams44,
    keys: Vec<Key44>,
    signers: Vec<PartyId>,
}

impl Signers {
    /// A session of the signer in this place.
    fn session(&self, at: usize, broker: &Arc<Broker>) -> SigningParty44 {
        let id = &self.signers[at];
        let broker: Arc<dyn MessageBroker + Send + Sync> = Arc::<Broker>::clone(broker);
        let run = Parameters::new(self.signers.clone(), id, 1, broker);
        let run = run.with_wire_format(WireFormat::Binary);
        let ids = self.keys.iter().map(|key| key.id).collect();
        SigningParty44::new(run, self.params, self.keys[at].clone(), ids, MESSAGE, b"")
            .expect("signers of the key")
    }

    /// Makes an attempt by all of them, and returns whether it gives a signature.
    fn attempt(&self) -> bool {
        let brokers: Vec<Arc<Broker>> = self.signers.iter().map(|_| Arc::default()).collect();
        let sessions: Vec<SigningParty44> =
            brokers.iter().enumerate().map(|(at, broker)| self.session(at, broker)).collect();
        loop {
            let sent: Vec<Vec<Vec<u8>>> = brokers.iter().map(|broker| broker.sent()).collect();
            if sent.iter().all(Vec::is_empty) {
                break;
            }
            for (from, messages) in sent.iter().enumerate() {
                let others = brokers.iter().enumerate().filter(|(to, _)| *to != from);
                others.for_each(|(_, broker)| messages.iter().for_each(|one| broker.take(one)));
            }
        }
        let results = sessions.iter().map(|session| session.try_result().expect("an end"));
        let signed: Vec<bool> = results.map(|result| result.is_ok()).collect();
        assert!(signed.iter().all(|one| *one == signed[0]), "all end alike");
        signed[0]
    }
}

impl MlDsaFixture for Signers {
    fn slots(&self) -> u16 {
        self.params.k
    }

    fn sign(&mut self) -> Tried {
        let mut stopwatch = Stopwatch::default();
        stopwatch.start();
        let signed = self.attempt();
        stopwatch.stop();
        let seconds = stopwatch.total().as_secs_f64();
        Tried { rounds: None, seconds, attempts: 1, signatures: signed.into(), sent: None }
    }
}

type Handler = Arc<dyn MessageReceiver + Send + Sync>;

/// A signer's end of the network. What arrives before its session waits for it is kept.
#[derive(Default)]
struct Broker {
    handlers: Mutex<HashMap<String, Handler>>,
    early: Mutex<Vec<Message>>,
    sent: Mutex<VecDeque<Vec<u8>>>,
}

impl Broker {
    /// The messages of the signer since the last call.
    fn sent(&self) -> Vec<Vec<u8>> {
        self.sent.lock().expect("no panic").drain(..).collect()
    }

    /// Hands a message to the session.
    fn take(&self, bytes: &[u8]) {
        self.hand(Message::from_bytes(bytes).expect("a message"));
    }

    fn hand(&self, message: Message) {
        let handler = self.handlers.lock().expect("no panic").get(&message.typ).cloned();
        match handler {
            Some(handler) => handler.receive(&message).expect("an honest message"),
            None => self.early.lock().expect("no panic").push(message),
        }
    }
}

impl MessageReceiver for Broker {
    fn receive(&self, message: &Message) -> BrokerResult {
        self.sent.lock().expect("no panic").push_back(message.to_bytes()?);
        Ok(())
    }
}

impl MessageBroker for Broker {
    fn connect(&self, kind: &str, handler: Handler) {
        self.handlers.lock().expect("no panic").insert(kind.to_owned(), handler);
        let early = core::mem::take(&mut *self.early.lock().expect("no panic"));
        early.into_iter().for_each(|message| self.hand(message));
    }
}
