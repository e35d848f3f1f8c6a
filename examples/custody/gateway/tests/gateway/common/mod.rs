//! A network in memory with fake nodes, which hold real key material and do as they are told.

pub mod material;
pub mod node;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use custody_core::{
    Caller, CallerKey, Callers, KeyId, Parameters, Refusal, RequestDescription, RequestId,
    RequestState, Role, Service as _, SignedRequest, UnsignedRequest,
};
use custody_gateway::{Config, Database, Gateway, Metrics, Parts, Times, WaterMarks};
use custody_nats::memory::{Faults, Network};
use ed25519_dalek::Signer as _;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{EncodePrivateKey as _, EncodePublicKey as _};
use quorate::PartyId;
use quorate::session::rand_core::UnwrapErr;
use quorate_envelope::{Directory, Identity, Member, Name, TrustedDirectory};
use quorate_purpose::{Hash, OpaqueMessage, Purpose};

use material::Materials;
use node::{Behaviour, FakeNode};

pub const LONG: u16 = 30;

/// The names of the gateways in the directory.
pub const GATEWAYS: [&str; 2] = ["gw", "gw2"];

pub fn rng() -> UnwrapErr<getrandom::SysRng> {
    UnwrapErr(getrandom::SysRng)
}

pub fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// A caller with every role.
pub struct TestCaller {
    pub name: String,
    secret: ed25519_dalek::SigningKey,
    counter: Mutex<u64>,
}

impl TestCaller {
    fn new(name: &str, seed: u8) -> Self {
        let secret = ed25519_dalek::SigningKey::from_bytes(&[seed; 32]);
        Self { name: name.into(), secret, counter: Mutex::new(0) }
    }

    fn public(&self) -> CallerKey {
        let pem = self.secret.verifying_key().to_public_key_pem(LineEnding::LF).unwrap();
        CallerKey::from_pem(&pem).unwrap()
    }

    fn caller(&self, roles: &[Role]) -> Caller {
        Caller { name: self.name.clone(), roles: roles.to_vec(), keys: vec![self.public()] }
    }

    /// The private key, for a client.
    pub fn pem(&self) -> String {
        self.secret.to_pkcs8_pem(LineEnding::LF).unwrap().to_string()
    }

    /// A request with a nonce of its own, valid for this number of seconds.
    pub fn request(&self, target: &str, body: &str, lifetime: u64) -> SignedRequest {
        let mut counter = self.counter.lock().unwrap();
        *counter += 1;
        self.request_with(&format!("nonce-0000000000{counter}"), target, body, lifetime)
    }

    /// A request that reads.
    pub fn read(&self, target: &str) -> SignedRequest {
        self.signed("GET", &format!("read-{:012}", now()), target, "", 60)
    }

    pub fn request_with(
        &self,
        nonce: &str,
        target: &str,
        body: &str,
        lifetime: u64,
    ) -> SignedRequest {
        self.signed("POST", nonce, target, body, lifetime)
    }

    fn signed(
        &self,
        method: &str,
        nonce: &str,
        target: &str,
        body: &str,
        lifetime: u64,
    ) -> SignedRequest {
        let key_id = self.public().id();
        let created = now();
        let parameters = Parameters {
            key_id: &key_id,
            nonce,
            cluster: Some("test"),
            created,
            expires: created + lifetime,
        };
        let unsigned = UnsignedRequest::new(method, target, body.into(), &parameters).unwrap();
        let signature = self.secret.sign(unsigned.signature_base()).to_bytes();
        unsigned.with_signature(&signature)
    }

    pub fn sign_request(&self, key: KeyId, message: &[u8], lifetime: u64) -> SignedRequest {
        self.sign_request_at(
            key,
            Purpose::from(OpaqueMessage::raw(message).unwrap()),
            "m",
            lifetime,
        )
    }

    pub fn sign_request_path(&self, key: KeyId, message: &[u8], path: &str) -> SignedRequest {
        let purpose = Purpose::from(OpaqueMessage::raw(message).unwrap());
        self.sign_request_at(key, purpose, path, 60)
    }

    pub fn sign_hashed_at(&self, key: KeyId, message: &[u8], path: &str) -> SignedRequest {
        let purpose = Purpose::from(OpaqueMessage::hashed(Hash::Sha256, message).unwrap());
        self.sign_request_at(key, purpose, path, 60)
    }

