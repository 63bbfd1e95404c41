import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The policy of the strictest hosts: no inline code, no other origins, no evaluation, no markup from text. */
export const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

export interface ServeOptions {
  /** Path of the folder on the server: `/` or `/a/b/`. */
  readonly base?: string;
  readonly policy?: string;
  /** A promise that delays the answer for this path. */
  readonly heldBack?: (path: string) => Promise<unknown> | undefined;
  /** Paths that are answered with 404. */
  readonly without?: RegExp;
  /** Number of pieces in which documents are sent, 60 ms apart. */
  readonly pieces?: number;
}

export interface ServedFolder {
  /** Address of the folder, with a slash at the end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** Serves files on loopback like the simplest hosts: no index files, no rewriting, nothing outside the base. */
export async function serveFolder(folder: string, options: ServeOptions = {}): Promise<ServedFolder> {
  const { base = "/", policy, heldBack, without, pieces = 1 } = options;
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
    await heldBack?.(path);
    const bytes =
      path.startsWith(base) && !without?.test(path)
        ? await readFile(join(folder, path.slice(base.length))).catch(() => undefined)
        : undefined;
    response.writeHead(bytes ? 200 : 404, {
      "Content-Type": types[extname(path)] ?? "application/octet-stream",
      "X-Content-Type-Options": "nosniff",
      // Hosts say when a file was changed; a font without that is asked for again when the window changes.
      ...(path.endsWith(".woff2")
        ? { "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT" }
        : { "Cache-Control": "no-store" }),
      ...(policy !== undefined && { "Content-Security-Policy": policy }),
    });
    if (bytes && path.endsWith(".html"))
      for (let piece = 1; piece < pieces; piece++) {
        const [from, to] = [piece - 1, piece].map((at) => Math.floor((at * bytes.length) / pieces));
        response.write(bytes.subarray(from, to));
        await sleep(60);
      }
    response.end(bytes?.subarray(path.endsWith(".html") ? Math.floor(((pieces - 1) * bytes.length) / pieces) : 0));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
