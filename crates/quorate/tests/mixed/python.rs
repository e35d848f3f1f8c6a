//! A party in Python over pipes; `docs/spec/reference/README.md` has the protocol of lines.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use quorate::session::{PartyId, Protocol, Step};
use quorate_testkit::lockstep::{deliver, id, in_lockstep};
use quorate_testkit::{hex, unhex};

/// A process of one party.
pub struct Python {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    party: PartyId,
}

impl Python {
    /// Starts a party with a seed of 32 times this byte; `None` if there is no Python.
    pub fn start(program: &str, code: u8, party: u16, seed: u8) -> Option<Self> {
        if !Command::new("python3").arg("--version").output().is_ok_and(|one| one.status.success())
        {
            assert!(std::env::var_os("CI").is_none(), "python3 is missing");
            println!("python3 is not installed: skipped");
            return None;
        }
        let mut process = Command::new("python3")
            .args(["-B", program, &code.to_string(), &party.to_string(), &hex(&[seed; 32])])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/spec/reference"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 starts");
        let (to, from) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Some(Self { process, to, from: BufReader::new(from), party: id(party) })
    }

    /// Writes a line.
    pub fn tell(&mut self, line: &str) {
        writeln!(self.to, "{line}").expect("the party reads");
    }

    /// Reads a line: its first word has to be this one. Gives the others.
    pub fn told(&mut self, word: &str) -> Vec<String> {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the party writes");
        let mut words = line.split_whitespace().map(str::to_owned);
        assert_eq!(words.next().as_deref(), Some(word), "{line}");
        words.collect()
    }

    /// Reads a frame or a container: its recipient, unless it is for all, and its bytes.
    pub fn sent(&mut self) -> (Option<PartyId>, Vec<u8>) {
        let words = self.told("out");
        (PartyId::new(words[0].parse().unwrap()), unhex(&words[1]))
    }

    /// Runs a session of this party and of these others to the end. Gives their outputs, and the words of its result.
    pub fn run<P: Protocol>(
        &mut self,
        command: &str,
        others: Vec<Step<P>>,
    ) -> (Vec<P::Output>, Vec<String>) {
        let parties = others.len();
        self.tell(command);
        let results = in_lockstep::<P>(others, |mail, sessions| {
            // In a round all parties send as many messages.
            let frames: Vec<_> = mail[0].outgoing.iter().map(|_| self.sent()).collect();
            deliver(mail, sessions);
            for session in sessions {
                let me = session.party_id();
                for (_, frame) in frames.iter().filter(|(to, _)| to.is_none_or(|to| to == me)) {
                    session.receive(self.party, frame).expect("a frame that fits");
                }
            }
            for one in mail {
                for message in one.to(self.party) {
                    self.tell(&format!("in {} {}", one.from.get(), hex(&message.bytes)));
                }
            }
        });
        let outputs: Vec<_> = results.into_values().map(|one| one.expect("no abort")).collect();
        assert_eq!(outputs.len(), parties, "a party waits");
        (outputs, self.told("done"))
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // It has ended already if it failed.
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
