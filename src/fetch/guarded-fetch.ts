import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { connect as connectTls } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isPublicAddress } from "./address-rules.js";

export interface GuardedFetchOptions {
  /** For everything together: names, redirects, and the last byte. */
  readonly timeoutMs?: number;
  /** Of what was sent once it is decompressed. */
  readonly maxBytes?: number;
  readonly maxRedirects?: number;
  readonly network?: Network;
}
export const guardedFetchDefaults = {
  timeoutMs: 20_000,
  maxBytes: 32 * 1024 * 1024,
  maxRedirects: 5,
} as const satisfies Partial<GuardedFetchOptions>;

/** The network as the fetcher sees it: names, connections, and whom to trust beside the authorities that Node knows. */
export interface Network {
  /** Every address of a name. */
  resolve(host: string): Promise<readonly string[]>;
  connect(address: string, port: number): Socket;
  readonly ca?: string;
}

export type FetchOutcome =
  | { readonly ok: true; readonly text: string }
  /** `reason` goes on a sentence that ends with "because": `it answered 404`. */
  | { readonly ok: false; readonly reason: string };

/**
 * Fetches a text that a site names by its address.
 *
 * In:    an https:// address without a user name. What it is redirected to must be one too, and is checked the same way.
 * Out:   the text, as UTF-8. Nothing is sent but the request: no cookies, no credentials.
 * Fails: with a reason, never thrown: if a name leads to any address that is not public, if there is no answer in time,
 *        if it is not 200, or too large. The connection goes to the very address that was checked, so that a name that
 *        changes its mind changes nothing.
 * Stops: once `signal` aborts, rejects with its reason.
 */
export async function guardedFetch(
  url: string,
  options: GuardedFetchOptions = {},
  signal?: AbortSignal,
): Promise<FetchOutcome> {
  const { timeoutMs, maxBytes, maxRedirects } = { ...guardedFetchDefaults, ...options };
  const network = options.network ?? realNetwork;
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
  try {
    let at = url;
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const target = await orStopped(checked(at, network), stop);
      const answer = await ask(target, network, stop);
      const location = answer.headers.location;
      if (isRedirect(answer.statusCode) && location !== undefined) {
        answer.destroy();
        if (!URL.canParse(location, target.url)) throw new Refusal("it redirects to no address");
        at = new URL(location, target.url).href;
        continue;
      }
      if (answer.statusCode !== 200) {
        answer.destroy();
        throw new Refusal(`it answered ${answer.statusCode}`);
      }
      return { ok: true, text: await textOf(answer, maxBytes, stop) };
    }
    throw new Refusal(`it redirects more than ${maxRedirects} times`);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Refusal) return { ok: false, reason: error.message };
    if (deadline.aborted) return { ok: false, reason: `there was no whole answer within ${timeoutMs / 1000} seconds` };
    return { ok: false, reason: `it could not be reached (${reasonOf(error)})` };
  }
}

/** Looking up a name cannot be stopped, but need not be waited for. */
function orStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** What is refused, and why: goes to the caller as a value. */
class Refusal extends Error {}

interface Target {
  readonly url: URL;
  /** Checked; the connection goes here. */
  readonly address: string;
}

async function checked(written: string, network: Network): Promise<Target> {
  if (!URL.canParse(written)) throw new Refusal("it is no address");
  const url = new URL(written);
  if (url.protocol !== "https:") throw new Refusal(`only https:// is fetched, and this is ${url.protocol}//`);
  if (url.username !== "" || url.password !== "") throw new Refusal("it holds a user name or password");
  // Of a number that URL knows as an address, whatever its form, the host is the usual one.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [host] : await network.resolve(host);
  const [address] = addresses;
  if (address === undefined) throw new Refusal("its name has no address");
  if (!addresses.every(isPublicAddress)) throw new Refusal(`"${url.hostname}" is not on the public internet`);
  return { url, address };
}

function ask({ url, address }: Target, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const asked = request(url, {
      signal,
      headers: {
        accept: "application/json, application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.5",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "Offprint",
      },
      maxHeaderSize: 32 * 1024,
      // Without an agent Node takes 80 for granted, and says so in the Host header.
      defaultPort: 443,
      // Not with an agent, not even with none (`agent: false`): an agent would look the name up again.
      createConnection: () =>
        connectTls({
          socket: network.connect(address, url.port === "" ? 443 : Number(url.port)),
          ...(isIP(host) ? {} : { servername: host }),
          ...(network.ca === undefined ? {} : { ca: network.ca }),
          ALPNProtocols: ["http/1.1"],
        }),
    });
    asked.on("response", resolve);
    asked.on("error", reject);
    asked.end();
  });
}

const isRedirect = (status: number | undefined): boolean => [301, 302, 303, 307, 308].includes(status ?? 0);

async function textOf(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<string> {
  const body = decompressed(answer);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      size += chunk.length;
      if (size > maxBytes) throw new Refusal(`it is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
      chunks.push(chunk);
    }
  } finally {
    answer.destroy();
    body.destroy();
  }
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\ufeff/, "");
}

function decompressed(answer: IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity") return answer;
  const unpack = unpackers.get(encoding)?.();
  if (!unpack) throw new Refusal(`its content is encoded as "${encoding}"`);
  answer.on("error", (error) => unpack.destroy(error));
  return answer.pipe(unpack);
}

const unpackers = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

const realNetwork: Network = {
  resolve: async (host) => (await lookup(host, { all: true, order: "verbatim" })).map(({ address }) => address),
  connect: (address, port) => connectTcp({ host: address, port }),
};

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message ?? String(error);
}
