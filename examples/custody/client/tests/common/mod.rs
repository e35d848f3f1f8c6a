//! A service in memory with keys of every scheme, which can lie.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_in_result,
    clippy::too_many_lines,
    reason = "each test uses a part"
)]

#[path = "../../../http/tests/common/fake.rs"]
pub mod fake;

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use custody_client::{CallerSecret, Client, Endpoint};
use custody_core::{
    Caller, Callers, Certificate, Child, KeyDescription, KeyId, KeySpec, PartyId, Reason, Refusal,
    Role, Root, Scheme, Service, Sign, SignatureDescription, SignedCertificate,
};
use custody_http::{Limits, Metrics, Server, api};
use ed25519_dalek::Signer as _;
use k256::elliptic_curve::PrimeField as _;
use quorate_curve::{Curve as _, P256, Secp256k1};
use quorate_envelope::{Directory, Identity, Member, Name};
use quorate_keys::derive::{Derivable, Derived, TaprootKey};
use quorate_purpose::{Hash, Message, OpaqueMessage, Purpose};
use tokio::net::TcpListener;

use fake::{Fake, Keys};

pub const MINUTE: Duration = Duration::from_secs(60);

pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// A lie of the service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lie {
    None,
    /// The signature of another message.
    OtherMessage,
    OtherContext,
    /// The signature under the output without scripts, and the key of that.
    NoScripts,
    /// The signature of the key itself instead of its child.
    OtherKey,
    /// A public key that does not fit.
    OtherPublicKey,
    /// The signature with the higher s.
    HighS,
    /// Another recovery id.
    RecoveryId,
    /// A signature that is cut.
    Short,
    /// A certificate that a member has not signed.
    MemberMissing,
    /// A certificate of another key.
    OtherCertificate,
    /// A certificate with another threshold than was asked for.
    OtherSpec,
    /// Bytes that are no certificate.
    NoCertificate,
}

/// Schemes and secrets by public key.
type Secrets = BTreeMap<Vec<u8>, (Scheme, [u8; 32])>;

/// Keys of every scheme. The secret of each is a hash of its number.
pub struct Real {
    secrets: Mutex<Secrets>,
    pub lie: Arc<Mutex<Lie>>,
}

pub const CHAIN_CODE: [u8; 32] = [5; 32];

impl Real {
    pub fn new() -> (Self, Arc<Mutex<Lie>>) {
        let lie = Arc::new(Mutex::new(Lie::None));
        (Self { secrets: Mutex::default(), lie: Arc::clone(&lie) }, lie)
    }

    fn lie(&self) -> Lie {
        *self.lie.lock().unwrap()
    }
}

fn public_key(scheme: Scheme, secret: &[u8; 32]) -> Vec<u8> {
    match scheme {
        Scheme::EcdsaSecp256k1 => k256::ecdsa::SigningKey::from_slice(secret)
            .unwrap()
            .verifying_key()
            .to_sec1_point(true)
            .as_bytes()
            .to_vec(),
        Scheme::EcdsaP256 => p256::ecdsa::SigningKey::from_slice(secret)
            .unwrap()
            .verifying_key()
            .to_sec1_point(true)
            .as_bytes()
            .to_vec(),
        Scheme::Ed25519 => {
            ed25519_dalek::SigningKey::from_bytes(secret).verifying_key().to_bytes().to_vec()
        }
        Scheme::Ed448 => ed448(secret).verifying_key().to_bytes().to_vec(),
        Scheme::Taproot => k256::schnorr::SigningKey::from_slice(secret)
            .unwrap()
            .verifying_key()
            .to_bytes()
            .to_vec(),
        Scheme::MlDsa65 => ml_dsa(secret).verifying_key().encode().to_vec(),
    }
}

fn ml_dsa(secret: &[u8; 32]) -> ml_dsa::ExpandedSigningKey<ml_dsa::MlDsa65> {
    ml_dsa::ExpandedSigningKey::from_seed(&(*secret).into())
}

fn ed448(secret: &[u8; 32]) -> ed448_goldilocks::SigningKey {
    let mut seed = [7; 57];
    seed[..32].copy_from_slice(secret);
    ed448_goldilocks::SigningKey::from(ed448_goldilocks::SecretKey::from(seed))
}

/// The root of a key's children, for schemes whose children the service signs with.
fn root(scheme: Scheme, public: &[u8]) -> Option<Root> {
    let point = match scheme {
        Scheme::EcdsaSecp256k1 | Scheme::EcdsaP256 => public.to_vec(),
        // The internal key, with an even y-coordinate.
        Scheme::Taproot => [&[2], public].concat(),
        _ => return None,
    };
    Some(Root { point, chain_code: CHAIN_CODE })
}

