//! Lists that calls give: outgoing messages, rejections, blames, and commitments.

use core::ffi::c_char;
use core::mem::MaybeUninit;
use std::ffi::CString;
use std::sync::Arc;

use quorate_ffi::{Blame, ErrorKind, Outgoing, Rejection};
use zeroize::Zeroize as _;

use crate::error::QuorateError;
use crate::handle::{Given as _, Handle, List, at};
use crate::memory::{call, failure, free};
use crate::values::QuorateReceived;

/// Outgoing messages, which are wiped when the list is freed.
pub struct QuorateOutgoing(Arc<Messages>);

/// The messages of a list.
pub(crate) struct Messages(Vec<Outgoing>);

impl Drop for Messages {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|one| one.bytes.zeroize());
    }
}

impl From<Vec<Outgoing>> for QuorateOutgoing {
    fn from(messages: Vec<Outgoing>) -> Self {
        Self(Arc::new(Messages(messages)))
    }
}

impl Handle for QuorateOutgoing {
    type Object = Arc<Messages>;

    fn object(&self) -> &Self::Object {
        &self.0
    }
}

/// A message to be delivered. It points into its list.
#[repr(C)]
pub struct QuorateMessage {
    /// The recipient; 0 for all other parties. A message for one party is **confidential**: encrypt it to that party.
    pub recipient: u16,
    /// The frame, for the recipient's `quorate_session_receive`.
    pub data: *const u8,
    /// The number of its bytes.
    pub len: usize,
}

/// Gives the number of messages.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outgoing_count(
    list: Option<&QuorateOutgoing>,
    out: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(list.get()?.0.len()))
}

/// Gives a message, from 0. It is valid until the list is freed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outgoing_get(
    list: Option<&QuorateOutgoing>,
    index: usize,
    out: Option<&mut MaybeUninit<QuorateMessage>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let list = list.get()?;
        let one = at(&list.0, index)?;
        let (data, len) = (one.bytes.as_ptr(), one.bytes.len());
        Ok(QuorateMessage { recipient: one.recipient.unwrap_or(0), data, len })
    })
}

/// Wipes and frees the list. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outgoing_free(list: Option<Box<QuorateOutgoing>>) {
    free(list);
}

/// Frames that were not taken, by sender.
pub struct QuorateRejections(List<(Rejection, CString)>);

impl From<Vec<Rejection>> for QuorateRejections {
    fn from(list: Vec<Rejection>) -> Self {
        let with_text = |one: Rejection| {
            let text = c_text(&one.last);
            (one, text)
        };
        Self(Arc::new(list.into_iter().map(with_text).collect()))
    }
}

impl Handle for QuorateRejections {
    type Object = List<(Rejection, CString)>;

    fn object(&self) -> &Self::Object {
        &self.0
    }
}

/// Frames of one peer that were not taken. It points into its list.
#[repr(C)]
pub struct QuorateRejection {
    /// The peer.
    pub party: u16,
    /// The number of frames.
    pub count: u64,
    /// The reason why the last of them was not taken, with NUL at the end.
    pub last: *const c_char,
}

/// Gives the number of rejections.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_rejections_count(
    list: Option<&QuorateRejections>,
    out: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(list.get()?.len()))
}

/// Gives a rejection, from 0. It is valid until the list is freed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_rejections_get(
    list: Option<&QuorateRejections>,
    index: usize,
    out: Option<&mut MaybeUninit<QuorateRejection>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let list = list.get()?;
        let (one, text) = at(&list, index)?;
        Ok(QuorateRejection { party: one.party, count: one.count, last: text.as_ptr() })
    })
}

/// Frees the list. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_rejections_free(list: Option<Box<QuorateRejections>>) {
    free(list);
}

/// The culprits of a run that was aborted, with the frames that show it, which are wiped when the list is freed.
pub struct QuorateBlames(Arc<Culprits>);

