//! A service in memory that stores what it is asked for. Its keys are of one party.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_in_result,
    clippy::too_many_lines,
    reason = "each test uses a part"
)]

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use custody_core::{
    Callers, Child, ChildDescription, KeyCondition, KeyDescription, KeyId, KeyList, KeySpec,
    Operation, Page, PartyId, Problem, Read, Reason, Refusal, Reply, RequestDescription, RequestId,
    RequestList, RequestState, Service, Sign, SignatureDescription, SignedRequest, Verified,
};

use tokio::sync::watch;
use tokio::time::timeout;

pub const NOW: u64 = 1_800_000_000;

/// The keys of the fake.
pub trait Keys: Send + Sync + 'static {
    /// Makes a key: its public key, and its certificate.
    fn make(&self, spec: &KeySpec) -> Result<(Vec<u8>, Option<Vec<u8>>), Refusal>;
    /// The public key of a child.
    fn child(&self, key: &KeyDescription, child: &Child) -> Result<Vec<u8>, Refusal>;
    /// Signs.
    fn sign(&self, key: &KeyDescription, sign: &Sign) -> Result<SignatureDescription, Refusal>;
}

/// A fake service. A key with the label `approvals` needs an approval for each signature.
pub struct Fake {
    pub callers: Mutex<Arc<Callers>>,
    pub clock: fn() -> u64,
    keys: Box<dyn Keys>,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    keys: BTreeMap<KeyId, KeyDescription>,
    requests: Vec<RequestDescription>,
    audit: Vec<String>,
}

impl Fake {
    pub fn new(callers: Callers, keys: impl Keys) -> Arc<Self> {
        Self::at(|| NOW, callers, keys)
    }

    pub fn at(clock: fn() -> u64, callers: Callers, keys: impl Keys) -> Arc<Self> {
        let (callers, keys) = (Mutex::new(Arc::new(callers)), Box::new(keys));
        Arc::new(Self {
            callers,
            clock,
            keys,
            state: Mutex::default(),
            changed: watch::Sender::new(0),
        })
    }

    fn execute(&self, request: SignedRequest, verified: &Verified) -> Result<RequestId, Refusal> {
        let mut state = self.state.lock().unwrap();
        if let Some(before) = state.requests.iter().find(|one| one.request == verified.id) {
            verified.check_same(before.digest)?;
            return Ok(before.request);
        }
        let mut description = RequestDescription {
            request: verified.id,
            digest: verified.digest,
            state: RequestState::Done,
            operation: verified.operation.name().to_owned(),
            caller: verified.caller.name.clone(),
            key: verified.operation.key(),
            expires: verified.expires,
            approvals: vec![],
            signature: None,
            problem: None,
            signed: request,
        };
        let result = self.apply(&mut state, verified, &mut description);
        let answer = result.as_ref().map_or_else(|refusal| refusal.reason.name(), |()| "done");
        let entry = serde_json::json!({ "request": verified.id, "operation": verified.operation.name(), "answer": answer });
        state.audit.push(entry.to_string());
        result?;
        state.requests.push(description);
        self.changed.send_modify(|count| *count += 1);
        Ok(verified.id)
    }

    fn apply(
        &self,
        state: &mut State,
        verified: &Verified,
        description: &mut RequestDescription,
    ) -> Result<(), Refusal> {
        let unknown = || Refusal::new(Reason::UnknownKey, "there is no such key");
        if let Some(key) = verified.operation.key() {
            let key = state.keys.get_mut(&key).ok_or_else(unknown)?;
            match &verified.operation {
                Operation::Sign(_, sign) => return self.sign(key, sign, description),
                Operation::Refresh(_) => key.epoch += 1,
                Operation::Reshare(_, to) => {
                    key.epoch += 1;
                    (key.spec.threshold, key.spec.members) = (to.threshold, to.members.clone());
                }
                Operation::Disable(_) | Operation::CancelDeletion(_) => {
                    (key.state, key.deletion_at) = (KeyCondition::Disabled, None);
                }
                Operation::Enable(_) => key.state = KeyCondition::Enabled,
                Operation::ScheduleDeletion(_, deletion) => {
                    (key.state, key.deletion_at) =
                        (KeyCondition::DeletionScheduled, Some(deletion.at));
                }
                Operation::Replenish(_, to) => key.stock = to.count,
                other => panic!("{other:?} has a key"),
            }
            return Ok(());
        }
        match &verified.operation {
            Operation::CreateKey(spec) => {
                let (public_key, certificate) = self.keys.make(spec)?;
                let key = KeyId::of(spec.scheme, &public_key);
                let (spec, request) = (spec.clone(), verified.id);
                let (state_, deletion_at, child, spki) = (KeyCondition::Enabled, None, None, None);
                let made = KeyDescription {
                    key,
                    request,
                    spec,
                    state: state_,
                    deletion_at,
                    epoch: 0,
                    stock: 0,
                    public_key,
                    spki,
                    root: None,
                    certificate,
                    child,
                };
                state.keys.insert(key, made);
                description.key = Some(key);
            }
            Operation::Approve(request, approve) => {
                let waiting = find(&mut state.requests, *request)?;
                if waiting.digest != approve.digest {
                    return Err(Refusal::new(
                        Reason::RequestConflict,
                        "the digest is of another request",
                    ));
                }
                waiting.approvals.push(verified.caller.name.clone());
                let Operation::Sign(key, sign) =
                    waiting.signed.verify(&self.callers(), self.now())?.operation
                else {
                    panic!("only signatures wait")
                };
                let key = state.keys.get(&key).ok_or_else(unknown)?;
                self.sign(key, &sign, find(&mut state.requests, *request)?)?;
            }
            Operation::Cancel(request) => {
                find(&mut state.requests, *request)?.state = RequestState::Cancelled
            }
            other => panic!("{other:?} has no key"),
        }
        Ok(())
    }

