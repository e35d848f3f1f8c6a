//! A node that carries out orders with real key material, and lies, stalls and refuses as it is told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use custody_core::{
    Answer, AnswerMessage, Callers, KeyInfo, KeyState, Material, NodeStatus, Operation, Order,
    OrderMessage, Reason, Refusal, RequestId, SignedRequest, Stock, Verified, Versions,
};
use custody_nats::{Incoming, Outgoing, Transport};
use futures_util::{SinkExt as _, StreamExt as _};
use quorate::PartyId;
use quorate::ecdsa::MessageDigest;
use quorate::frost::ed25519;
use quorate_envelope::{Envelope, Identity, Opener, TrustedDirectory};
use quorate_purpose::Purpose;
use quorate_testkit::ecdsa::release;

use super::material::{Held, Materials, Ready, Share};
use super::{now, rng};

/// How a node behaves.
#[derive(Default)]
pub struct Behaviour {
    /// Answers nothing.
    pub is_silent: bool,
    /// The node with which every run of presigning fails.
    pub spoiler: Option<PartyId>,
    /// Comes to no end with runs of presigning that are ordered now.
    pub stalls: bool,
    /// The runs that have stalled.
    pub stalled: BTreeSet<[u8; 32]>,
    /// Answers no orders to sign.
    pub keeps_shares: bool,
    /// Gives wrong shares.
    pub lies: bool,
    /// Gives shares of another message.
    pub confuses: bool,
    /// Refuses to sign, for this reason.
    pub refuses: Option<Reason>,
    /// Says which versions it reads, with each answer.
    pub announces: bool,
    /// The answer to every order to sign.
    pub junk: Option<Answer>,
    /// The approvals that it wants before it signs.
    pub approvals: usize,
    /// Certifies another key.
    pub forges: bool,
    /// Certifies nothing.
    pub withholds: bool,
    /// Lists its stock as one of a later epoch.
    pub leads: bool,
    /// Lists this number of keys that nobody has, and does not say so when it is asked for them.
    pub invents: u8,
    /// Orders to sign that came, by request.
    pub asked: BTreeMap<RequestId, Vec<Material>>,
    /// Requests that are cancelled.
    pub cancelled: Vec<RequestId>,
    /// Orders that came, by name.
    pub orders: BTreeMap<&'static str, usize>,
    /// Envelopes of orders that came, and the most orders in one of them.
    pub envelopes: usize,
    pub largest: usize,
    /// Answers each order in an envelope of its own, twice, behind junk. Otherwise the answers to an envelope come together.
    pub babbles: bool,
}

pub struct FakeNode {
    pub party: PartyId,
    pub identity: Identity,
    pub directory: TrustedDirectory,
    pub callers: Callers,
    pub materials: Arc<Materials>,
    pub behaviour: Arc<Mutex<Behaviour>>,
}

impl FakeNode {
    pub fn spawn(self, transport: impl Transport) {
        let (mut receiver, mut sender) = transport.split();
        let node = Arc::new(self);
        tokio::spawn(async move {
            while let Some(Incoming { envelope, .. }) = receiver.next().await {
                let of = Arc::clone(&node);
                let work = tokio::task::spawn_blocking(move || of.take(&envelope));
                for outgoing in work.await.unwrap() {
                    sender.send(outgoing).await.unwrap();
                }
            }
        });
    }

    fn take(&self, envelope: &[u8]) -> Vec<Outgoing> {
        let opened = Opener::new(&self.identity, &self.directory).open(envelope).unwrap();
        assert_eq!(opened.header.kind, OrderMessage::KIND);
        let to = opened.header.sender.name.clone();
        let answer = |message: &[u8]| {
            let OrderMessage { number, order } = OrderMessage::from_bytes(message).unwrap();
            let answer = self.answer(order)?;
            Some(AnswerMessage { number, answer }.to_bytes().unwrap())
        };
        let orders = opened.replayable();
        let answers: Vec<Vec<u8>> = orders.iter().filter_map(|order| answer(order)).collect();
        let mut behaviour = self.behaviour.lock().unwrap();
        behaviour.envelopes += 1;
        behaviour.largest = behaviour.largest.max(orders.len());
        let together: Vec<Vec<Vec<u8>>> = if behaviour.babbles {
            // Each answer stands twice, behind junk and the answer to an order of nobody.
            let stranger = AnswerMessage { number: 7, answer: Answer::Done }.to_bytes().unwrap();
            answers
                .into_iter()
                .map(|one| vec![vec![9; 9], stranger.clone(), one.clone(), one])
                .collect()
        } else {
            vec![answers]
        };
        let seal = |kind, messages: Vec<Vec<u8>>| {
            let envelope = Envelope::to(&to, kind);
            let envelope = envelope.messages(messages.iter().map(Vec::as_slice));
            let envelope = envelope.seal(&self.identity, &self.directory, &mut rng()).unwrap();
            Outgoing { to: to.clone(), envelope }
        };
        let together = together.into_iter().filter(|messages| !messages.is_empty());
        let versions = behaviour.announces.then(|| vec![Versions::OWN.to_bytes().to_vec()]);
        let versions = versions.map(|versions| seal(Versions::KIND, versions));
        let answers = together.map(|messages| seal(AnswerMessage::KIND, messages));
        versions.into_iter().chain(answers).collect()
    }

