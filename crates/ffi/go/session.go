package quorate

// #include "quorate.h"
import "C"

// Session is a run of any protocol at one party.
//
// The order is StartSession or OpenSession; then Seal, store, and send the Outgoing messages; then Receive each frame and
// Advance. If Advance gives ProgressRound, the order begins again at Seal; if it gives ProgressDone, the run is over.
type Session struct{ *handle[*C.QuorateSession] }

func sessionOf(err error, out *C.QuorateSession) (*Session, error) {
	if err != nil {
		return nil, err
	}
	return &Session{own(out, func(p *C.QuorateSession) { C.quorate_session_free(p) })}, nil
}

// StartSession begins a run of party me. All parties need the same session id, which is never used twice, and the same set of
// parties.
func StartSession(sessionID [32]byte, me uint16, parties []uint16, task *Task) (*Session, error) {
	var c call
	defer c.release()
	var out *C.QuorateSession
	ok := C.quorate_session_start(data(sessionID[:]), size(sessionID[:]), C.uint16_t(me), numbers(parties), size(parties),
		in(&c, task), &out, &c.err)
	return sessionOf(c.end(ok), out)
}

// OpenSession opens a sealed run, with the task with which it was started. Frames that came after the seal have to come again.
func OpenSession(sealed []byte, key *SealKey, task *Task) (*Session, error) {
	var c call
	defer c.release()
	var out *C.QuorateSession
	ok := C.quorate_session_open(data(sealed), size(sealed), in(&c, key), in(&c, task), &out, &c.err)
	return sessionOf(c.end(ok), out)
}

// PartyID is the number of this party.
func (s *Session) PartyID() (uint16, error) {
	var c call
	defer c.release()
	var out C.uint16_t
	ok := C.quorate_session_party_id(in(&c, s), &out, &c.err)
	return uint16(out), c.end(ok)
}

// Outgoing gives the messages of the current round. Send them again until their recipients have acknowledged them.
func (s *Session) Outgoing() ([]Outgoing, error) {
	var c call
	defer c.release()
	var out *C.QuorateOutgoing
	ok := C.quorate_session_outgoing(in(&c, s), &out, &c.err)
	return outgoingOf(c.end(ok), out)
}

// Receive takes a frame. The sender is the one that the authenticated transport names. If it fails with ErrRejected, nothing has
// changed.
func (s *Session) Receive(sender uint16, frame []byte) (FrameFate, error) {
	var c call
	defer c.release()
	var out C.QuorateFrameFate
	ok := C.quorate_session_receive(in(&c, s), C.uint16_t(sender), data(frame), size(frame), &out, &c.err)
	return FrameFate(out), c.end(ok)
}

// Advance verifies the round if it is complete, and moves on. If it fails, the run is over without a result.
func (s *Session) Advance() (Progress, error) {
	var c call
	defer c.release()
	var out C.QuorateProgress
	ok := C.quorate_session_advance(in(&c, s), &out, &c.err)
	return Progress(out), c.end(ok)
}

// GiveUp ends a run that waits too long.
func (s *Session) GiveUp() error {
	var c call
	defer c.release()
	ok := C.quorate_session_give_up(in(&c, s), &c.err)
	return c.end(ok)
}

// Round is the round whose messages are being waited for, from 1.
func (s *Session) Round() (uint8, error) {
	var c call
	defer c.release()
	var out C.uint8_t
	ok := C.quorate_session_round(in(&c, s), &out, &c.err)
	return uint8(out), c.end(ok)
}

// WaitingFor gives the peers of which the current round still needs a message.
func (s *Session) WaitingFor() ([]uint16, error) {
	var c call
	defer c.release()
	var out C.QuorateParties
	ok := C.quorate_session_waiting_for(in(&c, s), &out, &c.err)
	return partiesOf(c.end(ok), &out)
}

// Rejections gives the frames that were not taken, by sender.
func (s *Session) Rejections() ([]Rejection, error) {
	var c call
	defer c.release()
	var out *C.QuorateRejections
	ok := C.quorate_session_rejections(in(&c, s), &out, &c.err)
	return rejectionsOf(c.end(ok), out)
}

// Seal gives the run, encrypted and authenticated, to be stored before the Outgoing messages are sent.
func (s *Session) Seal(key *SealKey) (*SealedSession, error) {
	var c call
	defer c.release()
	var out C.QuorateSealedSession
	ok := C.quorate_session_seal(in(&c, s), in(&c, key), &out, &c.err)
	return sealedOf(c.end(ok), &out)
}

// Outcome gives the result, once.
func (s *Session) Outcome() (*Outcome, error) {
	var c call
	defer c.release()
	var out *C.QuorateOutcome
	ok := C.quorate_session_outcome(in(&c, s), &out, &c.err)
	return outcomeOf(c.end(ok), out)
}

// Reason gives the reason why a run that has ended has no result, or one that is not confirmed; nil if it is done.
func (s *Session) Reason() (*Error, error) {
	var c call
	defer c.release()
	var out C.QuorateError
	ok := C.quorate_session_reason(in(&c, s), &out, &c.err)
	return reasonOf(c.end(ok), &out)
}

// Tombstone gives the record that the store keeps for ever in place of the sealed run. Store the outcome first.
func (s *Session) Tombstone() (*SealedSession, error) {
	var c call
	defer c.release()
	var out C.QuorateSealedSession
	ok := C.quorate_session_tombstone(in(&c, s), &out, &c.err)
	return sealedOf(c.end(ok), &out)
}

// Blames gives the culprits of a run that was aborted, with the frames that show it.
func (s *Session) Blames() ([]Blame, error) {
	var c call
	defer c.release()
	var out *C.QuorateBlames
	ok := C.quorate_session_blames(in(&c, s), &out, &c.err)
	return blamesOf(c.end(ok), out)
}