    fn sign(
        &self,
        key: &KeyDescription,
        sign: &Sign,
        description: &mut RequestDescription,
    ) -> Result<(), Refusal> {
        if key.state != KeyCondition::Enabled {
            return Err(Refusal::new(Reason::KeyDisabled, "the key is disabled"));
        }
        if key.spec.labels.contains_key("approvals") && description.approvals.is_empty() {
            description.state = RequestState::ApprovalsMissing;
            return Ok(());
        }
        if sign.on_behalf.as_deref() == Some("mallory") {
            return Err(Refusal::new(Reason::PolicyDenied, "not for mallory").by_policy("people"));
        }
        description.signature = Some(self.keys.sign(key, sign)?);
        description.state = RequestState::Done;
        Ok(())
    }

    async fn wait(&self, request: RequestId, seconds: u16) -> Result<RequestDescription, Refusal> {
        let mut changed = self.changed.subscribe();
        let get = || find(&mut self.state.lock().unwrap().requests, request).map(|one| one.clone());
        let ended = async {
            loop {
                let description = get()?;
                if !matches!(
                    description.state,
                    RequestState::Pending | RequestState::ApprovalsMissing
                ) {
                    return Ok(description);
                }
                changed.changed().await.unwrap();
            }
        };
        timeout(Duration::from_secs(seconds.into()), ended).await.unwrap_or_else(|_| get())
    }
}

fn find(
    requests: &mut [RequestDescription],
    request: RequestId,
) -> Result<&mut RequestDescription, Refusal> {
    let found = requests.iter_mut().find(|one| one.request == request);
    found.ok_or_else(|| Refusal::new(Reason::UnknownRequest, "there is no such request"))
}

/// The part of a list after an entry.
fn part<T: Clone>(all: Vec<T>, after: Option<usize>, limit: u16) -> (Vec<T>, bool) {
    let rest: Vec<T> = all.into_iter().skip(after.map_or(0, |after| after + 1)).collect();
    let more = rest.len() > limit.into();
    (rest.into_iter().take(limit.into()).collect(), more)
}

impl Service for Fake {
    fn callers(&self) -> Arc<Callers> {
        Arc::clone(&self.callers.lock().unwrap())
    }

    fn now(&self) -> u64 {
        (self.clock)()
    }

    fn submit(&self, request: SignedRequest, verified: Verified) -> Reply<'_, RequestDescription> {
        Box::pin(async move {
            let id = self.execute(request, &verified)?;
            self.wait(id, verified.wait).await
        })
    }

    fn keys(&self, page: Page<KeyId>) -> Reply<'_, KeyList> {
        Box::pin(async move {
            let all: Vec<_> = self.state.lock().unwrap().keys.values().cloned().collect();
            let after = page.after.and_then(|after| all.iter().position(|key| key.key == after));
            let (keys, more) = part(all, after, page.limit);
            Ok(KeyList { keys, more })
        })
    }

    fn key(&self, key: KeyId, child: Option<Child>) -> Reply<'_, KeyDescription> {
        Box::pin(async move {
            let found = self.state.lock().unwrap().keys.get(&key).cloned();
            let mut found =
                found.ok_or_else(|| Refusal::new(Reason::UnknownKey, "there is no such key"))?;
            if let Some(child) = child {
                let public_key = self.keys.child(&found, &child)?;
                let Child { path, merkle_root } = child;
                found.child = Some(ChildDescription { path, merkle_root, public_key, spki: None });
            }
            Ok(found)
        })
    }

    fn requests(&self, page: Page<RequestId>) -> Reply<'_, RequestList> {
        Box::pin(async move {
            let all = self.state.lock().unwrap().requests.clone();
            let waits = |one: &RequestDescription| one.state == RequestState::ApprovalsMissing;
            let all: Vec<_> = all.into_iter().filter(waits).collect();
            let after =
                page.after.and_then(|after| all.iter().position(|one| one.request == after));
            let (requests, more) = part(all, after, page.limit);
            Ok(RequestList { requests, more })
        })
    }

    fn request(&self, request: RequestId, wait: u16) -> Reply<'_, RequestDescription> {
        Box::pin(self.wait(request, wait))
    }

    fn audit(&self, node: PartyId, request: SignedRequest) -> Reply<'_, Vec<String>> {
        Box::pin(async move {
            let verified = request.verify(&self.callers(), self.now())?;
            let Operation::Read(Read::Audit(_, page)) = verified.operation else {
                return Err(Refusal::new(Reason::Malformed, "expected a request to read the log"));
            };
            if node.get() != 1 {
                return Err(Refusal::new(Reason::Malformed, "there is one node, 1"));
            }
            let all = self.state.lock().unwrap().audit.clone();
            let after = page.after.and_then(|after| usize::try_from(after).ok());
            Ok(part(all, after, page.limit).0)
        })
    }
}

/// The problem of a response.
pub fn problem(json: &serde_json::Value) -> Problem {
    serde_json::from_value(json.clone()).unwrap()
}
