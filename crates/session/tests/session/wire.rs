//! The reader never reads beyond the end, leaves no byte over, and makes room only for what can follow.

use quorate_session::Fault;
use quorate_session::wire::{ReadError, Reader};

#[test]
fn numbers_and_bytes_come_in_order() {
    let mut reader = Reader::new(&[1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 7]);
    assert_eq!(
        (reader.u8(), reader.u16(), reader.u32(), reader.u64()),
        (Ok(1), Ok(2), Ok(3), Ok(4))
    );
    assert_eq!(reader.array(), Ok([5]));
    assert_eq!(reader.remaining(), 2);
    assert_eq!(reader.bytes(2), Ok(&[6, 7][..]));
    assert_eq!(reader.finish(), Ok(()));
}

#[test]
fn what_is_not_there_is_not_read() {
    let mut reader = Reader::new(&[1, 2, 3]);
    assert_eq!(reader.u32(), Err(ReadError::Truncated));
    assert_eq!(reader.bytes(4), Err(ReadError::Truncated));
    assert_eq!(reader.remaining(), 3, "a reading that fails takes nothing");
    assert_eq!((reader.expect(3, 1), reader.expect(2, 2)), (Ok(()), Err(ReadError::Truncated)));
    assert_eq!(reader.expect(usize::MAX, 2), Err(ReadError::Truncated));
    assert_eq!(reader.finish(), Err(ReadError::TrailingBytes));
}

#[test]
fn in_a_message_either_is_the_senders_fault() {
    for error in [ReadError::Truncated, ReadError::TrailingBytes] {
        assert_eq!(Fault::from(error), Fault::Malformed);
    }
}
