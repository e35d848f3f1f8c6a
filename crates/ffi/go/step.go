package quorate

// #include "quorate.h"
import "C"

// Stepped is the result of a step.
//
// Store State before any outgoing message is sent: after a start as a new row, and fail if the row is there; after a step in
// place of the state that the step was given, compared and swapped. A step from an older state, or a second start, may contradict
// what was sent, and so give secrets away.
type Stepped struct {
	// State is the run, as Session.Seal gives it; when it has ended, its tombstone, which no step takes and which stays for ever.
	// OpenSession takes its bytes as well: to send the messages of the round again after a crash, or to give up.
	State SealedSession
	// Progress is ProgressWaiting, ProgressDone, ProgressUnconfirmed or ProgressAborted.
	Progress Progress
	// Outgoing are the messages of all rounds that this step has begun.
	Outgoing []Outgoing
	// WaitingFor are the peers of which the current round still needs a message.
	WaitingFor []uint16
	// Rejections are the frames that were not taken.
	Rejections []Rejection
	// Outcome is the result, or nil.
	Outcome *Outcome
	// Reason is the reason why there is no result, or one that is not confirmed; or nil.
	Reason *Error
	// Blames are the culprits of a run that was aborted.
	Blames []Blame
}

// StartSteps begins a run, as StartSession does, and gives its first state and messages.
func StartSteps(sessionID [32]byte, me uint16, parties []uint16, task *Task, key *SealKey) (*Stepped, error) {
	var c call
	defer c.release()
	var out *C.QuorateStepped
	ok := C.quorate_start_steps(data(sessionID[:]), size(sessionID[:]), C.uint16_t(me), numbers(parties), size(parties),
		in(&c, task), in(&c, key), &out, &c.err)
	return steppedOf(c.end(ok), out)
}

// Step takes frames, and continues as far as they allow. The state is the bytes of Stepped.State. The same state and frames give the
// same messages again.
func Step(state []byte, key *SealKey, task *Task, frames []Received) (*Stepped, error) {
	var c call
	defer c.release()
	var out *C.QuorateStepped
	lent, length := c.received(frames)
	ok := C.quorate_step(data(state), size(state), in(&c, key), in(&c, task), lent, length, &out, &c.err)
	return steppedOf(c.end(ok), out)
}

func steppedOf(err error, out *C.QuorateStepped) (stepped *Stepped, _ error) {
	if err != nil {
		return nil, err
	}
	defer C.quorate_stepped_free(out)
	var (
		c          call
		state      C.QuorateSealedSession
		progress   C.QuorateProgress
		outgoing   *C.QuorateOutgoing
		waiting    C.QuorateParties
		rejections *C.QuorateRejections
		outcome    *C.QuorateOutcome
		reason     C.QuorateError
		blames     *C.QuorateBlames
	)
	sealed, err := sealedOf(c.end(C.quorate_stepped_state(out, &state, &c.err)), &state)
	if err != nil {
		return nil, err
	}
	stepped = &Stepped{State: *sealed}
	if err = c.end(C.quorate_stepped_progress(out, &progress, &c.err)); err != nil {
		return nil, err
	}
	stepped.Progress = Progress(progress)
	if stepped.Outgoing, err = outgoingOf(c.end(C.quorate_stepped_outgoing(out, &outgoing, &c.err)), outgoing); err != nil {
		return nil, err
	}
	if stepped.WaitingFor, err = partiesOf(c.end(C.quorate_stepped_waiting_for(out, &waiting, &c.err)), &waiting); err != nil {
		return nil, err
	}
	err = c.end(C.quorate_stepped_rejections(out, &rejections, &c.err))
	if stepped.Rejections, err = rejectionsOf(err, rejections); err != nil {
		return nil, err
	}
	err = c.end(C.quorate_stepped_outcome(out, &outcome, &c.err))
	if stepped.Outcome, err = outcomeOf(err, outcome); err != nil {
		return nil, err
	}
	if stepped.Reason, err = reasonOf(c.end(C.quorate_stepped_reason(out, &reason, &c.err)), &reason); err != nil {
		return nil, err
	}
	err = c.end(C.quorate_stepped_blames(out, &blames, &c.err))
	if stepped.Blames, err = blamesOf(err, blames); err != nil {
		return nil, err
	}
	return stepped, nil
}
