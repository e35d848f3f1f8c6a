// The life of keys: a share is refreshed, acknowledged, settled and repaired; a run is aborted; and ML-DSA signs.

#include "parties.h"

static const uint16_t ALL[3] = {1, 2, 3};

static QuorateSealKey *seal_key(void) {
    QuorateError error = {0};
    QuorateSealKey *key = NULL;
    uint8_t secret[32] = {7};
    must(quorate_seal_key_new(secret, sizeof secret, &key, &error), &error);
    return key;
}

static void take_shares(QuorateOutcome **outcomes, size_t n, QuorateKeyShare **shares) {
    QuorateError error = {0};
    for (size_t i = 0; i < n; i++) {
        must(quorate_outcome_key_share(outcomes[i], &shares[i], &error), &error);
        quorate_outcome_free(outcomes[i]);
    }
}

static void keygen(QuorateKeyShare **shares) {
    QuorateError error = {0};
    QuorateSession *sessions[3];
    QuorateOutcome *outcomes[3];
    for (size_t i = 0; i < 3; i++) {
        QuorateTask *task = NULL;
        must(quorate_task_keygen(QUORATE_SCHEME_FROST_ED25519, 2, &task, &error), &error);
        sessions[i] = start(1, ALL[i], ALL, 3, task);
    }
    run(sessions, ALL, 3, outcomes);
    take_shares(outcomes, 3, shares);
}

// New shares for the same committee, dealt by parties 1 and 2, stored and settled.
static void refresh(QuorateKeyShare **shares, QuorateSealKey *key) {
    QuorateError error = {0};
    QuoratePublicKeyPackage *public_key = NULL;
    QuorateSession *sessions[3];
    QuorateOutcome *outcomes[3];
    QuorateKeyShare *pending[3];
    must(quorate_key_share_public(shares[0], &public_key, &error), &error);
    for (size_t i = 0; i < 3; i++) {
        QuorateTask *task = NULL;
        must(quorate_task_reshare(public_key, i < 2 ? shares[i] : NULL, ALL, 2, ALL, 3, 2, &task, &error), &error);
        sessions[i] = start(2, ALL[i], ALL, 3, task);
    }
    quorate_public_key_package_free(public_key);
    run(sessions, ALL, 3, outcomes);
    must(quorate_outcome_public(outcomes[0], &public_key, &error), &error);
    uint32_t epoch = 0;
    must(quorate_public_key_package_epoch(public_key, &epoch, &error), &error);
    holds(epoch == 1, "the key is in epoch 1");
    quorate_public_key_package_free(public_key);
    take_shares(outcomes, 3, pending);

    for (size_t i = 0; i < 3; i++) {
        QuorateTask *task = NULL;
        QuorateBytes sealed = {0};
        must(quorate_key_share_seal(pending[i], key, &sealed, &error), &error);
        must(quorate_task_acknowledge(sealed.data, sealed.len, key, &task, &error), &error);
        quorate_bytes_free(&sealed);
        sessions[i] = start(3, ALL[i], ALL, 3, task);
    }
    run(sessions, ALL, 3, outcomes);
    for (size_t i = 0; i < 3; i++) {
        QuorateStoredByAll *by = NULL;
        QuorateKeyShare *settled = NULL;
        QuorateShareState state;
        bool permits = false;
        must(quorate_outcome_stored_by_all(outcomes[i], &by, &error), &error);
        must(quorate_key_share_settled(pending[i], by, &settled, &error), &error);
        must(quorate_key_share_state(settled, &state, &error), &error);
        must(quorate_stored_by_all_permits_deleting(by, shares[i], &permits, &error), &error);
        holds(state == QUORATE_SHARE_STATE_READY && permits, "the new share is ready, and the old one may go");
        quorate_stored_by_all_free(by);
        quorate_outcome_free(outcomes[i]);
        quorate_key_share_free(pending[i]);
        quorate_key_share_free(shares[i]);
        shares[i] = settled;
    }
}

// Party 3 has lost its share, and has it again from parties 1 and 2.
static void repair(QuorateKeyShare **shares) {
    QuorateError error = {0};
    QuoratePublicKeyPackage *public_key = NULL;
    QuorateSession *sessions[3];
    QuorateOutcome *outcomes[3];
    QuorateKeyShare *again[3];
    must(quorate_key_share_public(shares[0], &public_key, &error), &error);
    quorate_key_share_free(shares[2]);
    for (size_t i = 0; i < 3; i++) {
        QuorateTask *task = NULL;
        must(quorate_task_repair(public_key, i < 2 ? shares[i] : NULL, ALL, 2, 3, &task, &error), &error);
        sessions[i] = start(4, ALL[i], ALL, 3, task);
    }
    run(sessions, ALL, 3, outcomes);
    take_shares(outcomes, 3, again);
    holds(again[0] == NULL && again[1] == NULL && again[2] != NULL, "the target alone has a share");
    shares[2] = again[2];
    quorate_public_key_package_free(public_key);
}

