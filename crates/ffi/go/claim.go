package quorate

// #include "quorate.h"
import "C"

// SpentTable is the table of all spent names, which you implement: a map from names to digests that only grows, and that
// outlives every restore of a backup. A name that is spent twice gives the key away.
type SpentTable interface {
	// Record stores digest under id unless something is stored there, durably, and says which of the two it was. Of all calls
	// with one id, from whatever process, one at the most gets NewEntry.
	Record(id, digest [32]byte) (TableEntry, error)
}

// TableEntry is the answer of a table. Its zero value is none, and releases nothing.
type TableEntry struct {
	entry  C.QuorateTableEntry
	digest [32]byte
}

// NewEntry says that nothing was stored under the name, and that the digest of the claim is stored now.
func NewEntry() TableEntry { return TableEntry{entry: C.QUORATE_TABLE_ENTRY_NEW} }

// EntryBefore says that this digest was stored under the name before, and is there still.
func EntryBefore(digest [32]byte) TableEntry {
	return TableEntry{C.QUORATE_TABLE_ENTRY_BEFORE, digest}
}

// before is the digest of EntryBefore, and nil for other answers.
func (t TableEntry) before() []byte {
	if t.entry == C.QUORATE_TABLE_ENTRY_BEFORE {
		return t.digest[:]
	}
	return nil
}

// claim is a name with the digest of what it is spent on.
type claim interface {
	ID() ([]byte, error)
	Digest() ([]byte, error)
}

// recorded gives the answer of a table to a claim.
func recorded(table SpentTable, claim claim) (TableEntry, error) {
	id, err := claim.ID()
	if err != nil {
		return TableEntry{}, err
	}
	digest, err := claim.Digest()
	if err != nil {
		return TableEntry{}, err
	}
	return table.Record([32]byte(id), [32]byte(digest))
}

// ShareClaim is a signature share that waits until a table has recorded what it is spent on. A claim that is closed leaves the
// presignature or the nonces used up.
type ShareClaim struct{ *handle[*C.QuorateShareClaim] }

func claimOf(err error, out *C.QuorateShareClaim) (*ShareClaim, error) {
	if err != nil {
		return nil, err
	}
	return &ShareClaim{own(out, func(p *C.QuorateShareClaim) { C.quorate_share_claim_free(p) })}, nil
}

// ID gives the name, 32 bytes. It is not secret.
func (s *ShareClaim) ID() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_share_claim_id(in(&c, s), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Digest gives the digest of everything that the share depends on, 32 bytes. It is not secret.
func (s *ShareClaim) Digest() ([]byte, error) {
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_share_claim_digest(in(&c, s), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Release gives the signature share, once the table has answered. The zero TableEntry is refused with ErrArguments, and leaves the
// claim as it was. Otherwise the claim is used up even if the call fails.
func (s *ShareClaim) Release(answer TableEntry) ([]byte, error) {
	digest := answer.before()
	var c call
	defer c.release()
	var out C.QuorateBytes
	ok := C.quorate_share_claim_release(in(&c, s), C.uint32_t(answer.entry), data(digest), size(digest), &out, &c.err)
	return bytesOf(c.end(ok), &out)
}

// Store records the claim in a table, and gives the signature share. If the table fails, nothing is released.
func (s *ShareClaim) Store(table SpentTable) ([]byte, error) {
	answer, err := recorded(table, s)
	if err != nil {
		return nil, err
	}
	return s.Release(answer)
}
