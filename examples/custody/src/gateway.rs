//! The gateway: it takes requests, orders what is needed for them, and keeps both in a database until every request is
//! signed or refused. It knows no secret.
//!
//! Whatever it orders it orders again until all have answered: a node begins each order once. A presignature is given to
//! one request, by a unique key; that it is spent once is for the nodes to see to.

pub mod ask;
mod rows;

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

use quorate::session::stock::WaterMarks;
use quorate::{Parties, PartyId};
use quorate_cggmp::{Secp256k1, Signature};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;
use quorate_examples::out::Out;
use quorate_examples::verifiers;

pub use self::rows::{Resolved, Rows};
use self::rows::{State, Waiting};
use crate::net::{Delivery, Report};
use crate::node::now;
use crate::orders::{Kind, Order, Request};
use crate::plan::Plan;
use crate::records::{Answer, RELEASED};

/// The stock of presignatures: filled up to the high mark when it has fallen below the low one.
pub const MARKS: WaterMarks = WaterMarks { low: 4, high: 8 };

/// An order is given again after so long.
const AGAIN: Duration = Duration::from_millis(200);

/// The place of the question what all signers hold among the times of orders.
const QUESTION: [u8; 32] = [0; 32];

/// Orders of one kind that may fail in a life of the gateway.
const PATIENCE: u32 = 3;

/// For how many milliseconds an order of each kind is good.
#[derive(Clone, Copy)]
pub struct Times {
    /// For a key or auxiliary information.
    pub making: u64,
    /// For presignatures or a signature.
    pub signing: u64,
}

/// The gateway of a custody.
pub struct Gateway {
    rows: Rows,
    plan: Plan,
    parties: Parties,
    signers: Parties,
    times: Times,
    nodes: BTreeMap<PartyId, Sender<Delivery>>,
    /// When the open orders were given last.
    given: BTreeMap<[u8; 32], Instant>,
    /// The presignatures that all signers hold, unless that has to be asked again.
    held: Option<Vec<[u8; 36]>>,
    questions: u64,
    failed: BTreeMap<Kind, u32>,
    /// What operators should know.
    notices: BTreeSet<String>,
}