// A party that contradicts itself is named, and its frames are the evidence.
static void abort_a_run(void) {
    QuorateError error = {0};
    QuorateSession *session = NULL, *other = NULL;
    QuorateOutgoing *first = NULL, *second = NULL;
    QuorateMessage message;
    QuorateFrameFate fate;
    QuorateProgress progress;
    QuorateBlames *blames = NULL;
    size_t count = 0;
    QuorateTask *task = NULL;
    for (int i = 0; i < 3; i++) {
        must(quorate_task_keygen(QUORATE_SCHEME_FROST_ED25519, 2, &task, &error), &error);
        QuorateSession *one = start(5, i == 0 ? 1 : 2, ALL, 3, task);
        if (i == 0) {
            session = one;
            continue;
        }
        // Two runs of party 2 under one session id contradict each other.
        other = one;
        must(quorate_session_outgoing(other, i == 1 ? &first : &second, &error), &error);
        must(quorate_outgoing_get(i == 1 ? first : second, 0, &message, &error), &error);
        must(quorate_session_receive(session, 2, message.data, message.len, &fate, &error), &error);
        quorate_session_free(other);
    }
    holds(fate == QUORATE_FRAME_FATE_CONFLICTING, "the second frame contradicts the first");
    bool ok = quorate_session_advance(session, &progress, &error);
    holds(!ok && error.culprits_len == 1 && error.culprits[0] == 2, "party 2 is the culprit");
    must_fail(ok, &error, QUORATE_ERROR_KIND_MISBEHAVIOUR);
    must(quorate_session_blames(session, &blames, &error), &error);
    must(quorate_blames_count(blames, &count, &error), &error);
    QuorateBlame blame;
    QuorateReceived frame;
    must(quorate_blames_get(blames, 0, &blame, &error), &error);
    must(quorate_blames_frame(blames, 0, 0, &frame, &error), &error);
    holds(count == 1 && blame.party == 2 && blame.frames == 2 && frame.sender == 2, "both frames are evidence");
    holds(strlen(blame.fault) > 0, "the fault is told");
    must_fail(quorate_blames_frame(blames, 0, 2, &frame, &error), &error, QUORATE_ERROR_KIND_ARGUMENTS);
    QuorateError reason = {0};
    QuorateSealedSession tombstone;
    must(quorate_session_reason(session, &reason, &error), &error);
    holds(reason.kind == QUORATE_ERROR_KIND_MISBEHAVIOUR, "the reason is the same");
    must(quorate_session_tombstone(session, &tombstone, &error), &error);
    quorate_bytes_free(&tombstone.bytes);
    quorate_error_free(&reason);
    quorate_blames_free(blames);
    quorate_outgoing_free(first);
    quorate_outgoing_free(second);
    quorate_session_free(session);
}

// A state is a sealed session: opened, it sends the messages of the round again.
static void open_a_state(QuorateStepped *stepped, QuorateSealKey *key, QuorateTask *task) {
    QuorateError error = {0};
    QuorateSealedSession state = {0}, sealed = {0};
    QuorateSession *session = NULL;
    QuorateOutgoing *sent = NULL, *again = NULL;
    size_t count = 0, repeated = 0;
    must(quorate_stepped_state(stepped, &state, &error), &error);
    must(quorate_session_open(state.bytes.data, state.bytes.len, key, task, &session, &error), &error);
    must(quorate_session_seal(session, key, &sealed, &error), &error);
    holds(sealed.length == state.length && memcmp(sealed.run, state.run, sizeof state.run) == 0,
        "the row is the same");
    must(quorate_stepped_outgoing(stepped, &sent, &error), &error);
    must(quorate_session_outgoing(session, &again, &error), &error);
    must(quorate_outgoing_count(sent, &count, &error), &error);
    must(quorate_outgoing_count(again, &repeated, &error), &error);
    holds(count > 0 && count == repeated, "as many messages are sent again");
    for (size_t i = 0; i < count; i++) {
        QuorateMessage one, other;
        must(quorate_outgoing_get(sent, i, &one, &error), &error);
        must(quorate_outgoing_get(again, i, &other, &error), &error);
        holds(one.recipient == other.recipient && one.len == other.len && memcmp(one.data, other.data, one.len) == 0,
            "the messages are the same");
    }
    quorate_outgoing_free(sent);
    quorate_outgoing_free(again);
    quorate_session_free(session);
    quorate_bytes_free(&state.bytes);
    quorate_bytes_free(&sealed.bytes);
}

