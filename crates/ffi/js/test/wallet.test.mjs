// The package in Node.js: every kind of key, by sessions and by steps, and what a caller does wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { webcrypto } from 'node:crypto';
import * as q from '@quorate/quorate';
import * as small from '@quorate/quorate/ed25519';
import * as verifier from '@quorate/quorate/verify';
import { fixtures, openSearch } from './fixtures.mjs';

const folder = new URL('node_modules/@quorate/quorate/', import.meta.url);

const PARTIES = [1, 2, 3];
const text = (words) => new TextEncoder().encode(words);
const random = (length) => webcrypto.getRandomValues(new Uint8Array(length));
const throws = (kind, call) => assert.throws(call, (error) => error instanceof Error && error.name === 'QuorateError' && error.kind === kind);

/** The outcomes of a run of honest parties, by party. */
function run(parties, task, quorate = q) {
    const sid = random(32);
    const sessions = parties.map((me) => quorate.Session.start(sid, me, parties, task(me)));
    for (;;) {
        const frames = sessions.flatMap((from) => from.outgoing().map((one) => ({ from: from.partyId, ...one })));
        for (const { from, recipient, bytes } of frames) {
            for (const to of sessions.filter((one) => one.partyId !== from && (recipient ?? one.partyId) === one.partyId)) {
                to.receive(from, bytes);
            }
        }
        const progress = sessions.map((one) => {
            let at;
            do { at = one.advance(); } while (at === 'Working');
            return at;
        });
        if (progress.every((at) => at === 'Done')) {
            return new Map(sessions.map((one) => [one.partyId, one.outcome()]));
        }
        assert.ok(progress.every((at) => at === 'Round'), progress.join());
    }
}

function key(scheme, quorate = q) {
    const made = run(PARTIES, () => quorate.Task.keygen(scheme, 2), quorate);
    return new Map([...made].map(([me, { kind, share }]) => [me, (assert.equal(kind, 'KeyMade'), share)]));
}

/** What a table of spent names answers. */
function recorded(table, { id, digest }) {
    const name = Buffer.from(id).toString('hex');
    if (table.has(name)) return table.get(name);
    table.set(name, digest);
    return 'new';
}

/** A signature by a coordinator's calls. */
function sign(shares, message, quorate = q) {
    const nonces = shares.map((share) => share.commit());
    const commitments = shares.map((share, i) => ({ sender: share.id, bytes: nonces[i].commitments }));
    const session = quorate.SigningSession.start(shares[0].public, commitments, message);
    const sent = session.package().toBytes();
    shares.forEach((share, i) => {
        const signing = quorate.SigningPackage.fromBytes(share.scheme, sent);
        assert.deepEqual(signing.message, message);
        session.receive(share.id, share.sign(signing, nonces[i]));
    });
    return session.aggregate();
}

for (const scheme of ['frost-ed25519', 'frost-ristretto255', 'frost-ed448', 'frost-p256', 'frost-secp256k1', 'frost-taproot']) {
    test(`${scheme}: a key signs, and its shares are sealed`, () => {
        const shares = key(scheme);
        const sealKey = new q.SealKey(random(32));
        const opened = q.KeyShare.open(shares.get(3).seal(sealKey), sealKey);
        const { bytes } = sign([shares.get(1), opened], text('hello'));
        shares.get(2).public.verify(text('hello'), bytes);
        const verifyingKey = opened.public.verifyingKey;
        for (const build of [q, verifier]) {
            build.verify(scheme, verifyingKey, text('hello'), bytes);
            throws('InvalidSignature', () => build.verify(scheme, verifyingKey, text('hallo'), bytes));
        }
        throws('Seal', () => q.KeyShare.open(shares.get(3).seal(sealKey), new q.SealKey(random(32))));
    });
}

