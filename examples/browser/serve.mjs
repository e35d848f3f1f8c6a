// Serves the page and the package: `node serve.mjs PACKAGE [PORT]`.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
// As a header it holds for workers, too.
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; connect-src 'self' ws://127.0.0.1:*";
const here = fileURLToPath(new URL('.', import.meta.url));

/** A server on a port, 0 for any free one: the package in `folder`, and the page in `root`. `extra` answers what is no file. */
export function serve(folder, port, extra = () => false, root = here) {
    const server = createServer(async (request, response) => {
        const { pathname } = new URL(request.url, 'http://localhost');
        if (await extra(pathname, request, response)) return;
        const path = normalize(pathname === '/' ? '/index.html' : pathname);
        const file = path.startsWith('/quorate/') ? join(folder, path.slice('/quorate/'.length)) : join(root, path);
        try {
            const content = await readFile(file);
            response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-security-policy': POLICY }).end(content);
        } catch {
            response.writeHead(404).end();
        }
    });
    return new Promise((resolve) => { server.listen(port, '127.0.0.1', () => resolve(server)); });
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
    const server = await serve(argv[2], Number(argv[3] ?? 8080));
    console.log(`http://127.0.0.1:${server.address().port}`);
}
