package quorate

import (
	"errors"
	"fmt"
	"testing"
)

func TestGoSignsWithTwoRustPartiesByMlDsa(t *testing.T) {
	p := startPeers(t)
	task, err := MlDsaKeygen(MlDsa44, 3)
	check(t, err)
	outcome := p.run("mldsa-keygen", "44 3", task)
	if kind, err := outcome.Kind(); err != nil || kind != OutcomeMlDsaKeyMade {
		t.Fatal(kind, err)
	}
	share, public := storedMlDsa(t, outcome)
	spent := newTable()
	// One of 60 attempts gives a signature, but for a chance of 1 in 2^60.
	for number := uint64(0); number < 60; number++ {
		signature, err := attempted(t, p, share, number, spent)
		if errors.Is(err, ErrUnattributed) {
			continue
		}
		check(t, err)
		check(t, public.Verify([]byte("message"), []byte("test"), signature.Bytes))
		refused(t, public.Verify([]byte("message"), []byte("other"), signature.Bytes), ErrInvalidSignature)
		refused(t, public.Verify([]byte("message"), []byte("test"), nil), ErrEncoding)
		key, err := public.VerifyingKey()
		check(t, err)
		check(t, VerifyMlDsa(MlDsa44, key, []byte("message"), []byte("test"), signature.Bytes))
		refused(t, VerifyMlDsa(MlDsa44, key, []byte("another"), []byte("test"), signature.Bytes), ErrInvalidSignature)
		refused(t, VerifyMlDsa(MlDsa65, key, []byte("message"), []byte("test"), signature.Bytes), ErrEncoding)
		return
	}
	t.Fatal("no attempt gave a signature")
}

// storedMlDsa gives a share by way of its seal, and the public side by way of its stored form.
func storedMlDsa(t *testing.T, outcome *Outcome) (*MlDsaKeyShare, *MlDsaPublicKeyPackage) {
	t.Helper()
	share, err := outcome.MlDsaKeyShare()
	check(t, err)
	sealed, err := share.Seal(sealKey(t))
	check(t, err)
	check(t, share.Close())
	share, err = OpenMlDsaKeyShare(sealed, sealKey(t))
	check(t, err)
	_, err = OpenKeyShare(sealed, sealKey(t))
	refused(t, err, ErrSeal)
	if id, err := share.ID(); err != nil || id != 1 {
		t.Fatal(id, err)
	}
	if confirmed, err := share.IsConfirmed(); err != nil || !confirmed {
		t.Fatal(confirmed, err)
	}
	public, err := share.Public()
	check(t, err)
	bytes, err := public.Bytes()
	check(t, err)
	public, err = ReadMlDsaPublicKeyPackage(bytes)
	check(t, err)
	threshold, err := public.Threshold()
	check(t, err)
	level, err := public.Level()
	check(t, err)
	parties, err := public.Parties()
	check(t, err)
	if threshold != 3 || level != MlDsa44 || len(parties) != 3 {
		t.Fatal(threshold, level, parties)
	}
	return share, public
}

// attempted makes one attempt. The session is opened again after each round, by the same claim.
func attempted(t *testing.T, p *peers, share *MlDsaKeyShare, number uint64, spent *table) (*Signature, error) {
	t.Helper()
	claim := func(sessionID [32]byte, message string) *AttemptClaim {
		claim, err := share.ClaimAttempt(number, sessionID, []uint16{1, 2, 3}, []byte(message), []byte("test"))
		check(t, err)
		return claim
	}
	outcome := p.runOf("mldsa-attempt", fmt.Sprintf("%d %x %x", number, "message", "test"), func(sessionID [32]byte) *Task {
		one := claim(sessionID, "message")
		_, err := one.Release(TableEntry{})
		refused(t, err, ErrArguments)
		attempt, err := one.Store(spent)
		check(t, err)
		_, err = one.Release(NewEntry())
		refused(t, err, ErrConsumed)
		// The number is spent for every other message and session.
		_, err = claim(sessionID, "another").Store(spent)
		refused(t, err, ErrSpent)
		_, err = claim([32]byte{255}, "message").Store(spent)
		refused(t, err, ErrSpent)
		if same, err := attempt.Number(); err != nil || same != number {
			t.Fatal(same, err)
		}
		task, err := MlDsaSign(attempt)
		check(t, err)
		_, err = StartSteps(sessionID, 1, []uint16{1, 2, 3}, task, sealKey(t))
		refused(t, err, ErrArguments)
		return task
	})
	if kind, err := outcome.Kind(); err != nil || kind != OutcomeMlDsaAttempted {
		t.Fatal(kind, err)
	}
	for _, party := range []uint16{1, 2, 3} {
		_, err := outcome.MlDsaAccepted(party)
		check(t, err)
	}
	_, err := outcome.MlDsaAccepted(4)
	refused(t, err, ErrArguments)
	return outcome.Signature()
}
