package quorate

// #include "quorate.h"
import "C"

// Task is the task of a session. All parties of a run agree on it beforehand, and each has its own part in it. A task may
// begin several sessions. It shares the objects that it was made of, which may be closed.
type Task struct{ *handle[*C.QuorateTask] }

func taskOf(err error, out *C.QuorateTask) (*Task, error) {
	if err != nil {
		return nil, err
	}
	return &Task{own(out, func(p *C.QuorateTask) { C.quorate_task_free(p) })}, nil
}

// Keygen makes a key for all parties of the session, of which any threshold of them sign together.
func Keygen(scheme Scheme, threshold uint16) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	ok := C.quorate_task_keygen(C.uint32_t(scheme), C.uint16_t(threshold), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// MakeAuxInfo makes ECDSA's auxiliary information, once for any number of keys of the same parties.
func MakeAuxInfo(secrets *AuxSecrets) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	ok := C.quorate_task_make_aux_info(in(&c, secrets), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// CarryAuxInfo makes it for another set of parties, by a party that has proved its primes before.
func CarryAuxInfo(aux *AuxInfo) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	ok := C.quorate_task_carry_aux_info(in(&c, aux), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// Presign makes count presignatures by all parties of the session, 1 to 1024.
func Presign(share *KeyShare, aux *AuxInfo, count uint16) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	ok := C.quorate_task_presign_many(in(&c, share), in(&c, aux), C.uint16_t(count), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// SignDigest makes an ECDSA signature without a presignature. The digest is the hash of a message that this party has looked at.
func SignDigest(share *KeyShare, aux *AuxInfo, digest [32]byte) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	ok := C.quorate_task_sign_digest(in(&c, share), in(&c, aux), data(digest[:]), size(digest[:]), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// ExchangeShares makes a FROST signature without a coordinator.
func ExchangeShares(public *PublicKeyPackage, signing *SigningPackage, signatureShare []byte) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	ok := C.quorate_task_exchange_shares(in(&c, public), in(&c, signing), data(signatureShare), size(signatureShare), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// Reshare makes new shares of a key, for the same committee (a refresh) or another one. The share is nil for a party that does
// not deal; threshold is that of the new committee.
func Reshare(public *PublicKeyPackage, share *KeyShare, dealers, committee []uint16, threshold uint16) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	lent, err := share.optional(&c)
	if err != nil {
		return nil, err
	}
	ok := C.quorate_task_reshare(in(&c, public), lent, numbers(dealers), size(dealers), numbers(committee), size(committee),
		C.uint16_t(threshold), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// Repair repairs the lost share of target. The share is that of a helper, and nil for the target.
func Repair(public *PublicKeyPackage, share *KeyShare, helpers []uint16, target uint16) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	lent, err := share.optional(&c)
	if err != nil {
		return nil, err
	}
	ok := C.quorate_task_repair(in(&c, public), lent, numbers(helpers), size(helpers), C.uint16_t(target), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// Acknowledge says that this party has stored its new share, and waits for the same from all others. The sealed share is the
// one that was read back from the store.
func Acknowledge(sealed []byte, key *SealKey) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	ok := C.quorate_task_acknowledge(data(sealed), size(sealed), in(&c, key), &out, &c.err)
	return taskOf(c.end(ok), out)
}

// Listen learns that all have stored their shares, at a party that is not in the new committee.
func Listen(public *PublicKeyPackage) (*Task, error) {
	var c call
	defer c.release()
	var out *C.QuorateTask
	ok := C.quorate_task_listen(in(&c, public), &out, &c.err)
	return taskOf(c.end(ok), out)
}
