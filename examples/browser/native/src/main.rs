//! Party 3 of the page as a program of its own, as a server or a phone would be: at the end of a WebSocket.
//!
//! `quorate-browser-party PORT ORIGIN` listens on 127.0.0.1 for one page after the other, and only for pages of this origin. The share is
//! in memory, and goes when the page goes: a server keeps it in a store, sealed, with `quorate-runner`. Between machines the
//! address begins with `wss://`, and the page signs in first.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::env;
use std::error::Error;
use std::net::{TcpListener, TcpStream};

use getrandom::SysRng;
use quorate::frost::ed25519::{Dkg, DkgParams, KeyShare, Nonces, SigningPackage};
use quorate::session::rand_core::UnwrapErr;
use quorate::session::{Session, To, drive};
use quorate::{Parties, PartyId, SessionId};
use serde::{Deserialize, Serialize};
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::{Message, WebSocket, accept_hdr};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// A message of a protocol. The channel between the page's workers has the same.
#[derive(Serialize, Deserialize)]
struct Frame {
    run: String,
    sender: u16,
    recipient: Option<u16>,
    bytes: Vec<u8>,
}

/// What the page says.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "lowercase")]
enum Heard {
    Frame(Frame),
    Keygen { run: String, sid: [u8; 32] },
    Commit,
    Sign { signing: Vec<u8>, expected: String },
}

/// What this party says.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Said {
    Ready(bool),
    Log(String),
    Failed(String),
    Frame(Frame),
    Key(Vec<u8>),
    Commitments(Vec<u8>),
    SignatureShare(Vec<u8>),
}

/// The party, while one page is there.
struct Party {
    me: PartyId,
    parties: Parties,
    socket: WebSocket<TcpStream>,
    /// Frames that came before their run began.
    early: VecDeque<Frame>,
    share: Option<KeyShare>,
    /// For one signature, in memory alone.
    nonces: Option<Nonces>,
}

impl Party {
    fn say(&mut self, said: &Said) -> Fallible<()> {
        Ok(self.socket.send(Message::text(serde_json::to_string(said)?))?)
    }

    /// The next message of the page; nothing when it has gone.
    fn hear(&mut self) -> Fallible<Option<Heard>> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Ok(Some(serde_json::from_str(&text)?)),
                Ok(_) => {}
                Err(tungstenite::Error::ConnectionClosed) => return Ok(None),
                Err(why) => return Err(why.into()),
            }
        }
    }

    /// The next frame of a run; nothing when the page has gone, or has said something else.
    fn frame(&mut self, run: &str) -> Fallible<Option<Frame>> {
        let place = self.early.iter().position(|frame| frame.run == run);
        if let Some(frame) = place.and_then(|place| self.early.remove(place)) {
            return Ok(Some(frame));
        }
        while let Some(Heard::Frame(frame)) = self.hear()? {
            if frame.run == run {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }

    fn keygen(&mut self, run: &str, sid: [u8; 32]) -> Fallible<()> {
        let (me, mut rng) = (self.me, UnwrapErr(SysRng));
        let sid = SessionId::new(sid);
        let first = Session::<Dkg>::start(sid, me, &self.parties, DkgParams::new(2), &mut rng)?;
        // Both ends of the loop use the socket.
        let party = RefCell::new(&mut *self);
        let ended = drive(
            first,
            |message| {
                let recipient = match message.to {
                    To::Everyone => None,
                    To::Only(party) => Some(party.get()),
                };
                let (run, bytes) = (run.to_owned(), message.bytes.to_vec());
                let frame = Frame { run, sender: me.get(), recipient, bytes };
                // A page that has gone is seen at the next frame.
                party.borrow_mut().say(&Said::Frame(frame)).ok();
            },
            || {
                let frame = party.borrow_mut().frame(run).ok()??;
                Some((PartyId::new(frame.sender)?, frame.bytes))
            },
        )?;
        // A result that some party has not confirmed is one, too.
        let made = ended.into_output();
        self.say(&Said::Log("has its share, in memory".into()))?;
        self.say(&Said::Key(made.public.to_bytes()))?;
        self.share = Some(made.share);
        Ok(())
    }

    fn commit(&mut self) -> Fallible<()> {
        let share = self.share.as_ref().ok_or("there is no share yet")?;
        let (nonces, commitments) = share.commit(&mut UnwrapErr(SysRng));
        self.nonces = Some(nonces);
        self.say(&Said::Commitments(commitments.to_bytes()))
    }

    fn sign(&mut self, signing: &[u8], expected: &str) -> Fallible<()> {
        let package = SigningPackage::from_bytes(signing)?;
        // A signer looks at what it signs. Here it was told by its own user; a server asks its policy.
        if package.message() != expected.as_bytes() {
            return Err("this is another message".into());
        }
        let nonces = self.nonces.take().ok_or("there are no nonces")?;
        let share = self.share.as_ref().ok_or("there is no share yet")?.sign(&package, nonces)?;
        self.say(&Said::Log(format!("signs “{expected}”")))?;
        self.say(&Said::SignatureShare(share.to_bytes()))
    }

    fn serve(&mut self) -> Fallible<()> {
        self.say(&Said::Ready(true))?;
        while let Some(heard) = self.hear()? {
            let done = match heard {
                Heard::Frame(frame) => {
                    // A page that sends more than this before it begins a run is not ours.
                    if self.early.len() < 64 {
                        self.early.push_back(frame);
                    }
                    Ok(())
                }
                Heard::Keygen { run, sid } => self.keygen(&run, sid),
                Heard::Commit => self.commit(),
                Heard::Sign { signing, expected } => self.sign(&signing, &expected),
            };
            if let Err(why) = done {
                self.say(&Said::Failed(why.to_string()))?;
            }
        }
        Ok(())
    }
}

/// Takes a connection of a page of this origin. Any page may open a connection to this machine, so the others are refused.
fn accept(stream: TcpStream, origin: &str) -> Fallible<WebSocket<TcpStream>> {
    #[expect(clippy::result_large_err, reason = "the type is that of the callback")]
    let check = |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
        let from = request.headers().get("origin").and_then(|from| from.to_str().ok());
        if from == Some(origin) { Ok(response) } else { Err(ErrorResponse::new(None)) }
    };
    accept_hdr(stream, check).map_err(|why| why.to_string().into())
}

fn main() -> Fallible<()> {
    let mut arguments = env::args().skip(1);
    let (Some(port), Some(origin)) = (arguments.next(), arguments.next()) else {
        return Err("usage: quorate-browser-party PORT ORIGIN".into());
    };
    let listener = TcpListener::bind(("127.0.0.1", port.parse()?))?;
    println!("ws://{}", listener.local_addr()?);
    for stream in listener.incoming() {
        let served = accept(stream?, &origin).and_then(|socket| {
            let me = PartyId::new(3).ok_or("no party")?;
            let (early, share, nonces) = (VecDeque::new(), None, None);
            let parties = Parties::numbered(3)?;
            Party { me, parties, socket, early, share, nonces }.serve()
        });
        if let Err(why) = served {
            eprintln!("{why}");
        }
    }
    Ok(())
}
