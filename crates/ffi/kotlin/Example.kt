// Three parties in one process make an Ed25519 key, and two of them sign with it; a pair of nonces signs once.

import java.nio.ByteBuffer
import java.security.KeyFactory
import java.security.Signature as Verifier
import java.security.spec.X509EncodedKeySpec
import uniffi.quorate.*

fun run(sessions: List<Session>) {
    while (true) {
        for (from in sessions) for (message in from.outgoing()) for (to in sessions) {
            val recipient = message.recipient
            if (to.party() != from.party() && (recipient == null || recipient == to.party())) {
                to.receive(from.party(), message.bytes)
            }
        }
        if (sessions.map { it.advance() }.all { it == Progress.DONE }) return
    }
}

fun main() {
    val parties = listOf<UShort>(1u, 2u, 3u)
    val task = Task.Keygen(Scheme.FROST_ED25519, 2u)
    val sessions = parties.map { Session.start(ByteArray(32) { 1 }, it, parties, task) }
    run(sessions)
    val shares = sessions.take(2).map { (it.outcome() as Outcome.KeyMade).share }

    // The bytes of a seal key lie in a direct buffer, which is overwritten.
    val secret = ByteBuffer.allocateDirect(32)
    val sealKey = SealKey(secret)
    secret.clear()
    repeat(32) { secret.put(0) }
    val share = KeyShare.open(shares[0].seal(sealKey), sealKey)

    val message = "pay 5 to Carol".toByteArray()
    val nonces = shares.map { it.commit() }
    val sent = shares.zip(nonces).map { (share, nonces) -> Received(share.party(), nonces.commitments()) }
    val session = SigningSession.start(share.publicKey(), sent, message)
    session.receive(share.party(), share.sign(session.`package`(), nonces[0]))
    session.receive(shares[1].party(), shares[1].sign(session.`package`(), nonces[1]))
    try {
        share.sign(session.`package`(), nonces[0])
        throw AssertionError("nonces signed twice")
    } catch (error: QuorateException.Failed) {
        check(error.kind == ErrorKind.CONSUMED && error.culprits.isEmpty())
    }

    // Java's own verifier. The head is that of RFC 8410.
    val head = byteArrayOf(0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0)
    val key = X509EncodedKeySpec(head + share.publicKey().verifyingKey())
    val verifier = Verifier.getInstance("Ed25519")
    verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(key))
    verifier.update(message)
    check(verifier.verify(session.finish().bytes))
    println("Kotlin: the signature verifies")
}
