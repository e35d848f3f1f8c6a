// A store for sealed state and for spent names, on IndexedDB.

const STORES = ['keys', 'sealed', 'spent'];

/** A transaction's end: what `work` gave, once everything is durable. */
function transact(db, stores, mode, work) {
    return new Promise((resolve, reject) => {
        const transaction = db.transaction(stores, mode, { durability: 'strict' });
        let result;
        transaction.oncomplete = () => resolve(result);
        transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
        work(transaction, (value) => { result = value; });
    });
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A copy of bytes, made at once: the caller may use its buffer again. */
function copied(bytes, length) {
    if (!(bytes instanceof Uint8Array) || bytes.length === 0 || bytes.length !== (length ?? bytes.length)) {
        throw new TypeError(`expected a Uint8Array ${length === undefined ? 'that is not empty' : `of ${length} bytes`}`);
    }
    return Uint8Array.from(bytes);
}

/** 32 random bytes, encrypted under a key that scripts cannot read. */
async function wrappedSealKey() {
    const wrapping = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    const [secret, iv] = [crypto.getRandomValues(new Uint8Array(32)), crypto.getRandomValues(new Uint8Array(12))];
    const wrapped = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, wrapping, secret);
    secret.fill(0);
    return { wrapping, iv, wrapped };
}

async function unwrapped({ wrapping, iv, wrapped }) {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, wrapping, wrapped));
}

/** See `store.d.ts`. */
export class Store {
    #db;

    constructor(db) {
        this.#db = db;
        // A later version of this package waits for nobody.
        db.onversionchange = () => db.close();
    }

    static create(name) {
        return Store.#opened(name, true);
    }

    static open(name) {
        return Store.#opened(name, false);
    }

    static #opened(name, create) {
        return new Promise((resolve, reject) => {
            const request = indexedDB.open(name, 1);
            let refused;
            request.onupgradeneeded = ({ oldVersion }) => {
                if (oldVersion === 0 && !create) {
                    refused = new Error(`there is no database ${name}: it was never made, or the browser has deleted it`);
                    request.transaction.abort();
                    return;
                }
                STORES.forEach((store) => request.result.createObjectStore(store));
            };
            request.onsuccess = () => (refused ? request.result.close() : resolve(new Store(request.result)));
            request.onerror = () => reject(refused ?? request.error);
            request.onblocked = () => {
                refused = new Error(`the database ${name} is open in another version`);
                reject(refused);
            };
        });
    }

    close() {
        this.#db.close();
    }

    async makeSealKey() {
        const made = await wrappedSealKey();
        await transact(this.#db, ['keys'], 'readwrite', (transaction) => {
            transaction.objectStore('keys').add(made, 'seal');
        });
        return unwrapped(made);
    }

    async sealKey() {
        const stored = await transact(this.#db, ['keys'], 'readonly', (transaction, give) => {
            const request = transaction.objectStore('keys').get('seal');
            request.onsuccess = () => give(request.result);
        });
        return stored && unwrapped(stored);
    }

    read(name) {
        return transact(this.#db, ['sealed'], 'readonly', (transaction, give) => {
            const request = transaction.objectStore('sealed').get(name);
            request.onsuccess = () => give(request.result ?? { version: 0 });
        });
    }

    replace(name, version, bytes) {
        return this.replaceAll([{ name, version, bytes }]);
    }

    erase(name, version) {
        return this.#writeAll([{ name, version }]);
    }

    async replaceAll(changes) {
        return this.#writeAll(changes.map(({ name, version, bytes }) => ({ name, version, bytes: copied(bytes) })));
    }

    #writeAll(changes) {
        return transact(this.#db, ['sealed'], 'readwrite', (transaction, give) => {
            const sealed = transaction.objectStore('sealed');
            let fit = 0;
            changes.forEach(({ name, version }) => {
                sealed.get(name).onsuccess = ({ target }) => {
                    fit += (target.result?.version ?? 0) === version;
                    if (fit === changes.length) {
                        changes.forEach((one) => sealed.put({ version: one.version + 1, bytes: one.bytes }, one.name));
                    }
                    give(fit === changes.length);
                };
            });
        });
    }

    async record({ id, digest }) {
        const [name, stored] = [hex(copied(id, 32)), copied(digest, 32)];
        return transact(this.#db, ['spent'], 'readwrite', (transaction, give) => {
            const spent = transaction.objectStore('spent');
            spent.get(name).onsuccess = ({ target }) => {
                if (target.result === undefined) {
                    spent.add(stored, name);
                }
                give(target.result ?? 'new');
            };
        });
    }

    async release(claim) {
        return claim.release(await this.record(claim));
    }
}