    fn verified(&self, request: &SignedRequest) -> Verified {
        request.verify(&self.callers, now()).expect("the gateway forwards what the caller signed")
    }

    /// The answer to an order; nothing from a node that is silent.
    fn answer(&self, order: Order) -> Option<Answer> {
        {
            let mut behaviour = self.behaviour.lock().unwrap();
            *behaviour.orders.entry(order.name()).or_default() += 1;
            let is_sign = matches!(order, Order::Sign { .. });
            if behaviour.is_silent || behaviour.keeps_shares && is_sign {
                return None;
            }
        }
        if self.behaviour.lock().unwrap().withholds && matches!(order, Order::Certify { .. }) {
            return None;
        }
        let invents = self.behaviour.lock().unwrap().invents;
        if invents > 0 && matches!(&order, Order::Certify { key } if self.lacks(*key)) {
            return None;
        }
        Some(match order {
            Order::Status => Answer::Status(NodeStatus {
                release: "test".into(),
                policy: [0; 32],
                refuses: None,
                keys: 1,
                runs: 0,
                audit: 0,
            }),
            Order::Keys { .. } => self.keys(),
            Order::Certify { key } => self.held(key, |held| self.certify(held)),
            Order::Stock { key, after: _ } => self.held(key, |held| self.stock(held)),
            Order::Nonces { key, count } => self.held(key, |held| {
                held.make_nonces(self.party, count);
                Answer::Done
            }),
            Order::Presign { signers, .. } if self.spoils(&signers) => {
                Answer::Refused(Refusal::new(Reason::RunFailed, "a proof does not verify"))
            }
            Order::Presign { run, .. } if self.has_stalled(run) => Answer::Pending,
            Order::Presign { key, run, signers, count } => self.held(key, |held| {
                held.presign(self.party, run, &signers, count);
                Answer::Done
            }),
            Order::Generate { request, approvals } => self.generate(&request, &approvals),
            Order::Sign { request, approvals, material } => {
                self.sign(&request, &approvals, &material)
            }
            Order::Cancel { request } => {
                let Operation::Cancel(target) = self.verified(&request).operation else { panic!() };
                self.behaviour.lock().unwrap().cancelled.push(target);
                Answer::Done
            }
            Order::Change { request, .. } => self.change(&request),
            Order::Agree { key, statements } => self.held(key, |held| self.agree(held, statements)),
            Order::Mark { .. } => Answer::Done,
            Order::Audit { request } => {
                self.verified(&request);
                Answer::Audit(vec![format!("{{\"node\":{}}}", self.party)])
            }
            Order::Accusations => Answer::Accusations(vec![]),
        })
    }

    fn spoils(&self, signers: &[PartyId]) -> bool {
        self.behaviour.lock().unwrap().spoiler.is_some_and(|spoiler| signers.contains(&spoiler))
    }

    fn has_stalled(&self, run: [u8; 32]) -> bool {
        let mut behaviour = self.behaviour.lock().unwrap();
        if behaviour.stalls {
            behaviour.stalled.insert(run);
        }
        behaviour.stalled.contains(&run)
    }

    fn held(&self, key: custody_core::KeyId, act: impl FnOnce(&mut Held) -> Answer) -> Answer {
        let mut keys = self.materials.keys.lock().unwrap();
        match keys.get_mut(&key).filter(|held| held.shares.contains_key(&self.party)) {
            Some(held) => act(held),
            None => Answer::Refused(Refusal::new(Reason::UnknownKey, "not here")),
        }
    }

    fn lacks(&self, key: custody_core::KeyId) -> bool {
        !self.materials.keys.lock().unwrap().contains_key(&key)
    }

