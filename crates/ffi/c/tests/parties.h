// What the programs have in common: parties in one process, and calls that have to succeed.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quorate.h"

// Stops the program with the error, if a call failed.
static void must(bool ok, QuorateError *error) {
    if (!ok) {
        fprintf(stderr, "error %u: %s\n", (unsigned)error->kind, error->check);
        quorate_error_free(error);
        exit(1);
    }
}

// Stops the program, unless a call failed for this reason.
static void must_fail(bool ok, QuorateError *error, QuorateErrorKind kind) {
    if (ok || error->kind != kind) {
        fprintf(stderr, "expected an error of kind %u\n", (unsigned)kind);
        exit(1);
    }
    quorate_error_free(error);
}

// Stops the program, unless this holds.
static void holds(bool ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "it does not hold: %s\n", what);
        exit(1);
    }
}

// Runs sessions of these parties to their end, frees them, and gives the outcomes.
static void run(QuorateSession **sessions, const uint16_t *parties, size_t n, QuorateOutcome **outcomes) {
    QuorateError error = {0};
    QuorateProgress progress = QUORATE_PROGRESS_ROUND;
    while (progress != QUORATE_PROGRESS_DONE) {
        for (size_t from = 0; from < n; from++) {
            QuorateOutgoing *outgoing = NULL;
            size_t count = 0;
            must(quorate_session_outgoing(sessions[from], &outgoing, &error), &error);
            must(quorate_outgoing_count(outgoing, &count, &error), &error);
            for (size_t i = 0; i < count; i++) {
                QuorateMessage one;
                must(quorate_outgoing_get(outgoing, i, &one, &error), &error);
                for (size_t to = 0; to < n; to++) {
                    if (to != from && (one.recipient == 0 || one.recipient == parties[to])) {
                        QuorateFrameFate fate;
                        must(quorate_session_receive(sessions[to], parties[from], one.data, one.len, &fate, &error),
                            &error);
                    }
                }
            }
            quorate_outgoing_free(outgoing);
        }
        for (size_t i = 0; i < n; i++) {
            do {
                must(quorate_session_advance(sessions[i], &progress, &error), &error);
            } while (progress == QUORATE_PROGRESS_WORKING);
        }
    }
    for (size_t i = 0; i < n; i++) {
        must(quorate_session_outcome(sessions[i], &outcomes[i], &error), &error);
        quorate_session_free(sessions[i]);
    }
}

// Begins a session, and frees its task.
static QuorateSession *start(uint8_t number, uint16_t me, const uint16_t *parties, size_t n, QuorateTask *task) {
    QuorateError error = {0};
    QuorateSession *session = NULL;
    uint8_t session_id[32];
    memset(session_id, number, sizeof session_id);
    must(quorate_session_start(session_id, sizeof session_id, me, parties, n, task, &session, &error), &error);
    quorate_task_free(task);
    return session;
}
