//! Party 3 of the page as a program of its own, as a server or a phone would be: at the end of a WebSocket.
//!
//! `quorate-browser-party PORT ORIGIN` listens on 127.0.0.1 for pages of this origin. Each has a party of its own, whose share is in memory
//! and goes when the page goes: a server keeps it in a store, sealed, with `quorate-runner`. Between machines the address begins
//! with `wss://`, and the page signs in first.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::error::Error;
use std::net::{TcpListener, TcpStream};
use std::{env, thread};

use getrandom::SysRng;
use quorate::frost::ed25519::{Dkg, DkgParams, KeyShare, Nonces, SigningPackage};
use quorate::session::rand_core::UnwrapErr;
use quorate::session::{Session, To, drive};
use quorate::{Parties, PartyId, SessionId};
use serde::{Deserialize, Serialize};
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::StatusCode;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket, accept_hdr_with_config};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// The longest message, in bytes: frames are much shorter.
const LONGEST: usize = 1 << 20;
/// The most frames that wait for their run to begin.
const EARLY: usize = 64;

/// A message of a protocol. The channel between the page's workers has the same.
#[derive(Serialize, Deserialize)]
struct Frame {
    run: String,
    sender: u16,
    recipient: Option<u16>,
    bytes: Vec<u8>,
}

/// A message of the page.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "lowercase")]
enum Heard {
    Frame(Frame),
    Keygen { run: String, sid: [u8; 32] },
    Commit,
    Sign { signing: Vec<u8>, expected: String },
}

/// A message of this party.
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
                Ok(Message::Text(text)) => {
                    let heard = serde_json::from_str(&text)?;
                    // With messages for others this party would have shares of theirs.
                    if matches!(&heard, Heard::Frame(Frame { recipient: Some(to), .. }) if *to != self.me.get())
                    {
                        return Err("the page has sent a message for another party".into());
                    }
                    return Ok(Some(heard));
                }
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
        self.early.retain(|frame| frame.run == run);
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
                    // Those that came last are of the run that begins next.
                    if self.early.len() == EARLY {
                        self.early.pop_front();
                    }
                    self.early.push_back(frame);
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
        if from == Some(origin) {
            return Ok(response);
        }
        let mut refused = ErrorResponse::new(None);
        *refused.status_mut() = StatusCode::FORBIDDEN;
        Err(refused)
    };
    let config = WebSocketConfig::default().max_message_size(Some(LONGEST));
    accept_hdr_with_config(stream, check, Some(config)).map_err(|why| why.to_string().into())
}

fn serve(stream: TcpStream, origin: &str) -> Fallible<()> {
    let socket = accept(stream, origin)?;
    let (me, parties) = (PartyId::new(3).ok_or("no party")?, Parties::numbered(3)?);
    let (early, share, nonces) = (VecDeque::new(), None, None);
    Party { me, parties, socket, early, share, nonces }.serve()
}

fn main() -> Fallible<()> {
    let mut arguments = env::args().skip(1);
    let (Some(port), Some(origin)) = (arguments.next(), arguments.next()) else {
        return Err("usage: quorate-browser-party PORT ORIGIN".into());
    };
    let listener = TcpListener::bind(("127.0.0.1", port.parse()?))?;
    println!("ws://{}", listener.local_addr()?);
    for stream in listener.incoming() {
        let (stream, origin) = (stream?, origin.clone());
        thread::spawn(move || {
            if let Err(why) = serve(stream, &origin) {
                eprintln!("{why}");
            }
        });
    }
    Ok(())
}
