// Three parties in one process make a FROST key for Ed25519. Party 1 seals its share and opens it again, parties 1 and 3 sign,
// and the signature is verified. Real parties are processes of their own: messages travel over a transport that
// authenticates and encrypts, and each party stores its sealed session before it sends.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quorate.h"

enum { PARTIES = 3, THRESHOLD = 2 };

// Stops the program with the error, if a call failed.
static void must(bool ok, QuorateError *error) {
    if (!ok) {
        fprintf(stderr, "error %u: %s\n", (unsigned)error->kind, error->check);
        quorate_error_free(error);
        exit(1);
    }
}

// Shows the error of a call that has to fail.
static void must_fail(bool ok, QuorateError *error, QuorateErrorKind kind) {
    if (ok || error->kind != kind) {
        fprintf(stderr, "expected an error of kind %u\n", (unsigned)kind);
        exit(1);
    }
    printf("refused, kind %u: %s\n", (unsigned)error->kind, error->check);
    quorate_error_free(error);
}

// Delivers every message of one party to its recipients.
static void deliver(QuorateSession *sessions[PARTIES], size_t from) {
    QuorateError error = {0};
    QuorateOutgoing *outgoing = NULL;
    size_t count = 0;
    must(quorate_session_outgoing(sessions[from], &outgoing, &error), &error);
    must(quorate_outgoing_count(outgoing, &count, &error), &error);
    for (size_t i = 0; i < count; i++) {
        QuorateMessage message;
        must(quorate_outgoing_get(outgoing, i, &message, &error), &error);
        for (size_t to = 0; to < PARTIES; to++) {
            if (to != from && (message.recipient == 0 || message.recipient == to + 1)) {
                QuorateFrameFate fate;
                must(quorate_session_receive(sessions[to], (uint16_t)(from + 1), message.data, message.len, &fate,
                    &error), &error);
            }
        }
    }
    quorate_outgoing_free(outgoing);
}

// Makes a key, and gives the share of each party.
static void make_key(QuorateKeyShare *shares[PARTIES]) {
    QuorateError error = {0};
    QuorateTask *task = NULL;
    QuorateSession *sessions[PARTIES] = {NULL};
    const uint16_t parties[PARTIES] = {1, 2, 3};
    // In earnest: 32 bytes that all parties agree on, and that no other run ever has.
    const uint8_t session_id[32] = "example: the first and only run";

    must(quorate_task_keygen(QUORATE_SCHEME_FROST_ED25519, THRESHOLD, &task, &error), &error);
    for (size_t i = 0; i < PARTIES; i++) {
        must(quorate_session_start(session_id, sizeof session_id, parties[i], parties, PARTIES, task, &sessions[i],
            &error), &error);
    }
    quorate_task_free(task);

    QuorateProgress progress = QUORATE_PROGRESS_ROUND;
    while (progress != QUORATE_PROGRESS_DONE) {
        for (size_t i = 0; i < PARTIES; i++) {
            deliver(sessions, i);
        }
        for (size_t i = 0; i < PARTIES; i++) {
            do {
                must(quorate_session_advance(sessions[i], &progress, &error), &error);
            } while (progress == QUORATE_PROGRESS_WORKING);
        }
    }

    for (size_t i = 0; i < PARTIES; i++) {
        QuorateOutcome *outcome = NULL;
        must(quorate_session_outcome(sessions[i], &outcome, &error), &error);
        must(quorate_outcome_key_share(outcome, &shares[i], &error), &error);
        quorate_outcome_free(outcome);
        must_fail(quorate_session_outcome(sessions[i], &outcome, &error), &error, QUORATE_ERROR_KIND_CONSUMED);
        quorate_session_free(sessions[i]);
    }
}

// Seals a share and opens it again.
static QuorateKeyShare *store(QuorateKeyShare *share) {
    QuorateError error = {0};
    QuorateSealKey *key = NULL, *other = NULL;
    QuorateBytes sealed = {0};
    QuorateKeyShare *again = NULL;
    // In earnest: from a key store, and overwritten once the handle is made.
    uint8_t secret[32];
    memset(secret, 7, sizeof secret);
    must(quorate_seal_key_new(secret, sizeof secret, &key, &error), &error);
    memset(secret, 8, sizeof secret);
    must(quorate_seal_key_new(secret, sizeof secret, &other, &error), &error);

    must(quorate_key_share_seal(share, key, &sealed, &error), &error);
    quorate_key_share_free(share);
    must_fail(quorate_key_share_open(sealed.data, sealed.len, other, &again, &error), &error, QUORATE_ERROR_KIND_SEAL);
    must(quorate_key_share_open(sealed.data, sealed.len, key, &again, &error), &error);
    printf("sealed and opened: %zu bytes\n", sealed.len);

    quorate_bytes_free(&sealed);
    quorate_seal_key_free(key);
    quorate_seal_key_free(other);
    return again;
}