    pub fn sign_request_at(
        &self,
        key: KeyId,
        purpose: Purpose,
        path: &str,
        lifetime: u64,
    ) -> SignedRequest {
        self.sign_request_under(key, purpose, (path, b""), lifetime)
    }

    /// A request to sign with a child, or under a context.
    pub fn sign_request_under(
        &self,
        key: KeyId,
        purpose: Purpose,
        (path, context): (&str, &[u8]),
        lifetime: u64,
    ) -> SignedRequest {
        let sign = custody_core::Sign {
            purpose: purpose.to_bytes(),
            path: path.parse().unwrap(),
            merkle_root: None,
            on_behalf: None,
            context: context.to_vec(),
        };
        let body = serde_json::to_string(&sign).unwrap();
        self.request(&format!("/v1/keys/{key}/sign"), &body, lifetime)
    }
}

pub fn now() -> u64 {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs()
}

/// Nodes 1 to n, a gateway, callers, and the network between them.
pub struct World {
    pub network: Network,
    pub directory: TrustedDirectory,
    pub callers: Callers,
    pub requester: TestCaller,
    pub approver: TestCaller,
    pub second_approver: TestCaller,
    pub administrator: TestCaller,
    pub materials: Arc<Materials>,
    pub behaviours: BTreeMap<PartyId, Arc<Mutex<Behaviour>>>,
    pub config: Config,
    pub database: PathBuf,
    /// The sealed identities of the gateways.
    gateways: Vec<Vec<u8>>,
}

impl World {
    /// Starts nodes that hold the shares of these keys.
    pub fn new(test: &str, nodes: u16) -> Self {
        Self::with_faults(test, nodes, Faults::default())
    }

    pub fn with_faults(test: &str, nodes: u16, faults: Faults) -> Self {
        let (mut world, identities) = Self::without_nodes(test, nodes, faults);
        for (identity, number) in identities.into_iter().zip(1..) {
            let behaviour = Arc::new(Mutex::new(Behaviour::default()));
            world.behaviours.insert(party(number), Arc::clone(&behaviour));
            let (materials, callers) = (Arc::clone(&world.materials), world.callers.clone());
            let transport = world.network.join(identity.name());
            let directory = world.directory.clone();
            FakeNode { party: party(number), identity, directory, callers, materials, behaviour }
                .spawn(transport);
        }
        world
    }

