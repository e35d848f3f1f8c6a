/** Sealed bytes with their version. */
export interface Versioned {
    /** 0 if nothing was ever stored, 1 for what was written first, and one more each time. */
    version: number;
    /** Absent if nothing was stored, or if it was erased. */
    bytes?: Uint8Array;
}

/** Bytes to be written over the version that is there; over nothing with version 0. */
export interface Change {
    name: string;
    version: number;
    bytes: Uint8Array;
}

/** What has to be recorded before it is released: a `ShareClaim` or an `AttemptClaim`. */
export interface Claim<T> {
    readonly id: Uint8Array;
    readonly digest: Uint8Array;
    release(answer: Uint8Array | 'new'): T;
}

/**
 * Sealed state and spent names, on IndexedDB, in pages and in workers. What is written is durable when the promise resolves, as far as
 * the browser keeps its word (`durability: 'strict'`).
 *
 * **A browser may delete all of it** when the disk is full or the user clears the site's data: ask for `navigator.storage.persist()`,
 * and make a backup of every key share. The spent names go with the rest. After that, and after an old copy of the profile came back, open
 * stocks of nonces with `Unknown`, throw presignatures away wherever they are kept, and make new ones.
 */
export class Store {
    /** Makes a database of this origin, or opens it. */
    static create(name: string): Promise<Store>;
    /** Opens a database that was made. It fails if there is none: the browser has deleted it, and with it the table of spent names. */
    static open(name: string): Promise<Store>;
    close(): void;
    /**
     * Makes this database's seal key: 32 bytes for `new SealKey(…)`, to be overwritten at once. It fails if there is one. The bytes are stored
     * under a key of WebCrypto that scripts cannot export. A script on the page can still use it, and so can who copies the profile of the
     * browser: derive the seal key from a passphrase, or get it from a server or a passkey, if that is not enough.
     *
     * **It goes when the database goes.** Seal a backup under another key, which you have elsewhere.
     */
    makeSealKey(): Promise<Uint8Array>;
    /** The seal key that was made; `undefined` if none was. */
    sealKey(): Promise<Uint8Array | undefined>;
    /** What is stored under a name, with its version. */
    read(name: string): Promise<Versioned>;
    /** As `replaceAll`, of one name. */
    replace(name: string, version: number, bytes: Uint8Array): Promise<boolean>;
    /**
     * Writes all of them, or none. `false`, and nothing is changed, if one has another version: another tab or worker has written. Of a session,
     * begin again from what is stored, and send nothing of what was computed.
     */
    replaceAll(changes: Change[]): Promise<boolean>;
    /** Erases the bytes of a version; the name keeps its versions. The tombstones of runs are never erased. */
    erase(name: string, version: number): Promise<boolean>;
    /** Records `digest` under `id` unless something is there. Gives what was there before, or `'new'`. */
    record(claim: { id: Uint8Array; digest: Uint8Array }): Promise<Uint8Array | 'new'>;
    /** Records a claim, and releases it. */
    release<T>(claim: Claim<T>): Promise<T>;
}