    fn keys(&self) -> Answer {
        let keys = self.materials.keys.lock().unwrap();
        let mine = keys.values().filter(|held| held.shares.contains_key(&self.party));
        let info = |held: &Held| KeyInfo {
            key: held.certificate.key,
            request: held.request,
            spec: held.certificate.spec.clone(),
            public_key: held.certificate.public_key.clone(),
            package: held.certificate.package.clone(),
            epoch: held.certificate.epoch,
            state: if held.is_enabled { KeyState::Enabled } else { KeyState::Disabled },
            stock: 0,
        };
        let mut all: Vec<KeyInfo> = mine.map(info).collect();
        let invents = self.behaviour.lock().unwrap().invents;
        let invented = all.first().into_iter().flat_map(|one| {
            let mut salt = [0; 16];
            getrandom::fill(&mut salt).unwrap();
            (0..invents).map(move |number| {
                let mut key = [number; 32];
                key[..16].copy_from_slice(&salt);
                KeyInfo { key: custody_core::KeyId::new(key), ..one.clone() }
            })
        });
        let invented: Vec<KeyInfo> = invented.collect();
        all.extend(invented);
        Answer::Keys(all)
    }

    fn stock(&self, held: &Held) -> Answer {
        let (key, material) = (held.certificate.key, held.stock(self.party));
        let leads = self.behaviour.lock().unwrap().leads;
        let epoch = held.certificate.epoch + u32::from(leads);
        Answer::Stock(Stock { key, epoch, material, next: None })
    }

    fn certify(&self, held: &Held) -> Answer {
        let mut certificate = held.certificate.clone();
        if self.behaviour.lock().unwrap().forges {
            certificate.epoch += 1;
        }
        let endorsement = certificate.endorse(self.party, &self.identity).unwrap();
        Answer::Certificate { certificate: Box::new(certificate), endorsement }
    }

    fn generate(&self, request: &SignedRequest, approvals: &[SignedRequest]) -> Answer {
        let verified = self.verified(request);
        if approvals.len() < self.behaviour.lock().unwrap().approvals {
            return Answer::Refused(Refusal::new(Reason::ApprovalsMissing, "of somebody"));
        }
        let Operation::CreateKey(spec) = &verified.operation else { panic!("no key") };
        match self.materials.made_by(verified.id) {
            Some(key) => Answer::Made { key },
            None if self.party == spec.members[0] => {
                self.materials.make(spec, verified.id, self.directory.id());
                Answer::Pending
            }
            None => Answer::Pending,
        }
    }

    fn change(&self, request: &SignedRequest) -> Answer {
        let operation = self.verified(request).operation;
        let key = operation.key().unwrap();
        self.held(key, |held| {
            match operation {
                Operation::Disable(_) => held.is_enabled = false,
                Operation::Enable(_) => held.is_enabled = true,
                Operation::Refresh(_) => {
                    held.statements
                        .entry(self.party)
                        .or_insert_with(|| vec![vec![self.party.get() as u8]]);
                }
                _ => panic!("not in these tests"),
            }
            Answer::Done
        })
    }

    /// Agrees when it has the statements of all members. The last to agree refreshes the shares of all.
    fn agree(&self, held: &mut Held, statements: Vec<Vec<u8>>) -> Answer {
        // The certificate of all members comes so, too: the shares here are confirmed.
        let (epoch, done) = (held.certificate.epoch, true);
        let Some(own) = held.statements.get_mut(&self.party) else {
            return Answer::Agreement { statements: Vec::new(), epoch, done };
        };
        let first = vec![self.party.get() as u8];
        own.extend(statements.into_iter().filter(|one| one.len() == 1 && *one != first));
        own.sort();
        own.dedup();
        let members = held.certificate.spec.members.len();
        let all = |known: &Vec<Vec<u8>>| known.len() == members;
        let done = all(&held.statements[&self.party]);
        if held.certificate.epoch == 0
            && held.statements.values().filter(|one| all(one)).count() == members
        {
            let numbers: Vec<u16> =
                held.certificate.spec.members.iter().map(|party| party.get()).collect();
            let group = held.group.take().unwrap().reshared(
                &numbers,
                &numbers,
                held.certificate.spec.threshold,
            );
            held.certificate.epoch = group.keys[0].public().epoch();
            held.certificate.package = group.keys[0].public().to_bytes();
            held.ready.clear();
            held.group = Some(group);
        }
        Answer::Agreement { statements: vec![first], epoch: u32::from(done), done }
    }