    /// A world whose nodes the test starts: their identities.
    pub fn without_nodes(test: &str, nodes: u16, faults: Faults) -> (Self, Vec<Identity>) {
        let names =
            (1..=nodes).map(|number| format!("n{number}")).chain(GATEWAYS.map(str::to_owned));
        let identity =
            |name: String| Identity::generate(Name::new(&name).unwrap(), &mut rng()).unwrap();
        let mut identities: Vec<Identity> = names.map(identity).collect();
        let mut draft = Directory::first(Name::new("test").unwrap());
        for (identity, number) in identities.iter().zip(1..) {
            let member = Member::new(identity.name().clone(), identity.public().clone());
            let is_node = number <= nodes;
            draft = draft.member(if is_node { member.with_party(party(number)) } else { member });
        }
        let directory = draft.finish().unwrap();
        let id = directory.id();
        let directory = TrustedDirectory::confirm(directory, id).unwrap();
        let directory = directory.record(|_| Ok::<_, String>(())).unwrap();
        let requester = TestCaller::new("payments", 1);
        let approver = TestCaller::new("risk", 2);
        let second_approver = TestCaller::new("risk2", 9);
        let administrator = TestCaller::new("operations", 3);
        let callers = Callers::new(vec![
            requester.caller(&[Role::Request]),
            approver.caller(&[Role::Approve]),
            second_approver.caller(&[Role::Approve]),
            administrator.caller(&[Role::Administer]),
        ])
        .unwrap()
        .of_cluster("test");
        let network = Network::new(7, faults);
        let materials = Arc::new(Materials::default());
        let gateways = identities.split_off(usize::from(nodes));
        let folder = std::env::temp_dir().join(format!("custody-gateway-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let key = quorate::SealKey::new([9; 32]);
        let world = Self {
            network,
            directory,
            callers,
            requester,
            approver,
            second_approver,
            administrator,
            materials,
            behaviours: BTreeMap::new(),
            config: quick(),
            database: folder.join(format!("{test}.db")),
            gateways: gateways.iter().map(|gateway| gateway.seal(&key)).collect(),
        };
        (world, identities)
    }

    /// Starts the gateway over its database, after an earlier one or a crash.
    pub fn gateway(&self) -> Gateway {
        self.gateway_over(Database::sqlite(self.database.clone()))
    }

    /// Starts the second gateway, over a database of its own.
    pub fn second_gateway(&self) -> Gateway {
        self.gateway_as(1, Database::sqlite(self.database.with_extension("second.db")))
    }

    /// The list as an operator writes it. A gateway knows by its directory which cluster it is of.
    pub fn plain_callers(&self) -> Callers {
        Callers::new(self.callers.iter().cloned().collect()).unwrap()
    }

    pub fn gateway_over(&self, database: Database) -> Gateway {
        self.gateway_as(0, database)
    }

    fn gateway_as(&self, number: usize, database: Database) -> Gateway {
        let key = quorate::SealKey::new([9; 32]);
        let name = Name::new(GATEWAYS[number]).unwrap();
        let identity = Identity::open(&name, &self.gateways[number], &key).unwrap();
        let transport = self.network.join(&name);
        let parts = Parts {
            identity,
            directory: self.directory.clone(),
            callers: self.plain_callers(),
            config: self.config.clone(),
            database,
        };
        Gateway::spawn(parts, transport).unwrap()
    }

    /// Changes how a node behaves.
    pub fn node(&self, number: u16, change: impl FnOnce(&mut Behaviour)) {
        change(&mut self.behaviours[&party(number)].lock().unwrap());
    }

    pub fn each_node(&self, change: impl Fn(&mut Behaviour)) {
        self.behaviours.values().for_each(|behaviour| change(&mut behaviour.lock().unwrap()));
    }

    /// Submits a request, and waits for this number of seconds.
    pub async fn submit(
        &self,
        gateway: &Gateway,
        request: &SignedRequest,
        wait: u16,
    ) -> Result<RequestDescription, Refusal> {
        let mut verified = request.verify(&self.callers, now())?;
        verified.wait = wait;
        gateway.submit(request.clone(), verified).await
    }

    /// Submits a request, and waits for its end. A busy machine takes longer than one wait.
    pub async fn end_of(&self, gateway: &Gateway, request: &SignedRequest) -> RequestDescription {
        let end = self.submit(gateway, request, LONG).await.unwrap();
        match end.state {
            RequestState::Pending => gateway.request(end.request, 2 * LONG).await.unwrap(),
            _ => end,
        }
    }

    pub fn id(&self, request: &SignedRequest) -> RequestId {
        request.verify(&self.callers, now()).unwrap().id
    }
}

impl Drop for World {
    fn drop(&mut self) {
        for database in [self.database.clone(), self.database.with_extension("second.db")] {
            for suffix in ["", "-wal", "-shm"] {
                let mut path = database.clone().into_os_string();
                path.push(suffix);
                std::fs::remove_file(path).ok();
            }
        }
    }
}

/// Settings for tests: short pauses, small stocks.
pub fn quick() -> Config {
    Config {
        presignatures: WaterMarks { low: 1, high: 3 },
        nonces: WaterMarks { low: 4, high: 16 },
        sets: 1,
        times: Times {
            repeat: Duration::from_millis(40),
            patience: Duration::from_millis(400),
            presigning: Duration::from_secs(60),
            slow: Duration::from_secs(2),
            status: Duration::from_millis(150),
            listing: Duration::from_millis(500),
        },
        ..Config::default()
    }
}

/// Waits until the gateway's metrics are as wanted.
pub async fn until(gateway: &Gateway, what: &str, is_so: impl Fn(&Metrics) -> bool) -> Metrics {
    for _ in 0..600 {
        if let Ok(metrics) = gateway.metrics().await
            && is_so(&metrics)
        {
            return metrics;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{what}: {:?}", gateway.metrics().await);
}

pub fn reason(description: &RequestDescription) -> String {
    let problem = description.problem.as_ref().map(|problem| problem.kind.clone());
    problem.unwrap_or_default().rsplit(':').next().unwrap_or_default().to_owned()
}

/// Verifies the Ed25519 signature of a request by another library.
pub fn verify_ed25519(description: &RequestDescription, message: &[u8]) {
    assert_eq!(description.state, RequestState::Done, "{description:?}");
    let made = description.signature.as_ref().unwrap();
    let key =
        ed25519_dalek::VerifyingKey::from_bytes(made.public_key.as_slice().try_into().unwrap());
    let signature = made.signature.as_slice().try_into().unwrap();
    key.unwrap().verify_strict(message, &signature).unwrap();
}
