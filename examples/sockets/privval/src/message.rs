//! The messages of the protocol.

use quorate_purpose::comet::Proposal;

use crate::handshake::ed25519;
use crate::proto::{Fields, Malformed, Value, delimited, put_bytes, put_integer, put_message};
use crate::vote::{SignedProposal, SignedVote, VoteRequest, proposal_message, read_proposal};

/// The longest message, in bytes: as CometBFT has it.
pub const MAX_LENGTH: usize = 10 * 1024;

/// The numbers of requests. The answer to each has the next one.
const PUB_KEY: u64 = 1;
const SIGN_VOTE: u64 = 3;
const SIGN_PROPOSAL: u64 = 5;
const PING: u64 = 7;
const SIGN_BYTES: u64 = 9;

/// A request of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// The node asks for the public key of its validator.
    PubKey {
        /// The id of the chain.
        chain: String,
    },
    /// The node wants a vote signed.
    SignVote(Box<VoteRequest>),
    /// The node wants a proposal signed.
    SignProposal(Box<Proposal>),
    /// The node wants to know whether the signer is there.
    Ping,
    /// The node wants bytes signed that nobody can read, which is not served. CometBFT 1.0 has such requests.
    SignBytes,
}

impl Request {
    /// Reads a message, without the length in front of it. Fields that are unknown are passed over, as protobuf wants it.
    ///
    /// # Errors
    /// [`Malformed`] if it is no request, or a vote or proposal that no validator may sign.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        if bytes.len() > MAX_LENGTH {
            return Err(Malformed("it is too long"));
        }
        let mut fields = Fields::of(bytes);
        let Some((number, value)) = fields.next().transpose()? else {
            return Err(Malformed("it is empty"));
        };
        if fields.next().is_some() {
            return Err(Malformed("it has more than one request"));
        }
        let body = value.bytes()?;
        match number {
            PUB_KEY => Ok(Self::PubKey { chain: Body::read(body)?.chain(1)?.to_owned() }),
            SIGN_VOTE => {
                let body = Body::read(body)?;
                let (chain, skip) = (body.chain(2)?, body.skip);
                let vote = VoteRequest::read(body.content()?, chain, skip)?;
                Ok(Self::SignVote(Box::new(vote)))
            }
            SIGN_PROPOSAL => {
                let body = Body::read(body)?;
                let proposal = read_proposal(body.content()?, body.chain(2)?)?;
                Ok(Self::SignProposal(Box::new(proposal)))
            }
            PING => Ok(Self::Ping),
            SIGN_BYTES => Ok(Self::SignBytes),
            _ => Err(Malformed("it is no request")),
        }
    }

    /// The message, without the length in front of it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = vec![];
        let number = match self {
            Self::PubKey { chain } => {
                put_bytes(&mut body, 1, chain.as_bytes());
                PUB_KEY
            }
            Self::SignVote(request) => {
                put_message(&mut body, 1, &request.to_message());
                put_bytes(&mut body, 2, request.vote.place().chain().as_bytes());
                put_integer(&mut body, 3, request.skip_extension.into());
                SIGN_VOTE
            }
            Self::SignProposal(proposal) => {
                put_message(&mut body, 1, &proposal_message(proposal));
                put_bytes(&mut body, 2, proposal.place().chain().as_bytes());
                SIGN_PROPOSAL
            }
            Self::Ping => PING,
            Self::SignBytes => SIGN_BYTES,
        };
        let mut message = vec![];
        put_message(&mut message, number, &body);
        message
    }
}

/// The fields that the bodies of requests have.
#[derive(Default)]
struct Body<'a> {
    first: Option<Value<'a>>,
    second: Option<Value<'a>>,
    skip: bool,
}

impl<'a> Body<'a> {
    fn read(body: &'a [u8]) -> Result<Self, Malformed> {
        let mut read = Self::default();
        for field in Fields::of(body) {
            match field? {
                (1, value) => read.first = Some(value),
                (2, value) => read.second = Some(value),
                (3, value) => read.skip = value.integer()? != 0,
                _ => {}
            }
        }
        Ok(read)
    }

    /// The vote or the proposal.
    fn content(&self) -> Result<&'a [u8], Malformed> {
        self.first.ok_or(Malformed("there is nothing to sign"))?.bytes()
    }

    /// The id of the chain, which is in the first field or in the second, by the kind of request.
    fn chain(&self, field: u64) -> Result<&'a str, Malformed> {
        let value = if field == 1 { self.first } else { self.second };
        value.map_or(Ok(""), Value::text)
    }
}