test('the small build makes and uses a key of Ed25519, and no other', async () => {
    const shares = key('frost-ed25519', small);
    const { bytes } = sign([shares.get(1), shares.get(3)], text('small'), small);
    const { verifyingKey } = shares.get(1).public;
    const native = await webcrypto.subtle.importKey('raw', verifyingKey, 'Ed25519', true, ['verify']);
    assert.ok(await webcrypto.subtle.verify('Ed25519', native, bytes, text('small')));
    throws('Arguments', () => small.Task.keygen('frost-p256', 2));
    // The two builds have the same stored forms.
    const secret = random(32);
    const sealed = shares.get(2).seal(new small.SealKey(secret.slice()));
    const other = q.KeyShare.open(sealed, new q.SealKey(secret));
    assert.deepEqual(other.public.verifyingKey, verifyingKey);
});

test('a key is refreshed and repaired, and old shares go when all have stored theirs', () => {
    const shares = key('frost-secp256k1');
    const { public: old } = shares.get(1);
    const reshared = run(PARTIES, (me) => q.Task.reshareAsDealer(shares.get(me), PARTIES, PARTIES, 2));
    const sealKey = new q.SealKey(random(32));
    const sealed = new Map([...reshared].map(([me, { share }]) => [me, share.seal(sealKey)]));
    assert.equal(reshared.get(1).share.state, 'Pending');
    const stored = run(PARTIES, (me) => q.Task.acknowledge(sealed.get(me), sealKey));
    assert.ok(stored.get(1).by.permitsDeleting(shares.get(1)));
    const settled = new Map([...reshared].map(([me, { share }]) => [me, share.settled(stored.get(me).by)]));
    assert.equal(settled.get(2).state, 'Ready');
    const now = settled.get(2).public;
    assert.deepEqual([now.epoch, now.verifyingKey, now.keyId], [1, old.verifyingKey, old.keyId]);
    const task = (me) => (me === 3 ? q.Task.repairAsTarget(now, [1, 2], 3) : q.Task.repairAsHelper(settled.get(me), [1, 2], 3));
    const { share } = run(PARTIES, task).get(3);
    now.verify(text('repaired'), sign([settled.get(1), share], text('repaired')).bytes);
    now.child('m/0/7').verify(text('child'), sign([settled.get(1).child('m/0/7'), share.child('m/0/7')], text('child')).bytes);
});

test('steps make a key, and keep what they have heard', () => {
    const sid = random(32);
    const sealKey = new q.SealKey(random(32));
    const task = q.Task.keygen('frost-ed25519', 2);
    const runs = new Map(PARTIES.map((me) => [me, q.startSteps(sid, me, PARTIES, task, sealKey)]));
    const due = [];
    const send = (from, outgoing) => PARTIES.filter((to) => to !== from).forEach((to) => outgoing
        .filter(({ recipient }) => (recipient ?? to) === to).forEach(({ bytes }) => due.push({ to, sender: from, bytes })));
    runs.forEach(({ outgoing }, me) => send(me, outgoing));
    while (due.length > 0) {
        // As a message between workers arrives: a copy of plain data.
        const { to, ...frame } = structuredClone(due.shift());
        const next = q.step(runs.get(to).state.bytes, sealKey, task, [frame]);
        assert.deepEqual(next.rejections, []);
        send(to, next.outgoing);
        runs.set(to, next);
    }
    const shares = PARTIES.map((me) => runs.get(me).outcome.share);
    const begun = q.startSteps(random(32), 1, PARTIES, task, sealKey);
    assert.deepEqual(q.Session.open(begun.state.bytes, sealKey, task).outgoing(), begun.outgoing);
    shares[0].public.verify(text('steps'), sign([shares[0], shares[2]], text('steps')).bytes);
    throws('Seal', () => q.step(runs.get(1).state.bytes, sealKey, task, []));
});

