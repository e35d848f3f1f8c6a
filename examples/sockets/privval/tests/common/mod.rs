//! A node of a chain that does as a test tells it.
#![allow(dead_code, reason = "each test takes what it needs")]

use quorate_purpose::Time;
use quorate_purpose::comet::{BlockId, Place, Proposal, Vote, VoteStep};
use sockets_privval::{Answer, Request, SecretConnection, SignedVote, VoteRequest};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

pub(crate) const CHAIN: &str = "chain-1";

/// The connection of a signer to a node.
pub(crate) enum Node {
    Unix(UnixStream),
    Tcp(Box<SecretConnection<TcpStream>>),
}

impl Node {
    pub(crate) async fn unix(listener: &UnixListener) -> Self {
        Self::Unix(listener.accept().await.unwrap().0)
    }

    pub(crate) async fn tcp(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().await.unwrap();
        Self::Tcp(Box::new(SecretConnection::open(stream).await.unwrap()))
    }

    /// Sends bytes, and receives an answer.
    pub(crate) async fn exchange(&mut self, message: &[u8]) -> Option<Vec<u8>> {
        let mut delimited = vec![];
        let mut length = message.len();
        while length > 0x7f {
            delimited.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
            length >>= 7;
        }
        delimited.push(u8::try_from(length).unwrap());
        delimited.extend_from_slice(message);
        match self {
            Self::Tcp(connection) => {
                connection.send(&delimited).await.ok()?;
                connection.receive(1 << 16).await.ok()
            }
            Self::Unix(stream) => {
                stream.write_all(&delimited).await.ok()?;
                let (mut length, mut shift) = (0, 0);
                loop {
                    let byte = stream.read_u8().await.ok()?;
                    length |= usize::from(byte & 0x7f) << shift;
                    shift += 7;
                    if byte & 0x80 == 0 {
                        break;
                    }
                }
                let mut answer = vec![0; length];
                stream.read_exact(&mut answer).await.ok()?;
                Some(answer)
            }
        }
    }

    pub(crate) async fn ask(&mut self, request: &Request) -> Answer {
        let answer = self.exchange(&request.to_bytes()).await.unwrap();
        Answer::from_bytes(&answer, CHAIN).unwrap()
    }

    /// Asks for a vote: the signed one, or the reason why it is refused.
    pub(crate) async fn vote(&mut self, request: VoteRequest) -> Result<SignedVote, String> {
        match self.ask(&Request::SignVote(Box::new(request))).await {
            Answer::Vote(signed) => signed.map(|signed| *signed).map_err(|why| why.description),
            other => panic!("{other:?}"),
        }
    }
}

pub(crate) fn block(number: u8) -> BlockId {
    BlockId { hash: [number; 32], parts: 1, parts_hash: [2; 32] }
}

/// A vote at a height, for the block of this number or for none, at this time.
pub(crate) fn vote(step: VoteStep, height: u64, number: Option<u8>, seconds: i64) -> VoteRequest {
    let place = Place::new(CHAIN, height, 0).unwrap();
    let vote = Vote::new(step, place, number.map(block), Time::from_seconds(seconds)).unwrap();
    let (address, extension) = (vec![7; 20], vec![]);
    VoteRequest { vote, address, index: 3, extension, skip_extension: false }
}

pub(crate) fn prevote(height: u64, number: Option<u8>, seconds: i64) -> VoteRequest {
    vote(VoteStep::Prevote, height, number, seconds)
}

pub(crate) fn proposal(height: u64, number: u8, seconds: i64) -> Proposal {
    let place = Place::new(CHAIN, height, 0).unwrap();
    Proposal::new(place, None, block(number), Time::from_seconds(seconds)).unwrap()
}

/// Verifies a signature of Ed25519.
pub(crate) fn verifies(key: &[u8; 32], message: &[u8], signature: &[u8]) -> bool {
    let key = ed25519_dalek::VerifyingKey::from_bytes(key).unwrap();
    let signature: Result<[u8; 64], _> = signature.try_into();
    signature.is_ok_and(|bytes| {
        key.verify_strict(message, &ed25519_dalek::Signature::from_bytes(&bytes)).is_ok()
    })
}
