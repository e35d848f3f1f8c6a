//! The transport: a stream of bytes between two processes, such as a pair of pipes or a Unix socket.
//!
//! A packet is lane (1) ‖ length (4) ‖ bytes. Each protocol has a lane of its own, so that the last packets of one do not
//! get in the way of the next. Who is at the other end the operating system knows; between machines it would be TLS with
//! certificates on both sides.

use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;

use quorate::PartyId;
use quorate::runner::Transport;

/// The longest packet that is taken from the peer, in bytes.
const LONGEST: usize = 8 << 20;

type Packet = (u8, Vec<u8>);

/// One end of the stream.
pub(crate) struct Pipe<W> {
    /// This party.
    pub(crate) me: PartyId,
    /// The party at the other end.
    pub(crate) peer: PartyId,
    writer: W,
    arriving: Receiver<Packet>,
    lanes: BTreeMap<u8, VecDeque<Vec<u8>>>,
    closed: bool,
}

impl Pipe<ChildStdin> {
    /// This program once more, with these arguments, and the end of the pipe to it.
    ///
    /// # Errors
    /// From the operating system.
    pub(crate) fn spawn(me: PartyId, peer: PartyId, args: &[&str]) -> io::Result<(Child, Self)> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (Some(reader), Some(writer)) = (child.stdout.take(), child.stdin.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok((child, Self::new(me, peer, reader, writer)))
    }
}

impl<W: Write> Pipe<W> {
    /// An end; a thread reads from `reader`, so that neither process ever waits for the other to read.
    pub(crate) fn new(
        me: PartyId,
        peer: PartyId,
        reader: impl Read + Send + 'static,
        writer: W,
    ) -> Self {
        let (sender, arriving) = channel();
        thread::spawn(move || {
            let mut reader = reader;
            // Until the other end is closed, or says what no end says.
            while let Ok(packet) = read(&mut reader) {
                if sender.send(packet).is_err() {
                    break;
                }
            }
        });
        Self { me, peer, writer, arriving, lanes: BTreeMap::new(), closed: false }
    }

    /// Sends a packet.
    ///
    /// # Errors
    /// From the operating system.
    pub(crate) fn send(&mut self, lane: u8, packet: &[u8]) -> io::Result<()> {
        let length = u32::try_from(packet.len()).map_err(io::Error::other)?;
        self.writer.write_all(&[&[lane], &length.to_be_bytes()[..], packet].concat())?;
        self.writer.flush()
    }

    /// The next packet of a lane; waits for it at most so long.
    pub(crate) fn receive(&mut self, lane: u8, most: Duration) -> Option<Vec<u8>> {
        self.wait(lane, most);
        self.lanes.entry(lane).or_default().pop_front()
    }

    /// Waits until there is a packet of a lane, at most so long.
    pub(crate) fn wait(&mut self, lane: u8, most: Duration) {
        while self.lanes.entry(lane).or_default().is_empty() {
            match self.arriving.recv_timeout(most) {
                Ok((of, packet)) => self.lanes.entry(of).or_default().push_back(packet),
                Err(why) => {
                    self.closed = why == RecvTimeoutError::Disconnected;
                    return;
                }
            }
        }
    }

    /// One lane, for a runner.
    pub(crate) const fn lane(&mut self, lane: u8) -> Lane<'_, W> {
        Lane(self, lane)
    }
}

fn read(reader: &mut impl Read) -> io::Result<Packet> {
    let (mut lane, mut length) = ([0], [0; 4]);
    reader.read_exact(&mut lane)?;
    reader.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_be_bytes(length)).map_err(io::Error::other)?;
    if length > LONGEST {
        return Err(io::Error::other("a packet that is too long"));
    }
    let mut packet = vec![0; length];
    reader.read_exact(&mut packet)?;
    Ok((lane[0], packet))
}

/// The packets of one lane.
pub(crate) struct Lane<'p, W>(&'p mut Pipe<W>, u8);

impl<W: Write> Transport for Lane<'_, W> {
    type Error = io::Error;

    fn send(&mut self, _: PartyId, packet: &[u8]) -> io::Result<()> {
        self.0.send(self.1, packet)
    }

    fn receive(&mut self) -> io::Result<Option<(PartyId, Vec<u8>)>> {
        match self.0.receive(self.1, Duration::ZERO) {
            None if self.0.closed => Err(io::ErrorKind::UnexpectedEof.into()),
            packet => Ok(packet.map(|packet| (self.0.peer, packet))),
        }
    }
}