// Keygen by steps: three parties keep nothing but their states.
static void steps(QuorateSealKey *key) {
    QuorateError error = {0};
    QuorateTask *task = NULL;
    QuorateStepped *at[3] = {NULL};
    uint8_t session_id[32] = {6};
    QuorateProgress progress = QUORATE_PROGRESS_WAITING;
    must(quorate_task_keygen(QUORATE_SCHEME_FROST_TAPROOT, 3, &task, &error), &error);
    for (size_t i = 0; i < 3; i++) {
        must(quorate_start_steps(session_id, sizeof session_id, ALL[i], ALL, 3, task, key, &at[i], &error), &error);
    }
    open_a_state(at[0], key, task);
    while (progress == QUORATE_PROGRESS_WAITING) {
        QuorateOutgoing *outgoing[3] = {NULL};
        for (size_t i = 0; i < 3; i++) {
            must(quorate_stepped_outgoing(at[i], &outgoing[i], &error), &error);
        }
        for (size_t to = 0; to < 3; to++) {
            QuorateReceived frames[16];
            size_t n = 0;
            for (size_t from = 0; from < 3; from++) {
                size_t count = 0;
                must(quorate_outgoing_count(outgoing[from], &count, &error), &error);
                for (size_t i = 0; i < count; i++) {
                    QuorateMessage one;
                    must(quorate_outgoing_get(outgoing[from], i, &one, &error), &error);
                    if (to != from && (one.recipient == 0 || one.recipient == ALL[to])) {
                        frames[n++] = (QuorateReceived){ALL[from], one.data, one.len};
                    }
                }
            }
            QuorateSealedSession state = {0}, next = {0};
            must(quorate_stepped_state(at[to], &state, &error), &error);
            quorate_stepped_free(at[to]);
            at[to] = NULL;
            must(quorate_step(state.bytes.data, state.bytes.len, key, task, frames, n, &at[to], &error), &error);
            must(quorate_stepped_progress(at[to], &progress, &error), &error);
            must(quorate_stepped_state(at[to], &next, &error), &error);
            holds(next.length > state.length && memcmp(next.run, state.run, sizeof state.run) == 0,
                "the next state replaces the row");
            quorate_bytes_free(&state.bytes);
            quorate_bytes_free(&next.bytes);
        }
        for (size_t i = 0; i < 3; i++) {
            quorate_outgoing_free(outgoing[i]);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        QuorateOutcome *outcome = NULL;
        QuorateKeyShare *share = NULL;
        QuorateError reason = {0};
        QuorateParties waiting = {0};
        must(quorate_stepped_outcome(at[i], &outcome, &error), &error);
        must(quorate_outcome_key_share(outcome, &share, &error), &error);
        must(quorate_stepped_reason(at[i], &reason, &error), &error);
        must(quorate_stepped_waiting_for(at[i], &waiting, &error), &error);
        holds(reason.kind == QUORATE_ERROR_KIND_NONE && waiting.len == 0, "the run is done");
        quorate_parties_free(&waiting);
        quorate_key_share_free(share);
        quorate_outcome_free(outcome);
        quorate_stepped_free(at[i]);
    }
    quorate_task_free(task);
}

// What is no answer of a table releases nothing, and leaves the claim as it was.
static void refused_answers(QuorateAttemptClaim *claim) {
    const uint8_t digest[33] = {0};
    const struct {
        uint32_t entry;
        const uint8_t *digest;
        size_t len;
    } answers[] = {
        {0, NULL, 0},
        {3, NULL, 0},
        {QUORATE_TABLE_ENTRY_NEW, digest, 32},
        {QUORATE_TABLE_ENTRY_NEW, digest, 0},
        {QUORATE_TABLE_ENTRY_NEW, NULL, 32},
        {QUORATE_TABLE_ENTRY_BEFORE, NULL, 0},
        {QUORATE_TABLE_ENTRY_BEFORE, NULL, 32},
        {QUORATE_TABLE_ENTRY_BEFORE, digest, 31},
        {QUORATE_TABLE_ENTRY_BEFORE, digest, 33},
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        QuorateError error = {0};
        QuorateMlDsaAttempt *attempt = NULL;
        must_fail(quorate_attempt_claim_release(claim, answers[i].entry, answers[i].digest, answers[i].len, &attempt,
            &error), &error, QUORATE_ERROR_KIND_ARGUMENTS);
        holds(attempt == NULL, "nothing is released");
    }
}

static void ml_dsa(void) {
    QuorateError error = {0};
    QuorateSession *sessions[3];
    QuorateOutcome *outcomes[3];
    QuorateMlDsaKeyShare *shares[3] = {NULL};
    QuorateMlDsaPublicKeyPackage *public_key = NULL;
    const uint16_t signers[2] = {1, 3};
    const uint8_t message[] = "message", context[] = "test";
    for (size_t i = 0; i < 3; i++) {
        QuorateTask *task = NULL;
        must(quorate_task_ml_dsa_keygen(QUORATE_ML_DSA_LEVEL_ML_DSA44, 2, &task, &error), &error);
        sessions[i] = start(7, ALL[i], ALL, 3, task);
    }
    run(sessions, ALL, 3, outcomes);
    for (size_t i = 0; i < 3; i++) {
        must(quorate_outcome_ml_dsa_key_share(outcomes[i], &shares[i], &error), &error);
        quorate_outcome_free(outcomes[i]);
    }
    must(quorate_ml_dsa_key_share_public(shares[0], &public_key, &error), &error);

    bool signed_it = false;
    for (uint8_t number = 0; number < 60 && !signed_it; number++) {
        for (size_t i = 0; i < 2; i++) {
            QuorateAttemptClaim *claim = NULL;
            QuorateMlDsaAttempt *attempt = NULL;
            QuorateTask *task = NULL;
            uint8_t session_id[32];
            memset(session_id, 100 + number, sizeof session_id);
            must(quorate_ml_dsa_key_share_claim_attempt(shares[2 * i], number, session_id, sizeof session_id,
                signers, 2, message,
                     sizeof message, context, sizeof context, &claim, &error), &error);
            refused_answers(claim);
            // The table would store the digest under the name here, and find that it is new.
            must(quorate_attempt_claim_release(claim, QUORATE_TABLE_ENTRY_NEW, NULL, 0, &attempt, &error), &error);
            must_fail(quorate_attempt_claim_release(claim, QUORATE_TABLE_ENTRY_NEW, NULL, 0, &attempt, &error), &error,
                QUORATE_ERROR_KIND_CONSUMED);
            must(quorate_task_ml_dsa_sign(attempt, &task, &error), &error);
            quorate_attempt_claim_free(claim);
            quorate_ml_dsa_attempt_free(attempt);
            sessions[i] = start((uint8_t)(100 + number), signers[i], signers, 2, task);
        }
        run(sessions, signers, 2, outcomes);
        QuorateSignature signature = {0};
        signed_it = quorate_outcome_signature(outcomes[0], &signature, &error);
        if (signed_it) {
            uint16_t slots = 0;
            must(quorate_outcome_ml_dsa_accepted(outcomes[0], 3, &slots, &error), &error);
            holds(slots > 0, "party 3 has accepted a slot");
            must(quorate_ml_dsa_public_key_package_verify(public_key, message, sizeof message, context, sizeof context,
                     signature.bytes.data, signature.bytes.len, &error), &error);
            QuorateBytes key = {0};
            must(quorate_ml_dsa_public_key_package_verifying_key(public_key, &key, &error), &error);
            must(quorate_verify_ml_dsa(QUORATE_ML_DSA_LEVEL_ML_DSA44, key.data, key.len, message, sizeof message,
                context, sizeof context,
                     signature.bytes.data, signature.bytes.len, &error), &error);
            quorate_bytes_free(&key);
            quorate_signature_free(&signature);
        } else {
            must_fail(signed_it, &error, QUORATE_ERROR_KIND_UNATTRIBUTED);
        }
        quorate_outcome_free(outcomes[0]);
        quorate_outcome_free(outcomes[1]);
    }
    holds(signed_it, "one of 60 attempts signs");
    quorate_ml_dsa_public_key_package_free(public_key);
    for (size_t i = 0; i < 3; i++) {
        quorate_ml_dsa_key_share_free(shares[i]);
    }
}

int main(void) {
    QuorateKeyShare *shares[3] = {NULL};
    QuorateSealKey *key = seal_key();
    keygen(shares);
    refresh(shares, key);
    repair(shares);
    abort_a_run();
    steps(key);
    ml_dsa();
    for (size_t i = 0; i < 3; i++) {
        quorate_key_share_free(shares[i]);
    }
    quorate_seal_key_free(key);
    printf("refreshed, repaired, aborted, stepped, and signed with ML-DSA\n");
    return 0;
}