/// The secret of a child: the parent's plus the tweak.
fn child(scheme: Scheme, secret: &[u8; 32], place: &Child) -> [u8; 32] {
    fn derived<C: Derivable>(point: &[u8], place: &Child) -> Derived<C> {
        Derived::at(&C::decode_point(point).unwrap(), &CHAIN_CODE, &place.path).unwrap()
    }
    fn tweak<C: Derivable>(point: &[u8], place: &Child) -> [u8; 32] {
        C::encode_scalar(&derived::<C>(point, place).tweak).as_ref().try_into().unwrap()
    }
    let Some(Root { point, .. }) = root(scheme, &public_key(scheme, secret)) else {
        return *secret;
    };
    match scheme {
        Scheme::EcdsaSecp256k1 => {
            let add = |bytes: [u8; 32]| k256::Scalar::from_repr(bytes.into()).unwrap();
            (add(*secret) + add(tweak::<Secp256k1>(&point, place))).to_bytes().into()
        }
        Scheme::EcdsaP256 => {
            let add = |bytes: [u8; 32]| p256::Scalar::from_repr(bytes.into()).unwrap();
            (add(*secret) + add(tweak::<P256>(&point, place))).to_bytes().into()
        }
        // The certificates of this service have the internal key itself.
        Scheme::Taproot if *place != Child::default() => {
            let derived = derived::<Secp256k1>(&point, place);
            let scripts = place.merkle_root.as_ref().map(|root| &root.0);
            let shift = *TaprootKey::new(&derived, scripts).unwrap().shift();
            let shift: [u8; 32] = Secp256k1::encode_scalar(&shift).as_ref().try_into().unwrap();
            let even = k256::schnorr::SigningKey::from_slice(secret).unwrap();
            let shift = k256::Scalar::from_repr(shift.into()).unwrap();
            (**even.as_nonzero_scalar() + shift).to_bytes().into()
        }
        _ => *secret,
    }
}

fn sign(
    scheme: Scheme,
    secret: &[u8; 32],
    message: &Message,
    context: &[u8],
) -> (Vec<u8>, Option<u8>) {
    match scheme {
        Scheme::EcdsaSecp256k1 => {
            let key = k256::ecdsa::SigningKey::from_slice(secret).unwrap();
            let (signature, id) = key.sign_prehash_recoverable(&message.ecdsa_digest().unwrap());
            (signature.to_bytes().to_vec(), Some(id.to_byte()))
        }
        Scheme::EcdsaP256 => {
            let key = p256::ecdsa::SigningKey::from_slice(secret).unwrap();
            let digest = message.ecdsa_digest().unwrap();
            let (signature, _) = key.sign_prehash_recoverable(&digest);
            let low = signature.normalize_s();
            let id = p256::ecdsa::RecoveryId::trial_recovery_from_prehash(
                key.verifying_key(),
                &digest,
                &low,
            )
            .unwrap();
            (low.to_bytes().to_vec(), Some(id.to_byte()))
        }
        Scheme::Ed25519 => (
            ed25519_dalek::SigningKey::from_bytes(secret)
                .sign(message.raw().unwrap())
                .to_bytes()
                .to_vec(),
            None,
        ),
        Scheme::Ed448 => (ed448(secret).sign_raw(message.raw().unwrap()).to_bytes().to_vec(), None),
        Scheme::Taproot => {
            let key = k256::schnorr::SigningKey::from_slice(secret).unwrap();
            (key.sign_raw(message.raw().unwrap(), &[0; 32]).unwrap().to_bytes().to_vec(), None)
        }
        Scheme::MlDsa65 => {
            let signature = ml_dsa(secret).sign_deterministic(message.raw().unwrap(), context);
            (signature.unwrap().encode().to_vec(), None)
        }
    }
}

/// A signature with −s in place of s.
fn negated(scheme: Scheme, signature: &[u8]) -> Vec<u8> {
    match scheme {
        Scheme::EcdsaSecp256k1 => {
            let signature = k256::ecdsa::Signature::from_slice(signature).unwrap();
            let minus_s = -*signature.s().as_ref();
            [&signature.r().to_bytes()[..], &minus_s.to_bytes()].concat()
        }
        _ => {
            let signature = p256::ecdsa::Signature::from_slice(signature).unwrap();
            let minus_s = -*signature.s().as_ref();
            [&signature.r().to_bytes()[..], &minus_s.to_bytes()].concat()
        }
    }
}

impl Keys for Real {
    fn make(&self, spec: &KeySpec) -> Result<(Vec<u8>, Option<Vec<u8>>), Refusal> {
        let mut secrets = self.secrets.lock().unwrap();
        let number = secrets.len() as u8 + 1;
        let secret = [number; 32];
        let public = public_key(spec.scheme, &secret);
        secrets.insert(public.clone(), (spec.scheme, secret));
        let lie = self.lie();
        let certified = if lie == Lie::OtherCertificate {
            public_key(spec.scheme, &[99; 32])
        } else {
            public.clone()
        };
        let mut spec = spec.clone();
        if lie == Lie::OtherSpec {
            spec.threshold = 3;
        }
        let certificate = Certificate {
            key: KeyId::of(spec.scheme, &certified),
            root: root(spec.scheme, &certified),
            spec,
            public_key: certified,
            package: vec![1; 100],
            epoch: 0,
            directory: directory("test").id(),
        };
        let by = if lie == Lie::MemberMissing { 1..=2 } else { 1..=3 };
        let signatures = by
            .map(|number| certificate.endorse(party(number), &identity(number)).unwrap())
            .collect();
        let bytes = SignedCertificate { certificate, signatures }.to_bytes().unwrap();
        Ok((public, Some(if lie == Lie::NoCertificate { vec![1, 2, 3] } else { bytes })))
    }