// Signs with parties 1 and 3. Party 1 is the coordinator as well.
static QuorateSignature sign(QuorateKeyShare *shares[PARTIES], QuoratePublicKeyPackage *public_key,
    const char *message) {
    QuorateError error = {0};
    const size_t signers[THRESHOLD] = {0, 2};
    QuorateNonces *nonces[THRESHOLD] = {NULL};
    QuorateBytes commitments[THRESHOLD] = {{0}}, wire = {0};
    QuorateReceived received[THRESHOLD];
    QuorateSigningSession *session = NULL;
    QuorateSigningPackage *package = NULL;
    QuorateSignature signature = {0};

    for (size_t i = 0; i < THRESHOLD; i++) {
        must(quorate_key_share_commit(shares[signers[i]], &nonces[i], &error), &error);
        must(quorate_nonces_commitments(nonces[i], &commitments[i], &error), &error);
        received[i] = (QuorateReceived){(uint16_t)(signers[i] + 1), commitments[i].data, commitments[i].len};
    }
    must(quorate_signing_session_start(public_key, received, THRESHOLD, (const uint8_t *)message, strlen(message),
        &session, &error), &error);
    must(quorate_signing_session_package(session, &package, &error), &error);
    must(quorate_signing_package_to_bytes(package, &wire, &error), &error);
    quorate_signing_package_free(package);

    for (size_t i = 0; i < THRESHOLD; i++) {
        QuorateBytes shown = {0}, share = {0};
        must(quorate_signing_package_from_bytes(QUORATE_SCHEME_FROST_ED25519, wire.data, wire.len, &package, &error),
            &error);
        // Each signer looks at the message before it signs.
        must(quorate_signing_package_message(package, &shown, &error), &error);
        if (shown.len != strlen(message) || memcmp(shown.data, message, shown.len) != 0) {
            exit(1);
        }
        must(quorate_key_share_sign(shares[signers[i]], package, nonces[i], &share, &error), &error);
        must(quorate_signing_session_receive(session, (uint16_t)(signers[i] + 1), share.data, share.len, &error),
            &error);
        // Nonces sign once.
        quorate_bytes_free(&share);
        must_fail(quorate_key_share_sign(shares[signers[i]], package, nonces[i], &share, &error), &error,
            QUORATE_ERROR_KIND_CONSUMED);
        quorate_bytes_free(&shown);
        quorate_nonces_free(nonces[i]);
        quorate_bytes_free(&commitments[i]);
        quorate_signing_package_free(package);
    }
    quorate_bytes_free(&wire);
    must(quorate_signing_session_aggregate(session, &signature, &error), &error);
    quorate_signing_session_free(session);
    return signature;
}

// Wrong use is an error, and never undefined behaviour.
static void misuse(void) {
    QuorateError error = {0};
    QuorateTask *task = NULL;
    QuorateSealKey *key = NULL;
    QuorateSession *session = NULL;
    uint16_t id = 0;
    const uint8_t short_secret[31] = {0};
    must_fail(quorate_task_keygen(99, THRESHOLD, &task, &error), &error, QUORATE_ERROR_KIND_ARGUMENTS);
    must_fail(quorate_seal_key_new(short_secret, sizeof short_secret, &key, &error), &error,
        QUORATE_ERROR_KIND_ARGUMENTS);
    must_fail(quorate_seal_key_new(NULL, 32, &key, &error), &error, QUORATE_ERROR_KIND_ARGUMENTS);
    must_fail(quorate_session_start(NULL, 0, 1, NULL, 0, NULL, &session, &error), &error, QUORATE_ERROR_KIND_ARGUMENTS);
    must_fail(quorate_key_share_id(NULL, &id, &error), &error, QUORATE_ERROR_KIND_ARGUMENTS);
    // Neither the error nor the result has to be asked for.
    if (quorate_key_share_id(NULL, NULL, NULL)) {
        exit(1);
    }
    // NULL may be freed, and a struct twice.
    quorate_session_free(NULL);
    quorate_bytes_free(NULL);
    quorate_error_free(&error);
    quorate_error_free(&error);
}

int main(void) {
    QuorateError error = {0};
    QuorateKeyShare *shares[PARTIES] = {NULL};
    QuoratePublicKeyPackage *public_key = NULL;
    QuorateBytes key = {0};
    const char *message = "pay 10 to Alice", *other = "pay 1000 to Mallory";

    misuse();
    make_key(shares);
    shares[0] = store(shares[0]);
    must(quorate_key_share_public(shares[0], &public_key, &error), &error);
    must(quorate_public_key_package_verifying_key(public_key, &key, &error), &error);
    printf("key: ");
    for (size_t i = 0; i < key.len; i++) {
        printf("%02x", key.data[i]);
    }
    printf("\n");

    QuorateSignature signature = sign(shares, public_key, message);
    must(quorate_public_key_package_verify(public_key, (const uint8_t *)message, strlen(message),
        signature.bytes.data, signature.bytes.len, &error), &error);
    // A verifier has nothing but the key.
    must(quorate_verify(QUORATE_SCHEME_FROST_ED25519, key.data, key.len, (const uint8_t *)message, strlen(message),
        signature.bytes.data, signature.bytes.len, &error), &error);
    must_fail(quorate_public_key_package_verify(public_key, (const uint8_t *)other, strlen(other),
        signature.bytes.data, signature.bytes.len, &error), &error, QUORATE_ERROR_KIND_INVALID_SIGNATURE);
    printf("signed and verified: %zu bytes\n", signature.bytes.len);

    quorate_signature_free(&signature);
    quorate_bytes_free(&key);
    quorate_public_key_package_free(public_key);
    for (size_t i = 0; i < PARTIES; i++) {
        quorate_key_share_free(shares[i]);
    }
    return 0;
}
