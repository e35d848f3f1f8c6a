package quorate

// #include "quorate.h"
import "C"

// Rejection counts the frames of one peer that were not taken.
type Rejection struct {
	Party uint16
	Count uint64
	// Last is the reason why the last of them was not taken.
	Last string
}

// Blame is one culprit of a run that was aborted.
type Blame struct {
	Party uint16
	// Round is that of the message that is at fault.
	Round uint8
	// Fault is the fault in it.
	Fault string
	// Frames show it. Those for one party were confidential.
	Frames []Received
}

// list copies the values of a list.
func list[T any](count func(*C.size_t, *C.QuorateError) C.bool, get func(C.size_t, *C.QuorateError) (T, C.bool)) ([]T, error) {
	var c call
	var length C.size_t
	if err := c.end(count(&length, &c.err)); err != nil {
		return nil, err
	}
	all := make([]T, 0, length)
	for i := C.size_t(0); i < length; i++ {
		one, ok := get(i, &c.err)
		if err := c.end(ok); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func outgoingOf(err error, out *C.QuorateOutgoing) ([]Outgoing, error) {
	if err != nil {
		return nil, err
	}
	defer C.quorate_outgoing_free(out)
	return list(func(length *C.size_t, e *C.QuorateError) C.bool {
		return C.quorate_outgoing_count(out, length, e)
	}, func(i C.size_t, e *C.QuorateError) (Outgoing, C.bool) {
		var one C.QuorateMessage
		ok := C.quorate_outgoing_get(out, i, &one, e)
		return Outgoing{uint16(one.recipient), copied(one.data, one.len)}, ok
	})
}

func rejectionsOf(err error, out *C.QuorateRejections) ([]Rejection, error) {
	if err != nil {
		return nil, err
	}
	defer C.quorate_rejections_free(out)
	return list(func(length *C.size_t, e *C.QuorateError) C.bool {
		return C.quorate_rejections_count(out, length, e)
	}, func(i C.size_t, e *C.QuorateError) (Rejection, C.bool) {
		var one C.QuorateRejection
		ok := C.quorate_rejections_get(out, i, &one, e)
		return Rejection{uint16(one.party), uint64(one.count), C.GoString(one.last)}, ok
	})
}

func blamesOf(err error, out *C.QuorateBlames) ([]Blame, error) {
	if err != nil {
		return nil, err
	}
	defer C.quorate_blames_free(out)
	return list(func(length *C.size_t, e *C.QuorateError) C.bool {
		return C.quorate_blames_count(out, length, e)
	}, func(i C.size_t, e *C.QuorateError) (Blame, C.bool) {
		var one C.QuorateBlame
		ok := C.quorate_blames_get(out, i, &one, e)
		blame := Blame{Party: uint16(one.party), Round: uint8(one.round), Fault: C.GoString(one.fault)}
		for j := C.size_t(0); bool(ok) && j < C.size_t(one.frames); j++ {
			var frame C.QuorateReceived
			ok = C.quorate_blames_frame(out, i, j, &frame, e)
			blame.Frames = append(blame.Frames, Received{uint16(frame.sender), copied(frame.data, frame.len)})
		}
		return blame, ok
	})
}

func commitmentsOf(err error, out *C.QuorateCommitments) ([][]byte, error) {
	if err != nil {
		return nil, err
	}
	defer C.quorate_commitments_free(out)
	return list(func(length *C.size_t, e *C.QuorateError) C.bool {
		return C.quorate_commitments_count(out, length, e)
	}, func(i C.size_t, e *C.QuorateError) ([]byte, C.bool) {
		var one C.QuorateView
		ok := C.quorate_commitments_get(out, i, &one, e)
		return copied(one.data, one.len), ok
	})
}

func reasonOf(err error, out *C.QuorateError) (*Error, error) {
	if err != nil || out.kind == C.QUORATE_ERROR_KIND_NONE {
		return nil, err
	}
	return taken(out), nil
}