/// The reason why the signer does not do it, for the log of the node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteError {
    /// A number of CometBFT's: 0 for no reason that it knows, 4 for one that came too late.
    pub code: u32,
    /// The reason in words.
    pub description: String,
}

impl RemoteError {
    fn read(message: &[u8]) -> Result<Self, Malformed> {
        let mut read = Self { code: 0, description: String::new() };
        for field in Fields::of(message) {
            match field? {
                (1, value) => read.code = value.number()?,
                (2, value) => value.text()?.clone_into(&mut read.description),
                _ => {}
            }
        }
        Ok(read)
    }

    fn to_message(&self) -> Vec<u8> {
        let mut message = vec![];
        put_integer(&mut message, 1, self.code.into());
        put_bytes(&mut message, 2, self.description.as_bytes());
        message
    }
}

/// An answer of the signer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The public key, of Ed25519.
    PubKey(Result<[u8; 32], RemoteError>),
    /// The vote with its signatures.
    Vote(Result<Box<SignedVote>, RemoteError>),
    /// The proposal with its signature.
    Proposal(Result<Box<SignedProposal>, RemoteError>),
    /// The signer is there.
    Ping,
    /// The signer does not sign bytes.
    Bytes(RemoteError),
}

impl Answer {
    /// Reads a message as a node does, without the length in front of it. Votes and proposals do not name their chain, which the node
    /// knows.
    ///
    /// # Errors
    /// [`Malformed`] if it is no answer.
    pub fn from_bytes(bytes: &[u8], chain: &str) -> Result<Self, Malformed> {
        let (number, value) = Fields::of(bytes).next().unwrap_or(Err(Malformed("it is empty")))?;
        let Some(request) = number.checked_sub(1) else {
            return Err(Malformed("it is no answer"));
        };
        let (content, error) = parts(value.bytes()?)?;
        Ok(match (request, error) {
            (PUB_KEY, Some(why)) => Self::PubKey(Err(why)),
            (PUB_KEY, None) => Self::PubKey(Ok(ed25519(content)?)),
            (SIGN_VOTE, Some(why)) => Self::Vote(Err(why)),
            (SIGN_VOTE, None) => Self::Vote(Ok(Box::new(SignedVote::read(content, chain)?))),
            (SIGN_PROPOSAL, Some(why)) => Self::Proposal(Err(why)),
            (SIGN_PROPOSAL, None) => {
                Self::Proposal(Ok(Box::new(SignedProposal::read(content, chain)?)))
            }
            (PING, _) => Self::Ping,
            (SIGN_BYTES, Some(why)) => Self::Bytes(why),
            _ => return Err(Malformed("it is no answer")),
        })
    }

    /// The message, with the length in front of it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (number, body) = match self {
            Self::PubKey(Ok(key)) => (PUB_KEY, public_key(key)),
            Self::PubKey(Err(why)) => (PUB_KEY, failed(why)),
            Self::Vote(Ok(vote)) => (SIGN_VOTE, done(&vote.to_message())),
            Self::Vote(Err(why)) => (SIGN_VOTE, failed(why)),
            Self::Proposal(Ok(proposal)) => (SIGN_PROPOSAL, done(&proposal.to_message())),
            Self::Proposal(Err(why)) => (SIGN_PROPOSAL, failed(why)),
            Self::Ping => (PING, vec![]),
            Self::Bytes(why) => (SIGN_BYTES, failed(why)),
        };
        let mut message = vec![];
        put_message(&mut message, number.saturating_add(1), &body);
        delimited(&message)
    }
}

/// The public key, once as CometBFT 0.38 reads it, and once as 1.0 does.
fn public_key(key: &[u8; 32]) -> Vec<u8> {
    let (mut body, mut inner) = (vec![], vec![]);
    put_bytes(&mut inner, 1, key);
    put_message(&mut body, 1, &inner);
    put_bytes(&mut body, 3, key);
    put_bytes(&mut body, 4, b"ed25519");
    body
}

/// The content of an answer, and why it has none.
fn parts(body: &[u8]) -> Result<(&[u8], Option<RemoteError>), Malformed> {
    let (mut content, mut error): (&[u8], _) = (&[], None);
    for field in Fields::of(body) {
        match field? {
            (1, value) => content = value.bytes()?,
            (2, value) => error = Some(RemoteError::read(value.bytes()?)?),
            _ => {}
        }
    }
    Ok((content, error))
}

fn done(content: &[u8]) -> Vec<u8> {
    let mut body = vec![];
    put_message(&mut body, 1, content);
    body
}

fn failed(why: &RemoteError) -> Vec<u8> {
    let mut body = vec![];
    put_message(&mut body, 2, &why.to_message());
    body
}