/// The culprits of a list, and the texts of their faults.
pub(crate) struct Culprits {
    blames: Vec<Blame>,
    faults: Vec<CString>,
}

impl Drop for Culprits {
    fn drop(&mut self) {
        wipe(&mut self.blames);
    }
}

/// Wipes the frames of culprits.
pub(crate) fn wipe(blames: &mut [Blame]) {
    let frames = blames.iter_mut().flat_map(|one| &mut one.frames);
    frames.for_each(|frame| frame.bytes.zeroize());
}

impl From<Vec<Blame>> for QuorateBlames {
    fn from(blames: Vec<Blame>) -> Self {
        let faults = blames.iter().map(|one| c_text(&one.fault)).collect();
        Self(Arc::new(Culprits { blames, faults }))
    }
}

impl Handle for QuorateBlames {
    type Object = Arc<Culprits>;

    fn object(&self) -> &Self::Object {
        &self.0
    }
}

/// One culprit. It points into its list.
#[repr(C)]
pub struct QuorateBlame {
    /// The culprit.
    pub party: u16,
    /// The number of frames that show the fault: see `quorate_blames_frame`.
    pub frames: u16,
    /// The round of the message that is at fault.
    pub round: u8,
    /// The fault in it, with NUL at the end.
    pub fault: *const c_char,
}

/// Gives the number of culprits.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_blames_count(
    list: Option<&QuorateBlames>,
    out: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(list.get()?.blames.len()))
}

/// Gives a culprit, from 0. It is valid until the list is freed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_blames_get(
    list: Option<&QuorateBlames>,
    index: usize,
    out: Option<&mut MaybeUninit<QuorateBlame>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let list = list.get()?;
        let one = at(&list.blames, index)?;
        let many = |_| failure(ErrorKind::Defect, "more than 65 535 frames of one blame");
        let frames = u16::try_from(one.frames.len()).map_err(many)?;
        let fault = at(&list.faults, index)?.as_ptr();
        Ok(QuorateBlame { party: one.party, frames, round: one.round, fault })
    })
}

/// Gives a frame that shows the fault of a culprit, both from 0, with its sender. It is valid until the list is freed. Frames
/// for one party were confidential.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_blames_frame(
    list: Option<&QuorateBlames>,
    index: usize,
    frame: usize,
    out: Option<&mut MaybeUninit<QuorateReceived>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let list = list.get()?;
        let one = at(&at(&list.blames, index)?.frames, frame)?;
        Ok(QuorateReceived { sender: one.sender, data: one.bytes.as_ptr(), len: one.bytes.len() })
    })
}

/// Wipes and frees the list. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_blames_free(list: Option<Box<QuorateBlames>>) {
    free(list);
}

/// Commitments to pairs of nonces, each for one signature.
pub struct QuorateCommitments(List<Vec<u8>>);

impl From<Vec<Vec<u8>>> for QuorateCommitments {
    fn from(list: Vec<Vec<u8>>) -> Self {
        Self(Arc::new(list))
    }
}

impl Handle for QuorateCommitments {
    type Object = List<Vec<u8>>;

    fn object(&self) -> &Self::Object {
        &self.0
    }
}

/// Bytes of a list. They point into it.
#[repr(C)]
pub struct QuorateView {
    /// The bytes.
    pub data: *const u8,
    /// The number of bytes.
    pub len: usize,
}

/// Gives the number of pairs.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_commitments_count(
    list: Option<&QuorateCommitments>,
    out: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(list.get()?.len()))
}

/// Gives the commitments to a pair, from 0. They are valid until the list is freed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_commitments_get(
    list: Option<&QuorateCommitments>,
    index: usize,
    out: Option<&mut MaybeUninit<QuorateView>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let list = list.get()?;
        let one = at(&list, index)?;
        Ok(QuorateView { data: one.as_ptr(), len: one.len() })
    })
}

/// Frees the list. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_commitments_free(list: Option<Box<QuorateCommitments>>) {
    free(list);
}

/// A text with NUL at the end.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}
