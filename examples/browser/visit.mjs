// A browser without a window opens a page, which posts its results to /result when it has them.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A container has no sandbox of its own to give, and little shared memory. The page is ours.
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];

let report = () => {};

/** The part of a server that takes the results of a page. */
export async function results(path, request, response) {
    if (path !== '/result') return false;
    let body = '';
    for await (const part of request) body += part;
    response.end();
    report(JSON.parse(body));
    return true;
}

/** What the page at this address posts. */
export async function visit(browser, address) {
    const reported = new Promise((resolve) => { report = resolve; });
    const profile = mkdtempSync(join(tmpdir(), 'quorate-browser-'));
    const child = spawn(browser, [...flags, `--user-data-dir=${profile}`, address], { stdio: 'ignore' });
    let timer;
    const late = new Promise((resolve) => { timer = setTimeout(resolve, 120_000, [{ what: 'the page reports within two minutes', holds: false }]); });
    const told = await Promise.race([reported, late]);
    clearTimeout(timer);
    child.kill();
    await new Promise((resolve) => { child.once('exit', resolve); setTimeout(resolve, 5000).unref(); });
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    return told;
}

/** Prints results under a title; whether all hold. */
export function show(title, told) {
    console.log(title);
    for (const { what, holds } of told) console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}`);
    return told.every(({ holds }) => holds);
}
