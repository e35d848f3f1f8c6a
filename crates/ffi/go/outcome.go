package quorate

// #include "quorate.h"
import "C"

// OutcomeKind is the kind of a result, by the task that gave it.
type OutcomeKind uint32

const (
	// OutcomeKeyMade: see Outcome.KeyShare.
	OutcomeKeyMade OutcomeKind = C.QUORATE_OUTCOME_KIND_KEY_MADE
	// OutcomeAuxInfoMade: auxiliary information was made or carried over; see Outcome.AuxInfo.
	OutcomeAuxInfoMade OutcomeKind = C.QUORATE_OUTCOME_KIND_AUX_INFO_MADE
	// OutcomePresigned: see Outcome.Presignatures.
	OutcomePresigned OutcomeKind = C.QUORATE_OUTCOME_KIND_PRESIGNED
	// OutcomeSigned: a digest, or a package, was signed; see Outcome.Signature.
	OutcomeSigned OutcomeKind = C.QUORATE_OUTCOME_KIND_SIGNED
	// OutcomeReshared: see Outcome.Public and Outcome.KeyShare.
	OutcomeReshared OutcomeKind = C.QUORATE_OUTCOME_KIND_RESHARED
	// OutcomeRepaired: see Outcome.KeyShare.
	OutcomeRepaired OutcomeKind = C.QUORATE_OUTCOME_KIND_REPAIRED
	// OutcomeAcknowledged: all parties have stored their shares; see Outcome.StoredByAll.
	OutcomeAcknowledged OutcomeKind = C.QUORATE_OUTCOME_KIND_ACKNOWLEDGED
	// OutcomeMlDsaKeyMade: see Outcome.MlDsaKeyShare.
	OutcomeMlDsaKeyMade OutcomeKind = C.QUORATE_OUTCOME_KIND_ML_DSA_KEY_MADE
	// OutcomeMlDsaAttempted: an attempt of ML-DSA has ended; see Outcome.Signature and Outcome.MlDsaAccepted.
	OutcomeMlDsaAttempted OutcomeKind = C.QUORATE_OUTCOME_KIND_ML_DSA_ATTEMPTED
)

// Outcome is the result of a session. Seal and store its secret parts before the tombstone. Each call gives an object of its
// own, which outlives the outcome, and fails with ErrArguments for a task that has another result.
type Outcome struct{ *handle[*C.QuorateOutcome] }

func outcomeOf(err error, out *C.QuorateOutcome) (*Outcome, error) {
	if err != nil || out == nil {
		return nil, err
	}
	return &Outcome{own(out, func(p *C.QuorateOutcome) { C.quorate_outcome_free(p) })}, nil
}

// Kind is the kind of the result.
func (o *Outcome) Kind() (OutcomeKind, error) {
	var c call
	defer c.release()
	var out C.QuorateOutcomeKind
	ok := C.quorate_outcome_kind(in(&c, o), &out, &c.err)
	return OutcomeKind(out), c.end(ok)
}

// KeyShare gives the share of a key that was made, reshared or repaired. It is nil for a party outside the new committee, and
// for a helper of a repair.
func (o *Outcome) KeyShare() (*KeyShare, error) {
	var c call
	defer c.release()
	var out *C.QuorateKeyShare
	ok := C.quorate_outcome_key_share(in(&c, o), &out, &c.err)
	return keyShareOf(c.end(ok), out)
}

// Public gives the public side of a reshared key, in the new epoch.
func (o *Outcome) Public() (*PublicKeyPackage, error) {
	var c call
	defer c.release()
	var out *C.QuoratePublicKeyPackage
	ok := C.quorate_outcome_public(in(&c, o), &out, &c.err)
	return publicOf(c.end(ok), out)
}

// AuxInfo gives the auxiliary information.
func (o *Outcome) AuxInfo() (*AuxInfo, error) {
	var c call
	defer c.release()
	var out *C.QuorateAuxInfo
	ok := C.quorate_outcome_aux_info(in(&c, o), &out, &c.err)
	return auxInfoOf(c.end(ok), out)
}

// Presignatures gives this party's parts, in the order in which all signers have them.
func (o *Outcome) Presignatures() ([]*Presignature, error) {
	var c call
	defer c.release()
	var length C.size_t
	ok := C.quorate_outcome_presignature_count(in(&c, o), &length, &c.err)
	if err := c.end(ok); err != nil {
		return nil, err
	}
	all := make([]*Presignature, length)
	for i := range all {
		one, err := o.presignature(C.size_t(i))
		if err != nil {
			return nil, err
		}
		all[i] = one
	}
	return all, nil
}

func (o *Outcome) presignature(index C.size_t) (*Presignature, error) {
	var c call
	defer c.release()
	var out *C.QuoratePresignature
	ok := C.quorate_outcome_presignature(in(&c, o), index, &out, &c.err)
	return presignatureOf(c.end(ok), out)
}

// Signature gives the signature of SignDigest, ExchangeShares or MlDsaSign, which is verified. It fails with ErrUnattributed for an
// attempt of ML-DSA that gave none.
func (o *Outcome) Signature() (*Signature, error) {
	var c call
	defer c.release()
	var out C.QuorateSignature
	ok := C.quorate_outcome_signature(in(&c, o), &out, &c.err)
	return signatureOf(c.end(ok), &out)
}

// StoredByAll gives the proof with which the new share is settled and old ones may be deleted.
func (o *Outcome) StoredByAll() (*StoredByAll, error) {
	var c call
	defer c.release()
	var out *C.QuorateStoredByAll
	ok := C.quorate_outcome_stored_by_all(in(&c, o), &out, &c.err)
	if err := c.end(ok); err != nil {
		return nil, err
	}
	return &StoredByAll{own(out, func(p *C.QuorateStoredByAll) { C.quorate_stored_by_all_free(p) })}, nil
}

// MlDsaKeyShare gives the share of an ML-DSA key.
func (o *Outcome) MlDsaKeyShare() (*MlDsaKeyShare, error) {
	var c call
	defer c.release()
	var out *C.QuorateMlDsaKeyShare
	ok := C.quorate_outcome_ml_dsa_key_share(in(&c, o), &out, &c.err)
	return mlDsaKeyShareOf(c.end(ok), out)
}

// MlDsaAccepted gives the number of slots that the rejection sampling of party let through in an attempt of ML-DSA. A signer that
// accepts far fewer than the others over many attempts is at fault, or refuses to sign.
func (o *Outcome) MlDsaAccepted(party uint16) (uint16, error) {
	var c call
	defer c.release()
	var out C.uint16_t
	ok := C.quorate_outcome_ml_dsa_accepted(in(&c, o), C.uint16_t(party), &out, &c.err)
	return uint16(out), c.end(ok)
}
