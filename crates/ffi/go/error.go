package quorate

// #include "quorate.h"
import "C"

import (
	"fmt"
	"unsafe"
)

// Kind is the kind of an error, which determines what to do next. It is an error itself, for errors.Is.
type Kind uint32

const (
	// ErrMisbehaviour: the culprits provably misbehaved. Continue without them.
	ErrMisbehaviour Kind = C.QUORATE_ERROR_KIND_MISBEHAVIOUR
	// ErrUnattributed: a check failed, and its failure does not show who misbehaved. Begin again, under another session id.
	ErrUnattributed Kind = C.QUORATE_ERROR_KIND_UNATTRIBUTED
	// ErrMissing: the run was given up, or shares have not come. Silence proves nothing.
	ErrMissing Kind = C.QUORATE_ERROR_KIND_MISSING
	// ErrRejected: a frame or a share was not taken. Nothing has changed.
	ErrRejected Kind = C.QUORATE_ERROR_KIND_REJECTED
	// ErrConsumed: the object was used up before. Make another.
	ErrConsumed Kind = C.QUORATE_ERROR_KIND_CONSUMED
	// ErrNotYet: the session has not ended yet.
	ErrNotYet Kind = C.QUORATE_ERROR_KIND_NOT_YET
	// ErrSpent: the table of spent names has this name for something else. Never use the presignature or the nonces
	// again; of an attempt of ML-DSA, take the next number.
	ErrSpent Kind = C.QUORATE_ERROR_KIND_SPENT
	// ErrTable: the table of spent names gave no answer. No call of this package fails with it: the Store of a claim gives the
	// error of the table itself.
	ErrTable Kind = C.QUORATE_ERROR_KIND_TABLE
	// ErrArguments: the arguments do not fit together, or not the scheme; or an object is nil or closed.
	ErrArguments Kind = C.QUORATE_ERROR_KIND_ARGUMENTS
	// ErrMismatch: the object belongs to another key, epoch, party or scheme.
	ErrMismatch Kind = C.QUORATE_ERROR_KIND_MISMATCH
	// ErrUnconfirmed: the share, or the auxiliary information, is not confirmed by all parties.
	ErrUnconfirmed Kind = C.QUORATE_ERROR_KIND_UNCONFIRMED
	// ErrEncoding: the bytes do not encode the object.
	ErrEncoding Kind = C.QUORATE_ERROR_KIND_ENCODING
	// ErrSeal: something sealed does not open.
	ErrSeal Kind = C.QUORATE_ERROR_KIND_SEAL
	// ErrInvalidSignature: the signature is not one of this message under this key.
	ErrInvalidSignature Kind = C.QUORATE_ERROR_KIND_INVALID_SIGNATURE
	// ErrRandomness: the system's generator of random numbers failed.
	ErrRandomness Kind = C.QUORATE_ERROR_KIND_RANDOMNESS
	// ErrDefect: a defect of the library: please report it.
	ErrDefect Kind = C.QUORATE_ERROR_KIND_DEFECT
)

var kinds = [...]string{
	"no error", "misbehaviour", "unattributed", "missing", "rejected", "consumed", "not yet", "spent", "table", "arguments",
	"mismatch", "unconfirmed", "encoding", "seal", "invalid signature", "randomness", "defect",
}

func (k Kind) Error() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return fmt.Sprintf("kind %d", uint32(k))
}

// Error is the error of every call. It has no secret in it.
type Error struct {
	// Kind is the kind.
	Kind Kind
	// Culprits are the parties that are to blame, ascending; none where nobody is.
	Culprits []uint16
	// Check is the check that failed, in words.
	Check string
}

func (e *Error) Error() string {
	if len(e.Culprits) > 0 {
		return fmt.Sprintf("quorate: %v of %v: %s", e.Kind, e.Culprits, e.Check)
	}
	return fmt.Sprintf("quorate: %v: %s", e.Kind, e.Check)
}

// Is reports whether target is the kind of the error: errors.Is(err, quorate.ErrSpent).
func (e *Error) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && kind == e.Kind
}

// taken copies an error, and frees it.
func taken(err *C.QuorateError) *Error {
	defer C.quorate_error_free(err)
	culprits := append([]uint16(nil), unsafe.Slice((*uint16)(err.culprits), err.culprits_len)...)
	return &Error{Kind(err.kind), culprits, C.GoString(err.check)}
}