    fn child(&self, key: &KeyDescription, place: &Child) -> Result<Vec<u8>, Refusal> {
        let (scheme, secret) = self.secrets.lock().unwrap()[&key.public_key];
        Ok(public_key(scheme, &child(scheme, &secret, place)))
    }

    fn sign(&self, key: &KeyDescription, asked: &Sign) -> Result<SignatureDescription, Refusal> {
        let lie = self.lie();
        let (scheme, secret) = self.secrets.lock().unwrap()[&key.public_key];
        let malformed = |why| Refusal::new(Reason::Malformed, format_args!("{why}"));
        let mut purpose = Purpose::from_bytes(&asked.purpose).map_err(malformed)?;
        if lie == Lie::OtherMessage {
            purpose = opaque(scheme, b"another");
        }
        let message = purpose.message(scheme.key_kind()).unwrap();
        let mut place = asked.child();
        if lie == Lie::NoScripts {
            place.merkle_root = None;
        }
        let real = child(scheme, &secret, &place);
        let public_key = public_key(scheme, &real);
        let (mut signature, mut recovery_id) = sign(
            scheme,
            if lie == Lie::OtherKey { &[98; 32] } else { &real },
            &message,
            if lie == Lie::OtherContext { b"another" } else { &asked.context },
        );
        match lie {
            Lie::HighS => signature = negated(scheme, &signature),
            Lie::RecoveryId => recovery_id = recovery_id.map(|id| id ^ 1),
            Lie::Short => drop(signature.pop()),
            Lie::OtherPublicKey => {
                return Ok(SignatureDescription {
                    signature,
                    recovery_id,
                    public_key: vec![1; 32],
                });
            }
            _ => {}
        }
        Ok(SignatureDescription { signature, recovery_id, public_key })
    }
}

/// A purpose for keys of the scheme.
pub fn opaque(scheme: Scheme, bytes: &[u8]) -> Purpose {
    if scheme.key_kind().is_ecdsa() {
        OpaqueMessage::hashed(Hash::Keccak256, bytes).unwrap().into()
    } else {
        OpaqueMessage::raw(bytes).unwrap().into()
    }
}

pub fn party(number: u8) -> PartyId {
    PartyId::new(number.into()).unwrap()
}

fn identity(number: u8) -> Identity {
    Identity::from_seed(Name::new(&format!("n{number}")).unwrap(), &[number; 32])
}

pub fn directory(deployment: &str) -> Directory {
    let add = |draft: quorate_envelope::Draft, number| {
        let identity = identity(number);
        let member = Member::new(identity.name().clone(), identity.public().clone());
        draft.member(member.with_party(party(number)))
    };
    (1..=3).fold(Directory::first(Name::new(deployment).unwrap()), add).finish().unwrap()
}

pub fn spec(scheme: Scheme) -> KeySpec {
    let members = [1, 2, 3].map(party).to_vec();
    KeySpec {
        scheme,
        threshold: 2,
        members,
        purposes: vec![],
        scope: String::new(),
        labels: [].into(),
    }
}

/// A service, and its clients.
pub struct World {
    pub server: Server,
    pub callers: Callers,
    pub requester: Client,
    pub approver: Client,
    pub administrator: Client,
    pub lie: Arc<Mutex<Lie>>,
}

pub fn secrets() -> ([CallerSecret; 3], Callers) {
    let secrets = [(); 3].map(|()| CallerSecret::generate().unwrap());
    let cast =
        [("payments", Role::Request), ("board", Role::Approve), ("operator", Role::Administer)];
    let callers = secrets.iter().zip(cast).map(|(secret, (name, role))| Caller {
        name: name.to_owned(),
        roles: vec![role],
        keys: vec![secret.public()],
    });
    let callers = Callers::new(callers.collect()).unwrap().of_cluster("test");
    (secrets, callers)
}

/// Serves a service.
pub async fn serve(service: Arc<dyn Service>, tls: Option<Arc<rustls::ServerConfig>>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let metrics = Metrics::new(&mut prometheus_client::registry::Registry::default());
    let limits = Limits::default();
    Server::start(listener, tls, api(service, limits, metrics), limits).unwrap()
}

/// A world whose service is wrapped.
pub async fn world_with(wrap: impl FnOnce(Arc<Fake>) -> Arc<dyn Service>) -> World {
    let (secrets, callers) = secrets();
    let (keys, lie) = Real::new();
    let service = wrap(Fake::at(now, callers.clone(), keys));
    let server = serve(service, None).await;
    let base = format!("http://{}", server.address());
    let [requester, approver, administrator] =
        secrets.map(|secret| Client::new(Endpoint::plain(&base).unwrap(), secret, "test"));
    World { server, callers, requester, approver, administrator, lie }
}

pub async fn world() -> World {
    world_with(|fake| fake).await
}
