//! Marks that may only rise.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;

/// The place that a signature uses up. At one [`Order`] of a slot only one value is ever signed, and the order never falls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watermark {
    slot: String,
    mark: Mark,
}

impl Watermark {
    pub(crate) const fn new(slot: String, mark: Mark) -> Self {
        Self { slot, mark }
    }

    /// The name of the sequence that the order counts in, for one key: for a validator, `cometbft/` and the chain. At most 64
    /// bytes.
    #[must_use]
    pub fn slot(&self) -> &str {
        &self.slot
    }

    /// The order, and what is signed at it.
    #[must_use]
    pub const fn mark(&self) -> Mark {
        self.mark
    }
}

/// A place in a slot's order, compared from the first number: for a validator height, round and step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order(pub [u64; 3]);

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([first, second, third]) = self;
        write!(f, "{first}/{second}/{third}")
    }
}

/// A place in a slot's order, and a digest of what is signed there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The place.
    pub order: Order,
    /// A hash of what is signed, without what may differ: for a validator, without the time stamp.
    pub value: [u8; 32],
}

/// Why a watermark is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// The order rises: record the mark durably, then sign.
    Rises,
    /// This value was allowed at this order before. Nothing is to be recorded; the old signature can be given again.
    Again,
}

/// Why a watermark is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The order falls: a later one was signed.
    Falls {
        /// The requested order.
        asked: Order,
        /// The last one.
        last: Order,
    },
    /// Another value was signed at this order.
    Conflicts {
        /// The order.
        order: Order,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Falls { asked, last } => {
                write!(f, "{asked} comes before {last}, which was signed")
            }
            Self::Conflicts { order } => write!(f, "another value was signed at {order}"),
        }
    }
}

impl core::error::Error for Refused {}

impl Mark {
    /// The length of [`to_bytes`](Self::to_bytes).
    pub const LENGTH: usize = 56;

    /// Checks that this mark may follow the last one of its slot; `None` if there was none.
    ///
    /// A store calls this in the transaction that records the mark: read the last mark, check, write, commit, and only then
    /// let anything out.
    ///
    /// # Errors
    /// If the order falls, or the value is another one at the same order.
    pub fn check_follows(&self, last: Option<&Self>) -> Result<Allowed, Refused> {
        let Some(last) = last else { return Ok(Allowed::Rises) };
        match self.order.cmp(&last.order) {
            Ordering::Greater => Ok(Allowed::Rises),
            Ordering::Equal if self.value == last.value => Ok(Allowed::Again),
            Ordering::Equal => Err(Refused::Conflicts { order: self.order }),
            Ordering::Less => Err(Refused::Falls { asked: self.order, last: last.order }),
        }
    }

    /// The three numbers, big-endian, and the value: these bytes compare as the marks do.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LENGTH] {
        let mut bytes = [0; Self::LENGTH];
        let (numbers, value) = bytes.split_at_mut(24);
        numbers.copy_from_slice(self.order.0.map(u64::to_be_bytes).as_flattened());
        value.copy_from_slice(&self.value);
        bytes
    }

    /// Reads [`to_bytes`](Self::to_bytes); `None` for another length.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (numbers, value) = bytes.split_last_chunk::<32>()?;
        let (numbers, []) = numbers.as_chunks::<8>() else { return None };
        let numbers: [[u8; 8]; 3] = numbers.try_into().ok()?;
        Some(Self { order: Order(numbers.map(u64::from_be_bytes)), value: *value })
    }
}

/// The last mark of each slot of one key, in memory: the rule that a store enforces, and its model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watermarks(BTreeMap<String, Mark>);

impl Watermarks {
    /// No slot has a mark.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// The last mark of a slot.
    #[must_use]
    pub fn last(&self, slot: &str) -> Option<&Mark> {
        self.0.get(slot)
    }

    /// Checks a watermark, and remembers it if its order rises.
    ///
    /// # Errors
    /// As [`Mark::check_follows`]; nothing changes.
    pub fn admit(&mut self, watermark: &Watermark) -> Result<Allowed, Refused> {
        self.raise(&watermark.slot, watermark.mark)
    }

    /// Takes in a mark that another signer of the key reports. An older one changes nothing.
    ///
    /// A signer whose store may be older than its last signature asks the others before it signs. With threshold t of n it
    /// has to hear n − t + 1 others: then one of them is in each quorum that it may have forgotten. Where all stores are
    /// restored at once, nobody knows.
    ///
    /// A report is believed. One that lies about a height far ahead silences this signer, so compare it with the height of a
    /// node of the chain first.
    ///
    /// # Errors
    /// If the other signer has signed another value at the same order. That is a double signature, or the beginning of one.
    pub fn learn(&mut self, slot: &str, mark: Mark) -> Result<(), Refused> {
        match self.raise(slot, mark) {
            Err(refused @ Refused::Conflicts { .. }) => Err(refused),
            Err(Refused::Falls { .. }) | Ok(_) => Ok(()),
        }
    }

    fn raise(&mut self, slot: &str, mark: Mark) -> Result<Allowed, Refused> {
        let allowed = mark.check_follows(self.last(slot))?;
        if allowed == Allowed::Rises {
            self.0.insert(slot.to_owned(), mark);
        }
        Ok(allowed)
    }
}
