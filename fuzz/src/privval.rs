//! Messages of a CometBFT node to its signer, and those of the handshake: what is read is written, and read again as the same.

use quorate_purpose::Time;
use quorate_purpose::comet::{BlockId, Place, Proposal, Vote, VoteStep};
use sockets_privval::{
    Answer, Authentication, Hello, RemoteError, Request, SignedProposal, SignedVote, VoteRequest,
};

use crate::seeds::Seed;

const CHAIN: &str = "chain-1";

/// The first byte chooses: a request, an answer, or a message of the handshake.
pub(crate) fn check(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    match what % 4 {
        0 => request(rest),
        1 => answer(rest),
        2 => rest.try_into().is_ok_and(|bytes| match Hello::from_bytes(bytes) {
            Ok(hello) => {
                assert_eq!(hello.to_bytes(), rest);
                true
            }
            Err(_) => false,
        }),
        _ => Authentication::from_bytes(rest).is_ok_and(|read| {
            let bytes = read.to_bytes();
            assert_eq!(Authentication::from_bytes(&bytes[1..]), Ok(read));
            true
        }),
    }
}

fn request(bytes: &[u8]) -> bool {
    let Ok(request) = Request::from_bytes(bytes) else { return false };
    assert_eq!(Request::from_bytes(&request.to_bytes()).as_ref(), Ok(&request));
    if let Request::SignVote(request) = &request {
        assert!(request.is_extended() || request.extension.is_empty());
        let extension = request.to_extend().expect("a message is shorter than a purpose");
        assert_eq!(extension.is_some(), request.is_extended() && !request.skip_extension);
        let read = Vote::from_sign_bytes(&request.vote.sign_bytes());
        assert_eq!(read.as_ref(), Ok(&request.vote));
    }
    true
}

fn answer(bytes: &[u8]) -> bool {
    let Ok(answer) = Answer::from_bytes(bytes, CHAIN) else { return false };
    let written = answer.to_bytes();
    // The length in front of it, which has up to five bytes.
    let behind = written.iter().position(|byte| byte & 0x80 == 0).map_or(0, |last| last + 1);
    assert_eq!(Answer::from_bytes(&written[behind..], CHAIN), Ok(answer));
    true
}

fn vote(step: VoteStep, extension: &[u8]) -> VoteRequest {
    let place = Place::new(CHAIN, 7, 1).expect("a place");
    let block = BlockId { hash: [1; 32], parts: 1, parts_hash: [2; 32] };
    let time = Time { seconds: 1_700_000_000, nanoseconds: 5 };
    let vote = Vote::new(step, place, Some(block), time).expect("a vote");
    let (address, extension) = (vec![3; 20], extension.to_vec());
    VoteRequest { vote, address, index: 2, extension, skip_extension: false }
}

fn proposal() -> Proposal {
    let block = BlockId { hash: [1; 32], parts: 1, parts_hash: [2; 32] };
    let place = Place::new(CHAIN, 7, 1).expect("a place");
    Proposal::new(place, Some(0), block, Time::from_seconds(5)).expect("a proposal")
}

/// An answer without the length in front of it.
fn behind_length(answer: &Answer) -> Vec<u8> {
    let bytes = answer.to_bytes();
    let behind = bytes.iter().position(|byte| byte & 0x80 == 0).map_or(0, |last| last + 1);
    bytes[behind..].to_vec()
}

pub(crate) fn seeds() -> Vec<Seed> {
    let seed = |name: &str, what: u8, bytes: &[u8]| {
        let bytes = [&[what], bytes].concat();
        Seed { target: "privval", name: name.into(), bytes }
    };
    let request = |name: &str, request: Request| seed(name, 0, &request.to_bytes());
    let answer = |name: &str, answer: Answer| seed(name, 1, &behind_length(&answer));
    let precommit = vote(VoteStep::Precommit, b"extension");
    let signed = SignedVote {
        request: precommit.clone(),
        signature: vec![4; 64],
        extension_signature: vec![5; 64],
    };
    let signed_proposal = SignedProposal { proposal: proposal(), signature: vec![6; 64] };
    let refused = RemoteError { code: 4, description: "too late".into() };
    let authentication = Authentication { key: [8; 32], signature: [9; 64] }.to_bytes();
    vec![
        request("pub_key", Request::PubKey { chain: CHAIN.into() }),
        request("prevote", Request::SignVote(vote(VoteStep::Prevote, b"").into())),
        request("precommit", Request::SignVote(precommit.into())),
        request("proposal", Request::SignProposal(proposal().into())),
        request("ping", Request::Ping),
        request("bytes", Request::SignBytes),
        answer("key", Answer::PubKey(Ok([7; 32]))),
        answer("vote", Answer::Vote(Ok(signed.into()))),
        answer("signed_proposal", Answer::Proposal(Ok(signed_proposal.into()))),
        answer("refused", Answer::Vote(Err(refused))),
        seed("hello", 2, &Hello([7; 32]).to_bytes()),
        seed("authentication", 3, &authentication[1..]),
    ]
}
