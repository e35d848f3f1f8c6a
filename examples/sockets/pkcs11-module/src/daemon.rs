//! Calls to the daemon.

use core::time::Duration;
use std::io::{Error, ErrorKind, Read as _, Result as IoResult};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cryptoki_sys::*;
use socket2::{Domain, SockAddr, Socket, Type};
use sockets_pkcs11_wire::{Answer, MAX_FRAME, Reason};

use crate::rv::{self, Result, Rv};

/// The variable with the path of the socket.
const VARIABLE: &str = "QUORATE_PKCS11_SOCKET";
/// The path without it.
const PATH: &str = "/run/quorate/pkcs11.sock";
/// The time for a connection, for sending a request and for the first answer; and beyond the time that the daemon has asked for.
const TRANSFER: Duration = Duration::from_secs(10);
/// The pauses before a request is sent again that has not begun: the daemon had too many connections.
const PAUSES: [u64; 8] = [5, 10, 20, 40, 80, 160, 320, 640];

/// The daemon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Daemon {
    path: PathBuf,
}

/// The end of a call without a result.
enum Trouble {
    /// The request has not begun.
    NotBegun,
    /// There is no daemon.
    Away,
    /// The connection, or the daemon, has failed.
    Broken,
}

impl From<Trouble> for Rv {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Away => Self(CKR_DEVICE_REMOVED),
            Trouble::NotBegun | Trouble::Broken => Self(CKR_DEVICE_ERROR),
        }
    }
}

impl Daemon {
    /// The daemon that the environment names.
    pub(crate) fn from_environment() -> Self {
        let named = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
        Self { path: named.map_or_else(|| PathBuf::from(PATH), PathBuf::from) }
    }

    /// Has a frame answered.
    ///
    /// # Errors
    /// The return value for the daemon's reason. `CKR_DEVICE_REMOVED` if there is no daemon, and `CKR_DEVICE_ERROR` if the
    /// connection fails.
    pub(crate) fn ask(&self, frame: &[u8]) -> Result<Answer> {
        let answer = self.asked(frame)?;
        match answer {
            Answer::Failed(reason) => Err(rv::of(reason)),
            answer => Ok(answer),
        }
    }

    fn asked(&self, frame: &[u8]) -> core::result::Result<Answer, Trouble> {
        for pause in PAUSES {
            match self.once(frame) {
                Err(Trouble::NotBegun) => std::thread::sleep(Duration::from_millis(pause)),
                result => return result,
            }
        }
        self.once(frame)
    }

    fn once(&self, frame: &[u8]) -> core::result::Result<Answer, Trouble> {
        let first = Instant::now().checked_add(TRANSFER).ok_or(Trouble::Broken)?;
        let mut stream = connect(&self.path, first).map_err(|why| match why.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => Trouble::Broken,
            _ => Trouble::Away,
        })?;
        send(&stream, frame).map_err(|_| Trouble::NotBegun)?;
        let answer = match receive(&mut stream, first) {
            Ok(answer) => answer,
            // The daemon has closed the connection before it looked at the request.
            Err(why) if is_end(why.kind()) => return Err(Trouble::NotBegun),
            Err(_) => return Err(Trouble::Broken),
        };
        let Answer::Wait(seconds) = answer else { return Ok(answer) };
        let longest = Duration::from_secs(seconds.into()).saturating_add(TRANSFER);
        let last = Instant::now().checked_add(longest).ok_or(Trouble::Broken)?;
        match receive(&mut stream, last) {
            Ok(Answer::Wait(_)) | Err(_) => Err(Trouble::Broken),
            Ok(answer) => Ok(answer),
        }
    }

    /// The error of a daemon that answers something else than was asked for.
    pub(crate) const CONFUSED: Rv = rv::of(Reason::Broken);
}

fn is_end(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe)
}

/// Connects until a moment. A daemon that is stopped accepts no connection, and the kernel waits for it without an end.
fn connect(path: &Path, until: Instant) -> IoResult<UnixStream> {
    let (address, socket) = (SockAddr::unix(path)?, Socket::new(Domain::UNIX, Type::STREAM, None)?);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        // The time for sending is that for a connection, too.
        socket.set_write_timeout(Some(left))?;
        match socket.connect(&address) {
            Ok(()) => return Ok(OwnedFd::from(socket).into()),
            Err(why) if why.kind() == ErrorKind::Interrupted => {}
            Err(why) => return Err(why),
        }
    }
}

/// Sends a frame. A daemon that is gone is an error, and no signal that ends the program.
fn send(stream: &UnixStream, mut frame: &[u8]) -> IoResult<()> {
    stream.set_write_timeout(Some(TRANSFER))?;
    let socket = socket2::SockRef::from(stream);
    while !frame.is_empty() {
        match socket.send_with_flags(frame, libc::MSG_NOSIGNAL) {
            Ok(sent) => frame = frame.get(sent..).unwrap_or_default(),
            Err(why) if why.kind() == ErrorKind::Interrupted => {}
            Err(why) => return Err(why),
        }
    }
    Ok(())
}

/// Receives an answer until a moment.
fn receive(stream: &mut UnixStream, until: Instant) -> IoResult<Answer> {
    let mut length = [0; 4];
    read(stream, &mut length, until)?;
    let malformed = || Error::from(ErrorKind::InvalidData);
    let length = usize::try_from(u32::from_be_bytes(length)).map_err(|_| malformed())?;
    if length > MAX_FRAME {
        return Err(malformed());
    }
    let mut body = vec![0; length];
    read(stream, &mut body, until)?;
    Answer::from_bytes(&body).map_err(|_| malformed())
}

fn read(stream: &mut UnixStream, mut to: &mut [u8], until: Instant) -> IoResult<()> {
    while !to.is_empty() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(to) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => to = to.get_mut(count..).unwrap_or_default(),
            Err(why) if matches!(why.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(why) => return Err(why),
        }
    }
    Ok(())
}