test('ECDSA: primes are resumed, and presignatures are spent once', () => {
    const sealKey = new q.SealKey(new Uint8Array(32).fill(7));
    const secrets = new Map(fixtures.map((sealed, i) => [i + 1, openSearch(q, sealed, sealKey)]));
    const aux = run(PARTIES, (me) => q.Task.makeAuxInfo(secrets.get(me)));
    const shares = key('ecdsa-secp256k1');
    const signers = [1, 3];
    const presigned = run(signers, (me) => q.Task.presignMany(shares.get(me), aux.get(me).aux, 2));
    const tables = new Map(signers.map((me) => [me, new Map()]));
    const record = (me, claim) => recorded(tables.get(me), claim);
    const [first] = presigned.get(1).presignatures;
    const copy = first.seal(sealKey);
    const signed = signers.map((sender) => {
        const claim = presigned.get(sender).presignatures[0].claim(shares.get(sender), 'm/1', text('pay'), 'sha256');
        return { sender, bytes: claim.release(record(sender, claim)) };
    });
    const { public: key_ } = shares.get(1);
    const signature = first.info.aggregate(key_, 'm/1', text('pay'), 'sha256', signed);
    key_.child('m/1').verify(text('pay'), signature.bytes);
    assert.ok(signature.der.length >= 68 && signature.recoveryId <= 3);
    verifier.verify('ecdsa-secp256k1', key_.child('m/1').verifyingKey, text('pay'), signature.bytes);
    // An answer that is missing is none.
    for (const missing of [undefined, null, '', 'old', 0]) {
        const claim = presigned.get(3).presignatures[1];
        throws('Arguments', () => q.Presignature.open('ecdsa-secp256k1', claim.seal(sealKey), sealKey)
            .claim(shares.get(3), 'm', text('pay'), 'sha256').release(missing));
    }
    // A restored copy: for the same message the same share, for another one nothing.
    const again = q.Presignature.open('ecdsa-secp256k1', copy, sealKey).claim(shares.get(1), 'm/1', text('pay'), 'sha256');
    assert.deepEqual(again.release(record(1, again)), signed[0].bytes);
    const other = q.Presignature.open('ecdsa-secp256k1', copy, sealKey).claim(shares.get(1), 'm/1', text('steal'), 'sha256');
    throws('Spent', () => other.release(record(1, other)));
    throws('Consumed', () => first.claim(shares.get(1), 'm', text('pay'), 'sha256'));
});

test('a search for primes reports progress and is resumed', () => {
    const sealKey = new q.SealKey(random(32));
    const search = q.AuxSearch.start('bits-112');
    assert.equal(search.step(2), undefined);
    const progress = search.progress();
    assert.ok(progress >= 0 && progress < 1);
    assert.equal(q.AuxSearch.open(search.seal(sealKey), sealKey).progress(), progress);
});

test('ML-DSA: attempts are counted, and one of them signs', () => {
    const signers = [1, 2];
    const made = run(signers, () => q.Task.mlDsaKeygen('ml-dsa-44', 2));
    const { public: public_ } = made.get(1).share;
    const tables = new Map(signers.map((me) => [me, new Map()]));
    for (let number = 0; number < 60; number += 1) {
        const sid = random(32);
        const attempts = new Map(signers.map((me) => {
            const claim = made.get(me).share.claimAttempt(number, sid, signers, text('post-quantum'), text(''));
            return [me, claim.release(recorded(tables.get(me), claim))];
        }));
        const sessions = attemptsOf(sid, signers, attempts);
        const { kind, signature } = sessions;
        assert.equal(kind, 'MlDsaAttempted');
        if (signature !== undefined) {
            public_.verify(text('post-quantum'), text(''), signature.bytes);
            verifier.verifyMlDsa('ml-dsa-44', public_.verifyingKey, text('post-quantum'), text(''), signature.bytes);
            return;
        }
    }
    assert.fail('sixty attempts gave no signature');
});

/** The outcome of one attempt, whose session has the id that was recorded. */
function attemptsOf(sid, signers, attempts) {
    const sessions = signers.map((me) => q.Session.start(sid, me, signers, q.Task.mlDsaSign(attempts.get(me))));
    for (;;) {
        const sent = sessions.map((one) => one.outgoing());
        sessions.forEach((to, i) => sent.forEach((outgoing, j) => i === j || outgoing.forEach(({ bytes }) => to.receive(signers[j], bytes))));
        if (sessions.map((one) => one.advance()).includes('Done')) return sessions[0].outcome();
    }
}

