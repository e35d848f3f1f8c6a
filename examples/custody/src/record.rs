//! A record of all frames that were sent, for an audit.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use quorate::PartyId;
use quorate::session::Transcript;
use quorate::session::frame::Header;
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

/// A file that gets a line for each frame: sender, recipient, protocol, round, whom it names as its recipient, context, and
/// a digest of it.
#[derive(Clone)]
pub struct Record(Arc<Mutex<File>>);

impl Record {
    /// Appends to a file.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(Failure::file("write", path))?;
        Ok(Self(Arc::new(Mutex::new(file))))
    }

    /// Notes a packet.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written.
    pub fn note(&self, from: PartyId, to: PartyId, packet: &[u8]) -> Result<(), Failure> {
        let Some(line) = line(from, to, packet) else { return Ok(()) };
        let mut file = self.0.lock().map_err(|_| Failure::new("the record is broken"))?;
        // One call for each line: a process that is killed leaves whole ones.
        file.write_all(line.as_bytes())?;
        Ok(())
    }
}

fn line(from: PartyId, to: PartyId, packet: &[u8]) -> Option<String> {
    let (_, frame) = packet.split_first().filter(|(kind, _)| **kind == 0)?;
    let Header { code, round, to: named, context, .. } = Header::parse(frame)?;
    let named = named.map_or(0, PartyId::get);
    let mut transcript = Transcript::new("custody record");
    transcript.append("frame", frame);
    let (context, digest) = (hex(&context), hex(&transcript.finish32()));
    Some(format!("{from} {to} {code} {} {named} {context} {digest}\n", round.get()))
}
