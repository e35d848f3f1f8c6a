//! The transport: a Unix socket between each two processes, in a folder that belongs to one user alone.
//!
//! A packet is lane (1) ‖ length (4) ‖ bytes. Each protocol has a lane of its own.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{self, Permissions};
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use quorate::runner::{IncomingPacket, Transport};
use quorate::{Parties, PartyId};

use crate::Failure;

/// The longest packet that is taken, in bytes.
const LONGEST: usize = 8 << 20;
/// How long a process waits for another one to come up.
const PATIENCE: Duration = Duration::from_secs(20);

/// The sender, the lane and the bytes, or no bytes if the peer has gone.
type Packet = (PartyId, u8, Option<Vec<u8>>);

/// One party's ends of all sockets.
pub struct Mesh {
    /// This party.
    pub me: PartyId,
    /// The parties.
    pub parties: Parties,
    peers: BTreeMap<PartyId, UnixStream>,
    arriving: Receiver<Packet>,
    lanes: BTreeMap<u8, VecDeque<(PartyId, Vec<u8>)>>,
    gone: BTreeSet<PartyId>,
}

/// Runs a recipe: this process is party 1, and it starts itself once more for each of the others.
///
/// # Errors
/// The recipe's, or the system's.
pub fn main(
    parties: u16,
    recipe: impl Fn(&mut Mesh) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let all = Parties::numbered(parties)?;
    let args: Vec<String> = std::env::args().collect();
    if let [_, party, dir] = args.as_slice()
        && let Some(number) = party.strip_prefix("--party=")
    {
        let me = number.parse().ok().and_then(PartyId::new).ok_or("no party has this number")?;
        return recipe(&mut Mesh::join(me, all, Path::new(dir))?);
    }
    let dir = Folder::new()?;
    let spawn = |party: PartyId| {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(format!("--party={party}")).arg(&dir.0).spawn().map(|child| (party, child))
    };
    let children: Vec<(PartyId, Child)> =
        all.iter().skip(1).map(spawn).collect::<Result<_, io::Error>>()?;
    let first = all.iter().next().ok_or("there is nobody")?;
    let ended = recipe(&mut Mesh::join(first, all, &dir.0)?);
    for (party, mut child) in children {
        if ended.is_err() {
            child.kill()?;
        }
        if !child.wait()?.success() && ended.is_ok() {
            return Err(format!("party {party} has failed").into());
        }
    }
    ended
}

impl Mesh {
    /// Connects to all parties with smaller numbers, and waits for those with greater ones.
    fn join(me: PartyId, parties: Parties, dir: &Path) -> Result<Self, Failure> {
        let name = |party: PartyId| dir.join(party.to_string());
        let listener = UnixListener::bind(name(me))?;
        let mut peers = BTreeMap::new();
        for peer in parties.iter().filter(|peer| *peer < me) {
            let mut stream = connect(&name(peer))?;
            stream.write_all(&me.get().to_be_bytes())?;
            peers.insert(peer, stream);
        }
        for _ in parties.iter().filter(|peer| *peer > me) {
            let (mut stream, _) = listener.accept()?;
            let mut number = [0; 2];
            stream.read_exact(&mut number)?;
            // Nobody but this user can enter the folder; between machines, the certificate says who it is.
            let peer =
                PartyId::new(u16::from_be_bytes(number)).ok_or("no party has this number")?;
            peers.insert(peer, stream);
        }
        let (sender, arriving) = channel();
        for (&peer, stream) in &peers {
            let (stream, sender) = (stream.try_clone()?, sender.clone());
            thread::spawn(move || read_all(peer, stream, &sender));
        }
        Ok(Self { me, parties, peers, arriving, lanes: BTreeMap::new(), gone: BTreeSet::new() })
    }

    /// Sends a packet.
    ///
    /// # Errors
    /// The system's.
    pub fn send(&mut self, to: PartyId, lane: u8, packet: &[u8]) -> io::Result<()> {
        let length = u32::try_from(packet.len()).map_err(io::Error::other)?;
        let stream = self.peers.get_mut(&to).ok_or(io::ErrorKind::NotConnected)?;
        stream.write_all(&[&[lane], &length.to_be_bytes()[..], packet].concat())
    }

    /// The next packet of a lane, or none after `most` or when all peers have gone.
    pub fn receive(&mut self, lane: u8, most: Duration) -> Option<(PartyId, Vec<u8>)> {
        self.wait(lane, most);
        self.lanes.entry(lane).or_default().pop_front()
    }

