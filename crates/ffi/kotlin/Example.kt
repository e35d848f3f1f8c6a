// Three parties in one process, each with one runner, make keys of three schemes through restarts. Three sessions make an Ed25519 key,
// and two parties sign with it; a pair of nonces signs once.

import java.nio.ByteBuffer
import java.security.KeyFactory
import java.security.Signature as Verifier
import java.security.spec.X509EncodedKeySpec
import java.util.Arrays
import java.util.TreeMap
import uniffi.quorate.*

fun run(sessions: List<Session>) {
    while (true) {
        for (from in sessions) for (message in from.outgoing()) for (to in sessions) {
            val recipient = message.recipient
            if (to.partyId() != from.partyId() && (recipient == null || recipient == to.partyId())) {
                to.receive(from.partyId(), message.bytes)
            }
        }
        if (sessions.map { it.advance() }.all { it == Progress.DONE }) return
    }
}

/** Rows in memory. A service has them in its database. */
class MemoryRows : Rows {
    private val rows = TreeMap<ByteArray, ByteArray> { one, other -> Arrays.compareUnsigned(one, other) }
    private var written = 0uL

    @Synchronized
    override fun generation(): ULong = written

    @Synchronized
    override fun scan(from: ByteArray, until: ByteArray, most: UInt): List<Row> =
        rows.subMap(from, until).entries.take(most.toInt()).map { Row(it.key, it.value) }

    @Synchronized
    override fun write(generation: ULong, changes: List<Change>): Boolean {
        if (generation != written) return false
        written++
        for (change in changes) {
            val value = change.value
            if (value == null) rows.remove(change.key) else rows[change.key] = value
        }
        return true
    }
}

/** The body of a job is the scheme of a key. */
class OurTasks : Tasks {
    override fun task(job: Job): Task? = Task.Keygen(Scheme.valueOf(String(job.body)), 2u)
}

/** One runner a party, on one store, for keys of several schemes. All runners are opened anew between any two turns. */
fun runsEverySchemeThroughRestarts(sealKey: SealKey) {
    val parties = listOf<UShort>(1u, 2u, 3u)
    val rows = parties.associateWith { MemoryRows() }
    fun open(known: Continuity) = parties.associateWith { Runner.open(it, sealKey, rows.getValue(it), OurTasks(), known) }
    var runners = open(Continuity.NEW_STORE)
    val schemes = listOf(Scheme.FROST_ED25519, Scheme.FROST_TAPROOT, Scheme.ECDSA_SECP256K1)
    val jobs = schemes.map { scheme ->
        Job(ByteArray(32) { scheme.ordinal.toByte() }, parties, scheme.name.toByteArray(), 60_000uL)
    }
    for (runner in runners.values) for (job in jobs) check(runner.start(job, 0uL) is Started.Begun)
    var mail = parties.associateWith { mutableListOf<Received>() }
    var now = 0uL
    while (runners.values.any { runner -> jobs.any { runner.outcome(it) == null } }) {
        val arrived = mail
        mail = parties.associateWith { mutableListOf<Received>() }
        for ((me, runner) in runners) for (packet in runner.turn(arrived.getValue(me), now).packets) {
            mail.getValue(packet.recipient).add(Received(me, packet.bytes))
        }
        now += 100uL
        check(now < 60_000uL)
        runners.values.forEach { it.close() }
        runners = open(Continuity.OPERATOR)
    }
    for ((job, scheme) in jobs.zip(schemes)) {
        val shares = runners.values.map { (it.outcome(job)!!.outcome as Outcome.KeyMade).share }
        check(shares.all { it.scheme() == scheme && it.public() == shares[0].public() })
    }
}

/** Objects are shared and never copied; a copy of a record shares the object in it. */
fun refusesCopies(share: KeyShare) {
    check(share as Any !is java.io.Serializable && share as Any !is Cloneable)
    check(share.javaClass.methods.none { it.name == "copy" || it.name == "clone" })
    val outcome = Outcome.KeyMade(share)
    check(outcome.copy().share === share)
    check(share.public() == share.public())
    check(share.toString().startsWith("KeyShare(FrostEd25519, party 1, Ready, key "))
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
    runsEverySchemeThroughRestarts(sealKey)
    val share = KeyShare.open(shares[0].seal(sealKey), sealKey)
    refusesCopies(share)

    val message = "pay 5 to Carol".toByteArray()
    val nonces = shares.map { it.commit() }
    val sent = shares.zip(nonces).map { (share, nonces) -> Received(share.id(), nonces.commitments()) }
    val session = SigningSession.start(share.public(), sent, message)
    session.receive(share.id(), share.sign(session.`package`(), nonces[0]))
    session.receive(shares[1].id(), shares[1].sign(session.`package`(), nonces[1]))
    try {
        share.sign(session.`package`(), nonces[0])
        throw AssertionError("nonces signed twice")
    } catch (error: QuorateException.Failed) {
        check(error.kind == ErrorKind.CONSUMED && error.culprits.isEmpty())
    }

    // Java's own verifier. The head is that of RFC 8410.
    val head = byteArrayOf(0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0)
    val key = X509EncodedKeySpec(head + share.public().verifyingKey())
    val verifier = Verifier.getInstance("Ed25519")
    verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(key))
    verifier.update(message)
    check(verifier.verify(session.aggregate().bytes))
    println("Kotlin: the signature verifies")
}
