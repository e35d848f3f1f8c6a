//! The serial line of the board, and lines of text over it.

use alloc::vec::Vec;
use core::fmt;
use core::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

use quorate_frost::session::zeroize::Zeroizing;

/// The registers of the first UART of an `mps2-an386`: data, state, control, and the divider of the clock.
const DATA: usize = 0x4000_4000;
const STATE: usize = 0x4000_4004;
const CONTROL: usize = 0x4000_4008;
const DIVIDER: usize = 0x4000_4010;

const SEND_IS_FULL: u32 = 1;
const RECEIVED: u32 = 2;
const SEND_AND_RECEIVE: u32 = 3;

/// The most bytes of a line: the other end must not fill the heap.
const MOST: usize = 2048;

/// The serial line.
pub struct Serial(());

impl Serial {
    /// Turns the line on.
    pub fn open() -> Self {
        write(DIVIDER, 16);
        write(CONTROL, SEND_AND_RECEIVE);
        Self(())
    }

    /// Sends a line: a word, and bytes in hexadecimal.
    pub fn say(&mut self, word: &str, parts: &[&[u8]]) {
        self.put_all(word.as_bytes());
        self.put(b' ');
        for byte in parts.iter().copied().flatten() {
            self.put(digit(byte >> 4));
            self.put(digit(byte & 15));
        }
        self.put(b'\n');
    }

    /// Reads a line that has to begin with this word, and gives its bytes. A line that is refused is read to its end.
    pub fn expect(&mut self, word: &str) -> Result<Zeroizing<Vec<u8>>, &'static str> {
        // Bytes are decoded as they come, into a buffer that never moves: no copy of a secret stays behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(MOST));
        let mut expected = word.bytes().chain([b' ']);
        let (mut high, mut refused) = (None, None);
        loop {
            let next = self.get();
            if next == b'\n' {
                let is_whole = high.is_none() && expected.next().is_none();
                return match refused {
                    None if is_whole => Ok(bytes),
                    None => Err("a line ends in the middle"),
                    Some(why) => Err(why),
                };
            }
            match (
                expected.next(),
                char::from(next).to_digit(16).and_then(|value| u8::try_from(value).ok()),
                high,
            ) {
                (Some(letter), ..) if letter == next => {}
                (Some(_), ..) => refused = Some("another line was expected"),
                (None, Some(value), None) => high = Some(value),
                (None, Some(value), Some(before)) if bytes.len() < MOST => {
                    bytes.push(before << 4 | value);
                    high = None;
                }
                (None, Some(_), Some(_)) => refused = Some("a line is too long"),
                (None, None, _) => refused = Some("a line is not hexadecimal"),
            }
        }
    }

    fn put_all(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.put(*byte));
    }

    fn put(&mut self, byte: u8) {
        while read(STATE) & SEND_IS_FULL != 0 {}
        write(DATA, u32::from(byte));
    }

    fn get(&mut self) -> u8 {
        while read(STATE) & RECEIVED == 0 {}
        let [byte, ..] = read(DATA).to_le_bytes();
        byte
    }
}

impl fmt::Write for Serial {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.put_all(text.as_bytes());
        Ok(())
    }
}

const fn digit(value: u8) -> u8 {
    if value < 10 { b'0' + value } else { b'a' + value - 10 }
}

fn read(register: usize) -> u32 {
    // SAFETY: it is a register of the UART, which is always there.
    unsafe { with_exposed_provenance::<u32>(register).read_volatile() }
}

fn write(register: usize, value: u32) {
    // SAFETY: as above, and only this module has the UART.
    unsafe { with_exposed_provenance_mut::<u32>(register).write_volatile(value) }
}
