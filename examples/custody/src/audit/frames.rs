//! One frame for each context, round, sender and recipient, however often it was sent.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};

use quorate_examples::failure::Failure;

use super::{Check, Places};

/// What a frame is one of: sender, whom it names as its recipient (0 for all), protocol, round, context.
type Slot = (u16, u16, u8, u16, [u8; 64]);

pub(super) const NAME: &str = "one frame for each context, round, sender and recipient";

pub(super) fn check(places: &Places) -> Result<Check, Failure> {
    let mut check = Check::new(NAME);
    let mut said: BTreeMap<Slot, [u8; 64]> = BTreeMap::new();
    for path in &places.records {
        let file = File::open(path).map_err(Failure::file("read", path))?;
        for line in BufReader::new(file).split(b'\n') {
            let line = line?;
            let Some((slot, to, digest)) = core::str::from_utf8(&line).ok().and_then(read) else {
                // A kill in the middle of a line leaves a piece: its frame was not sent.
                continue;
            };
            check.looked();
            let (from, named, code, round, context) = slot;
            let context: String = context.iter().take(12).copied().map(char::from).collect();
            let what = format!("node {from}, protocol {code}, round {round}, context {context}…");
            if named != 0 && named != to {
                check.found(format!("{what}: a frame for node {named} was sent to node {to}"));
            }
            if *said.entry(slot).or_insert(digest) != digest {
                check.found(format!("{what}: two different frames for node {named}"));
            }
        }
    }
    Ok(check)
}

/// Slot, recipient and digest of a line of the [record](crate::record).
fn read(line: &str) -> Option<(Slot, u16, [u8; 64])> {
    let mut fields = line.split(' ');
    let mut field = || fields.next();
    let (from, to) = (field()?.parse().ok()?, field()?.parse().ok()?);
    let (code, round) = (field()?.parse().ok()?, field()?.parse().ok()?);
    let named = field()?.parse().ok()?;
    let context = field()?.as_bytes().try_into().ok()?;
    let digest = field()?.as_bytes().try_into().ok()?;
    field().is_none().then_some(((from, named, code, round, context), to, digest))
}