    /// The next packet of a lane, for as long as party 1 is there.
    pub fn order(&mut self, lane: u8) -> Option<(PartyId, Vec<u8>)> {
        let first = self.parties.iter().next()?;
        self.receive_while_there(first, lane)
    }

    /// The next packet of a lane, for as long as this party is there.
    pub fn receive_while_there(&mut self, party: PartyId, lane: u8) -> Option<(PartyId, Vec<u8>)> {
        loop {
            let gone = self.gone.contains(&party);
            let packet = self.receive(lane, Duration::from_millis(20));
            if packet.is_some() || gone {
                return packet;
            }
        }
    }

    /// The next packet of a lane, which has to come from this party.
    ///
    /// # Errors
    /// If it does not come, or another one does.
    pub fn receive_from(&mut self, from: PartyId, lane: u8) -> Result<Vec<u8>, Failure> {
        match self.receive(lane, Duration::from_mins(1)) {
            Some((party, bytes)) if party == from => Ok(bytes),
            Some((party, _)) => Err(format!("party {party} speaks out of turn").into()),
            None => Err(format!("party {from} says nothing").into()),
        }
    }

    /// Waits for a packet of a lane.
    pub fn wait(&mut self, lane: u8, most: Duration) {
        let until = Instant::now() + most;
        while self.lanes.entry(lane).or_default().is_empty() && self.gone.len() < self.peers.len() {
            let left = until.saturating_duration_since(Instant::now());
            let Ok((from, lane, bytes)) = self.arriving.recv_timeout(left) else { return };
            match bytes {
                Some(bytes) => self.lanes.entry(lane).or_default().push_back((from, bytes)),
                None => drop(self.gone.insert(from)),
            }
        }
    }

    /// One lane, for a runner.
    pub const fn lane(&mut self, lane: u8) -> Lane<'_> {
        Lane(self, lane)
    }
}

impl Drop for Mesh {
    /// Tells the others that this party has gone.
    fn drop(&mut self) {
        for stream in self.peers.values() {
            stream.shutdown(Shutdown::Both).ok();
        }
    }
}

/// The packets of one lane.
pub struct Lane<'m>(&'m mut Mesh, u8);

impl Transport for Lane<'_> {
    type Error = io::Error;

    fn send(&mut self, to: PartyId, packet: &[u8]) -> io::Result<()> {
        // A peer that has ended needs no more of this. The others still get their packets.
        if self.0.gone.contains(&to) { Ok(()) } else { self.0.send(to, self.1, packet) }
    }

    fn receive(&mut self) -> io::Result<Option<IncomingPacket>> {
        let packet = self.0.receive(self.1, Duration::ZERO);
        Ok(packet.map(|(from, bytes)| IncomingPacket { from, bytes }))
    }
}

/// A folder of this user's, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, Failure> {
        let mut name = [0; 8];
        getrandom::fill(&mut name)?;
        let dir = std::env::temp_dir()
            .join(format!("quorate-cookbook-{:016x}", u64::from_be_bytes(name)));
        fs::create_dir(&dir)?;
        fs::set_permissions(&dir, Permissions::from_mode(0o700))?;
        Ok(Self(dir))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn connect(socket: &Path) -> Result<UnixStream, Failure> {
    let begun = Instant::now();
    loop {
        match UnixStream::connect(socket) {
            Ok(stream) => return Ok(stream),
            Err(error) if begun.elapsed() > PATIENCE => return Err(error.into()),
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn read_all(from: PartyId, mut stream: UnixStream, to: &Sender<Packet>) {
    while let Ok((lane, packet)) = read(&mut stream) {
        if to.send((from, lane, Some(packet))).is_err() {
            return;
        }
    }
    to.send((from, 0, None)).ok();
}

fn read(stream: &mut UnixStream) -> io::Result<(u8, Vec<u8>)> {
    let (mut lane, mut length) = ([0], [0; 4]);
    stream.read_exact(&mut lane)?;
    stream.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_be_bytes(length)).map_err(io::Error::other)?;
    if length > LONGEST {
        return Err(io::Error::other("a packet that is too long"));
    }
    let mut packet = vec![0; length];
    stream.read_exact(&mut packet)?;
    Ok((lane[0], packet))
}