test('a liar is named', () => {
    const shares = key('frost-ed25519');
    const [one, two] = [shares.get(1), shares.get(2)];
    const nonces = [one.commit(), two.commit()];
    const commitments = [{ sender: 1, bytes: nonces[0].commitments }, { sender: 2, bytes: nonces[1].commitments }];
    const session = q.SigningSession.start(one.public, commitments, text('x'));
    session.receive(1, one.sign(session.package(), nonces[0]));
    const wrong = two.sign(session.package(), nonces[1]);
    wrong[wrong.length - 32] ^= 1;
    assert.throws(() => session.receive(2, wrong), (error) => error.kind === 'Rejected' && error.culprits.join() === '2');
    throws('Consumed', () => one.sign(session.package(), nonces[0]));
});

test('arguments are checked, and never cut to their lower bits', () => {
    const [task, sealKey] = [q.Task.keygen('frost-ed25519', 2), new q.SealKey(random(32))];
    for (const wrong of [65537, -1, 1.5, NaN, Infinity, 0]) {
        throws('Arguments', () => q.Session.start(random(32), wrong, PARTIES, task));
        throws('Arguments', () => q.Session.start(random(32), 1, [1, wrong], task));
        throws('Arguments', () => q.Session.start(random(32), 1, PARTIES, q.Task.keygen('frost-ed25519', wrong)));
    }
    throws('Arguments', () => q.Session.start(random(31), 1, PARTIES, task));
    throws('Arguments', () => q.Session.start(random(32), 1, ['1', '2'], task));
    throws('Arguments', () => q.Session.start(random(32), 1, 7, task));
    const state = q.startSteps(random(32), 1, PARTIES, task, sealKey).state.bytes;
    for (const frames of [7, [7], [{}], [{ sender: 2 }], [{ sender: 65538, bytes: random(9) }], [{ sender: 2, bytes: 'text' }], null]) {
        throws('Arguments', () => q.step(state, sealKey, task, frames));
    }
    throws('Arguments', () => q.Task.keygen('frost-ed25518', 2));
    throws('Arguments', () => new q.SealKey(random(16)));
    // Text is not bytes: the glue would take it for zeros.
    for (const wrong of ['x'.repeat(32), random(32).buffer, [...random(32)], new Uint16Array(32), null, undefined]) {
        throws('Arguments', () => new q.SealKey(wrong));
        throws('Arguments', () => q.Session.start(wrong, 1, PARTIES, task));
        throws('Arguments', () => q.verify('frost-ed25519', random(32), wrong, random(64)));
        throws('Arguments', () => q.KeyShare.open(wrong, sealKey));
    }
    for (const wrong of ['1', [1], true, null, undefined, 1n]) {
        throws('Arguments', () => q.Session.start(random(32), wrong, PARTIES, task));
    }
    q.Session.start(Buffer.from(random(32)), 1, PARTIES, task);
    const session = q.Session.start(random(32), 1, PARTIES, task);
    throws('Rejected', () => session.receive(2, random(50)));
    throws('Arguments', () => session.receive(65538, random(50)));
    throws('NotYet', () => session.outcome());
    assert.deepEqual(session.waitingFor(), [2, 3]);
    session.giveUp();
    throws('Missing', () => session.outcome());
});

test('no path of the machine that built it is in a module', () => {
    for (const part of ['all/quorate', 'all/quorate_relaxed', 'ed25519/quorate', 'verify/quorate']) {
        const module = readFileSync(new URL(`${part}_bg.wasm`, folder), 'latin1');
        for (const path of [process.env.HOME, process.cwd()]) {
            assert.ok(!module.includes(`${path}/`), `${part} has ${path}`);
        }
    }
});