    fn sign(
        &self,
        request: &SignedRequest,
        approvals: &[SignedRequest],
        material: &Material,
    ) -> Answer {
        let verified = self.verified(request);
        let (lies, confuses) = {
            let mut behaviour = self.behaviour.lock().unwrap();
            let asked = behaviour.asked.entry(verified.id).or_default();
            if !asked.contains(material) {
                asked.push(material.clone());
            }
            if behaviour.cancelled.contains(&verified.id) {
                return Answer::Refused(Refusal::new(Reason::Cancelled, "by its caller"));
            }
            if let Some(junk) = &behaviour.junk {
                return junk.clone();
            }
            if let Some(reason) = behaviour.refuses {
                return Answer::Refused(Refusal::new(reason, "as it was told"));
            }
            for approval in approvals {
                let Operation::Approve(target, body) = self.verified(approval).operation else {
                    panic!()
                };
                assert_eq!((target, body.digest), (verified.id, verified.digest));
            }
            if approvals.len() < behaviour.approvals {
                return Answer::Refused(Refusal::new(Reason::ApprovalsMissing, "of somebody"));
            }
            (behaviour.lies, behaviour.confuses)
        };
        if let Material::Attempt { signers, .. } = material
            && signers.iter().any(|party| self.materials.spoilers.lock().unwrap().contains(party))
        {
            return Answer::Pending;
        }
        match self.share(&verified, material, confuses) {
            Ok(bytes) if lies => Answer::Share { bytes: self.spoiled(&bytes, material) },
            Ok(bytes) => Answer::Share { bytes },
            Err(refusal) => Answer::Refused(refusal),
        }
    }

    /// A share of the same form with another scalar.
    fn spoiled(&self, share: &[u8], material: &Material) -> Vec<u8> {
        let Material::Nonces { package } = material else { panic!("only of FROST") };
        let package = ed25519::SigningPackage::from_bytes(package).unwrap();
        let share = ed25519::SignatureShare::from_bytes(self.party, share).unwrap();
        let mut scalar = share.scalar().to_vec();
        scalar[0] ^= 1;
        ed25519::SignatureShare::from_parts(self.party, &package, &scalar).unwrap().to_bytes()
    }

    /// The recorded share for a request and its material, or a new one.
    fn share(
        &self,
        verified: &Verified,
        material: &Material,
        confuses: bool,
    ) -> Result<Vec<u8>, Refusal> {
        let name = match material {
            Material::Presignature { name } => name.to_vec(),
            Material::Nonces { package } => package.clone(),
            Material::Attempt { run, .. } => run.to_vec(),
        };
        let mut given = self.materials.given.lock().unwrap();
        let place = (self.party, verified.id, name);
        if let Some(bytes) = given.get(&place) {
            return Ok(bytes.clone());
        }
        let Operation::Sign(key, sign) = &verified.operation else { panic!("no signing") };
        let purpose = Purpose::from_bytes(&sign.purpose).unwrap();
        let mut keys = self.materials.keys.lock().unwrap();
        let unknown = || Refusal::new(Reason::UnknownMaterial, "spent or never made");
        let held = keys.get_mut(key).ok_or_else(unknown)?;
        let message = purpose.message(held.certificate.spec.scheme.key_kind()).unwrap();
        let ready = held.ready.entry(self.party).or_default();
        let bytes = match material {
            Material::Presignature { name } => {
                let Some(Ready::Presignature(one)) = ready.remove(name) else {
                    return Err(unknown());
                };
                let digest = message.ecdsa_digest().unwrap();
                let key = held.group.as_ref().unwrap().key_of(self.party);
                let claim = one.claim(key, &sign.path, MessageDigest::hashed_with(&[], |_| digest));
                release(claim.unwrap()).to_bytes()
            }
            Material::Nonces { package } => {
                let mut package = ed25519::SigningPackage::from_bytes(package).unwrap();
                assert_eq!(Some(package.message()), message.raw());
                let own = package.commitments_of(self.party).unwrap();
                let Some(Ready::Nonces(nonces, _)) = ready.remove(&own.nonce_id().0) else {
                    return Err(unknown());
                };
                let public =
                    ed25519::PublicKeyPackage::from_bytes(&held.certificate.package).unwrap();
                if confuses {
                    let all =
                        package.signers().iter().map(|id| package.commitments_of(*id).unwrap());
                    package =
                        ed25519::SigningPackage::new(&public, all, b"another message").unwrap();
                }
                let Share::Ed25519(share) = &held.shares[&self.party] else { panic!("no share") };
                share.sign(&package, nonces).unwrap().to_bytes()
            }
            Material::Attempt { .. } => {
                let Share::MlDsa(key) = &held.shares[&self.party] else { return Err(unknown()) };
                let signature = key.expanded_key().sign_deterministic(message.raw().unwrap(), b"");
                signature.unwrap().encode().to_vec()
            }
        };
        given.insert(place, bytes.clone());
        Ok(bytes)
    }
}
