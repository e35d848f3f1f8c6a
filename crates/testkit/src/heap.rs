//! Secrets in freed memory: an allocator that looks for them in every block that is freed or moved.
//!
//! A test program makes [`WatchingAllocator`] its global allocator, puts the secrets that must not be left behind into a
//! [`Watchlist`], and runs its work under [`Watchlist::watch`]. A finding is a run of at least two consecutive words of
//! a secret, so that words which are equal by chance do not count.
//!
//! The allocator wipes every block after it has searched it. So a finding stands for one block and for the place that
//! freed it, and not for later users of the same memory.

mod allocator;
mod forms;
mod hits;

use core::fmt;
use std::backtrace::Backtrace;
use std::collections::BTreeMap;
use std::sync::Mutex;

pub use allocator::WatchingAllocator;
use forms::Index;
use hits::lock;

/// Secrets that must not be left behind in freed memory.
#[derive(Debug, Default)]
pub struct Watchlist {
    names: Vec<String>,
    forms: Vec<forms::Form>,
}

/// A block with a part of a secret in it, as it was freed.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The secret.
    pub secret: String,
    /// The form in which it was found.
    pub form: &'static str,
    /// Bytes of the block.
    pub block: usize,
    /// The offset in the block at which the secret begins.
    pub offset: usize,
    /// The functions that freed the block, the innermost first.
    pub place: String,
}

impl Watchlist {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A number, in big-endian bytes: as 64-bit words of either order, and as limbs of 52 and of 28 bits, one after
    /// the other or one in each lane of four or eight.
    pub fn number(&mut self, name: impl Into<String>, big_endian: &[u8]) {
        let secret = self.named(name);
        self.forms.extend(forms::of_number(secret, big_endian));
    }

    /// Bytes, in their order and in the reverse one.
    pub fn bytes(&mut self, name: impl Into<String>, bytes: &[u8]) {
        let secret = self.named(name);
        self.forms.extend(forms::of_bytes(secret, bytes));
    }

    /// Numbers as they are in memory. They are so small that two words can be equal by chance, so eight consecutive words
    /// count.
    pub fn small(&mut self, name: impl Into<String>, numbers: &[i32]) {
        let secret = self.named(name);
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        self.forms.push(forms::of_small(secret, &bytes, 8));
    }

    /// A value as it is in memory. It must not have padding.
    pub fn memory<T: Copy>(&mut self, name: impl Into<String>, value: &T) {
        self.bytes(name, allocator::bytes_of(value));
    }

    /// The number of forms that are looked for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Returns whether nothing is looked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// Does the work, and returns the findings in blocks that were freed meanwhile, by any thread. One call runs at a time;
    /// others wait.
    pub fn watch<T>(&self, work: impl FnOnce() -> T) -> (T, Vec<Finding>) {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = lock(&TURN);
        hits::clear();
        allocator::arm(Some(Index::new(&self.forms)));
        let out = work();
        allocator::arm(None);
        let found = hits::take();
        drop(turn);
        let name = |secret: usize| self.names.get(secret).cloned().unwrap_or_default();
        let findings = found.into_iter().map(|hit| Finding {
            secret: name(hit.secret),
            form: hit.form,
            block: hit.block,
            offset: hit.offset,
            place: hit.trace.as_ref().map_or_else(String::new, place),
        });
        (out, findings.collect())
    }

    fn named(&mut self, name: impl Into<String>) -> usize {
        self.names.push(name.into());
        self.names.len() - 1
    }
}

/// The functions of a trace that are of interest, with their lines.
fn place(trace: &Backtrace) -> String {
    let text = trace.to_string();
    let mut lines = text.lines().map(str::trim).peekable();
    let mut out = Vec::new();
    while let Some(line) = lines.next() {
        let name = line.split_once(": ").map_or(line, |(_, name)| name);
        let at = lines.next_if(|next| next.starts_with("at ")).unwrap_or_default();
        let at = at.rsplit_once(':').map_or(at, |(line, _)| line);
        let ours = ["crates/", "/tests/", "crypto-bigint-", "crrl-", "dalek-"];
        if ours.iter().any(|one| at.contains(one)) && !at.contains("testkit") {
            let at = ["crates/", "src/index"]
                .iter()
                .fold(at, |at, part| at.rsplit_once(part).map_or(at, |(_, rest)| rest));
            let name = name.split('<').next().unwrap_or(name);
            out.push(format!("{at} {name}"));
        }
    }
    out.truncate(7);
    out.join("\n    ")
}

/// Findings by place, each with its number and its secrets.
#[derive(Debug)]
pub struct Summary<'a>(pub &'a [Finding]);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut places: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
        for finding in self.0 {
            places.entry(&finding.place).or_default().push(finding);
        }
        writeln!(f, "{} secrets in freed blocks, from {} places", self.0.len(), places.len())?;
        for (place, findings) in places {
            writeln!(f, "\n  {} times at\n    {place}", findings.len())?;
            for one in findings.iter().take(4) {
                let Finding { secret, form, block, offset, .. } = one;
                writeln!(f, "      {secret} as {form}, at byte {offset} of {block}")?;
            }
        }
        Ok(())
    }
}