impl Gateway {
    /// Opens the database of the gateway, and makes it if there is none.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn open(
        path: &Path,
        plan: Plan,
        (parties, signers): (Parties, Parties),
        times: Times,
        nodes: BTreeMap<PartyId, Sender<Delivery>>,
    ) -> Result<Self, Failure> {
        let rows = Rows::open(path)?;
        let (given, failed, notices) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Ok(Self {
            rows,
            plan,
            parties,
            signers,
            times,
            nodes,
            given,
            held: None,
            questions: 0,
            failed,
            notices,
        })
    }

    /// Takes a request, once. One that comes again under its number changes nothing.
    ///
    /// # Errors
    /// A [`Failure`] if the number was another request's.
    pub fn request(&mut self, number: u32, message: &[u8]) -> Result<(), Failure> {
        self.rows.request(number, message)
    }

    /// The requests, with what has become of them.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn resolved(&self) -> Result<Vec<Resolved>, Failure> {
        self.rows.resolved()
    }

    /// Works until every request is signed or refused, and the stock is filled.
    ///
    /// # Errors
    /// A [`Failure`] if a node has failed, or an order more often than can be hoped to help.
    pub fn work(&mut self, reports: &Receiver<Report>, out: &mut Out) -> Result<(), Failure> {
        while !self.step(out)? {
            let mut pause = Duration::from_millis(20);
            loop {
                match reports.recv_timeout(pause) {
                    Ok(report) => self.hear(report, out)?,
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(Failure::new("all nodes are gone"));
                    }
                }
                pause = Duration::ZERO;
            }
        }
        Ok(())
    }

    fn hear(&mut self, report: Report, out: &mut Out) -> Result<(), Failure> {
        match report {
            Report::Answer(node, sid, answer) => self.rows.answer(&sid, node, &answer),
            Report::Held(number, names) => {
                if number == self.questions {
                    self.held = Some(names);
                }
                Ok(())
            }
            Report::Notice(node, what) => {
                let notice = format!("node {node}: {what}");
                if self.notices.insert(notice.clone()) {
                    out.line(notice);
                }
                Ok(())
            }
            Report::Gone(node, Some(failure)) => {
                Err(Failure::new(format!("node {node}: {failure}")))
            }
            Report::Gone(..) => Ok(()),
        }
    }

    /// Closes orders that all have answered, and gives those that are needed; says whether everything is done.
    fn step(&mut self, out: &mut Out) -> Result<bool, Failure> {
        for (order, number) in self.rows.open_orders()? {
            let parties = order.job.parties.clone();
            let answers = self.rows.answers(&order.job.sid)?;
            if parties.iter().all(|node| answers.contains_key(&node)) {
                self.close(&order, number, &answers, out)?;
            } else {
                self.give(&Arc::new(order), &answers);
            }
        }
        for kind in [Kind::Keygen, Kind::AuxInfo] {
            match self.rows.last(kind)? {
                Some((_, State::Done)) => {}
                Some((_, State::Open)) => return Ok(false),
                last => {
                    let number = last.map_or(0, |(number, _)| number.saturating_add(1));
                    self.order((kind, number), Vec::new(), None)?;
                    return Ok(false);
                }
            }
        }
        self.sign()
    }

    /// Gives presignatures to requests, and keeps the stock filled.
    fn sign(&mut self) -> Result<bool, Failure> {
        let Some(held) = &self.held else {
            self.ask();
            return Ok(false);
        };
        let mut free = Vec::new();
        for name in held {
            if !self.rows.is_given(name)? {
                free.push(*name);
            }
        }
        let waiting = self.rows.waiting()?;
        let mut left = free.len();
        for (Waiting { number, message }, presignature) in waiting.iter().zip(free) {
            let request = Request { presignature, message: message.clone() };
            let given = Some((*number, presignature));
            self.order((Kind::Sign, *number), request.to_bytes(), given)?;
            left = left.saturating_sub(1);
        }
        let presigning = match self.rows.last(Kind::Presign)? {
            Some((_, State::Open)) => return Ok(false),
            last => last.map_or(0, |(number, _)| number.saturating_add(1)),
        };
        let count = u16::try_from(MARKS.to_make(left)).unwrap_or(u16::MAX);
        if count > 0 {
            self.order((Kind::Presign, presigning), count.to_be_bytes().to_vec(), None)?;
            return Ok(false);
        }
        Ok(waiting.is_empty() && self.rows.open_orders()?.is_empty())
    }

    fn ask(&mut self) {
        let due = self.given.get(&QUESTION).is_none_or(|given| given.elapsed() >= AGAIN);
        if due {
            self.given.insert(QUESTION, Instant::now());
            self.questions = self.questions.saturating_add(1);
            for node in self.signers.iter().filter_map(|signer| self.nodes.get(&signer)) {
                node.send(Delivery::Ask(self.questions)).ok();
            }
        }
    }

    /// Stores an order; it is given with the next step.
    fn order(
        &mut self,
        (kind, number): (Kind, u32),
        body: Vec<u8>,
        given: Option<(u32, [u8; 36])>,
    ) -> Result<(), Failure> {
        let (parties, time) = match kind {
            Kind::Keygen | Kind::AuxInfo => (&self.parties, self.times.making),
            Kind::Presign | Kind::Sign => (&self.signers, self.times.signing),
        };
        let deadline = now().saturating_add(time);
        let order = Order::new((&self.plan.custody, kind, number), parties.clone(), body, deadline);
        self.rows.order(&order, number, given)
    }

    /// Gives an order to the nodes that have not answered.
    fn give(&mut self, order: &Arc<Order>, answers: &BTreeMap<PartyId, Answer>) {
        let sid = *order.job.sid.as_bytes();
        if self.given.get(&sid).is_some_and(|given| given.elapsed() < AGAIN) {
            return;
        }
        self.given.insert(sid, Instant::now());
        for node in order.job.parties.iter().filter(|node| !answers.contains_key(node)) {
            if let Some(node) = self.nodes.get(&node) {
                node.send(Delivery::Order(Arc::clone(order))).ok();
            }
        }
    }

    /// All nodes have answered.
    fn close(
        &mut self,
        order: &Order,
        number: u32,
        answers: &BTreeMap<PartyId, Answer>,
        out: &mut Out,
    ) -> Result<(), Failure> {
        let (kind, sid) = (order.kind, &order.job.sid);
        self.given.remove(sid.as_bytes());
        if kind == Kind::Presign {
            self.forget_held();
        }
        match (kind, common(answers)) {
            (Kind::Sign, result) => self.end_request(order, number, (answers, result.err()), out),
            (kind, Ok(result)) => {
                self.rows.close(sid, State::Done)?;
                out.line(match kind {
                    Kind::Keygen => format!("a key: {}", hex(result)),
                    Kind::AuxInfo => "auxiliary information for any number of keys".to_owned(),
                    Kind::Presign | Kind::Sign => {
                        let count = order.job.body.as_slice().try_into().map(u16::from_be_bytes);
                        format!("{} presignatures from one run", count.unwrap_or(0))
                    }
                });
                Ok(())
            }
            (kind, Err(why)) => {
                self.rows.close(sid, State::Failed)?;
                let failed = self.failed.entry(kind).or_default();
                *failed = failed.saturating_add(1);
                let notices: String =
                    self.notices.iter().map(|notice| format!("\n  {notice}")).collect();
                let text = format!("{} has failed:\n  {why}{notices}", kind.name());
                if kind != Kind::Presign || *failed >= PATIENCE {
                    return Err(Failure::new(text));
                }
                out.line(text);
                Ok(())
            }
        }
    }

    /// What all signers hold has changed: an answer that is on its way is too old.
    fn forget_held(&mut self) {
        self.held = None;
        self.questions = self.questions.saturating_add(1);
        self.given.remove(&QUESTION);
    }

    /// Closes a request as signed if any node has a signature that verifies: one is enough for whoever wants to use it.
    /// Without one it is refused for certain only if no node has released its share.
    fn end_request(
        &self,
        order: &Order,
        number: u32,
        (answers, why): (&BTreeMap<PartyId, Answer>, Option<String>),
        out: &mut Out,
    ) -> Result<(), Failure> {
        let request = Request::from_bytes(&order.job.body);
        let request = request.ok_or_else(|| Failure::new("an order that is none"))?;
        let key = self.rows.key()?;
        let results = answers.values().filter_map(|answer| answer.as_ref().ok());
        if let Some(bytes) = results.clone().find_map(|bytes| verified(&key, &request, bytes)) {
            let start = hex(bytes.get(..4).unwrap_or_default());
            let message = String::from_utf8_lossy(&request.message).into_owned();
            out.line(format!(
                "request {number}: {message:?} is signed, {start}…, verifies by k256"
            ));
            return self.rows.sign(&order.job.sid, number, bytes);
        }
        let why = why.unwrap_or_else(|| "the signature does not verify".to_owned());
        let mut reasons = answers.values().filter_map(|answer| answer.as_ref().err());
        let certain = results.count() == 0 && !reasons.any(|why| why.ends_with(RELEASED));
        let said = if certain { "refused" } else { MAY };
        out.line(format!("request {number}: {said}\n  {why}"));
        let why = if certain { why } else { format!("{MAY}\n  {why}") };
        self.rows.refuse(&order.job.sid, number, &why)
    }
}

/// The start of the reason why a request has no signature here, of which there may be one elsewhere.
pub const MAY: &str = "may be signed";

/// A signature, if a verifier that is not ours takes it.
fn verified<'a>(key: &[u8], request: &Request, bytes: &'a [u8]) -> Option<&'a [u8; 65]> {
    let bytes: &[u8; 65] = bytes.try_into().ok()?;
    let signature = Signature::<Secp256k1>::from_recoverable(bytes).ok()?.to_compact();
    verifiers::ecdsa_secp256k1(key, &request.message, &signature).then_some(bytes)
}

/// The result that all nodes have, or why there is none.
fn common(answers: &BTreeMap<PartyId, Answer>) -> Result<&[u8], String> {
    let mut why = Vec::new();
    let mut results = Vec::new();
    for (node, answer) in answers {
        match answer {
            Ok(result) => results.push(result.as_slice()),
            Err(text) => why.push(format!("node {node}: {text}")),
        }
    }
    match results.split_first() {
        Some((first, rest)) if why.is_empty() && rest.iter().all(|other| other == first) => {
            Ok(first)
        }
        Some(_) if why.is_empty() => Err("the nodes have different results".to_owned()),
        _ => Err(why.join("\n  ")),
    }
}
