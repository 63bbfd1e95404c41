import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import PQueue from "p-queue";
import type { Cache } from "../../lib/cache/index.js";
import { type Diagnostic, intoSite } from "../../lib/diagnostic/index.js";
import type { BytesOutcome } from "../../lib/fetch/index.js";
import { createPixelSizeReader, type ReadPixelSize } from "../../lib/pixel-size.js";
import { nameOf } from "../../lib/url/index.js";
import type { ExternalUse } from "../../page/render/index.js";
import {
  type EmbeddedFile,
  type EmbeddedFiles,
  embeddedKey,
  isLoadedAs,
  type LoadedKind,
} from "../../site/links/index.js";
import type { BundleFile } from "../archive/index.js";
import { svgCleaned } from "../assets/svg.js";
import { type Accepted, acceptFile, rewriteStyle, wrongType } from "./accept-file.js";
import { type Lock, type LockEntry, lockName } from "./lock.js";

export type FetchBytes = (
  url: string,
  options: { readonly maxBytes: number; readonly timeoutMs: number },
  signal?: AbortSignal,
) => Promise<BytesOutcome>;

export interface RemoteFilesOptions {
  readonly fetchBytes: FetchBytes;
  /** The lock of an earlier export: its files keep their bytes. */
  readonly lock: Lock;
  /** Stores the bytes for the next export. */
  readonly cache?: Cache | undefined;
  readonly write: (outputPath: string, bytes: Uint8Array, sha256: string) => BundleFile;
  readonly limits?: Partial<typeof remoteLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
}

const remoteLimits = {
  fileCount: 5_000,
  maxBytes: 20 * 1024 * 1024,
  maxMediaBytes: 64 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
  requestMs: 20_000,
  mediaRequestMs: 120_000,
  /** For all requests together; the last ones may end later. */
  totalMs: 10 * 60_000,
  requestsAtOnce: 6,
  /** Style sheets that import each other. */
  importDepth: 4,
};

export interface RemoteFailure {
  readonly code: "REMOTE_NOT_EMBEDDED" | "REMOTE_FILE_CHANGED";
  /** Completes a sentence that ends with "because". */
  readonly reason: string;
  readonly fix: string;
}

/** Reading thousands of files from the cache takes seconds. */
const longestSliceMs = 20;

type Style = Extract<Accepted, { kind: "style" }> & { readonly base: string };

/** Each file is hashed once: the hash costs as much as the rest of the work on a picture. */
interface Fetched {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}
type Kinds = ReadonlyMap<string, ReadonlySet<LoadedKind>>;

export async function createRemoteFiles(options: RemoteFilesOptions) {
  const { lock, cache, signal } = options;
  const limits = { ...remoteLimits, ...options.limits };
  const readSize: ReadPixelSize = await createPixelSizeReader();
  const embedded = new Map<string, EmbeddedFile>();
  const failed = new Map<string, RemoteFailure>();
  const styles = new Map<string, Style>();
  const entries = new Map<string, LockEntry>();
  const written = new Map<string, BundleFile>();
  const uses: ExternalUse[] = [];
  const firstUses = new Map<string, ExternalUse>();
  const diagnostics: Diagnostic[] = [];
  const gate = createHostGate();
  const startedAt = Date.now();
  let fetchedBytes = 0;

  const write = (bytes: Uint8Array, extension: string, sha256 = sha256Of(bytes)): string => {
    const path = `_offprint/remote/${sha256.slice(0, 16)}.${extension}`;
    if (!written.has(path)) written.set(path, options.write(path, bytes, sha256));
    return path;
  };
  const fail = (url: string, reason: string, kind: keyof typeof fixes = "other"): void => {
    const code = kind === "changed" ? "REMOTE_FILE_CHANGED" : "REMOTE_NOT_EMBEDDED";
    failed.set(url, { code, reason, fix: fixes[kind](url) });
  };

  /** Adds a fetched file to the bundle, except a style sheet, which waits for what it loads. */
  const accept = (url: string, kinds: ReadonlySet<LoadedKind>, { bytes, sha256 }: Fetched, base: string): void => {
    const file = acceptFile(bytes, kinds, base);
    if (file.kind === "refused") {
      fail(url, file.reason);
      return;
    }
    const type = file.kind === "style" ? "text/css" : file.type.type;
    const isMoved = file.kind === "style" && base !== url;
    entries.set(url, { sha256, type, bytes: bytes.length, ...(isMoved ? { base } : {}) });
    if (file.kind === "style") {
      styles.set(url, { ...file, base });
      return;
    }
    const { extension, group } = file.type;
    const size = group === "image" ? readSize(file.bytes) : undefined;
    const outputPath = write(file.bytes, extension, file.bytes === bytes ? sha256 : undefined);
    embedded.set(url, { outputPath, group, ...(size ? { size } : {}) });
    const use = firstUses.get(url);
    if (use && file.removed.length > 0) diagnostics.push(svgCleaned(use.location, file.removed));
  };

  const fetchOne = async (url: string, kinds: ReadonlySet<LoadedKind>): Promise<void> => {
    signal?.throwIfAborted();
    const isMedia = kinds.has("media");
    const dead = gate.refusal(url);
    if (dead) return fail(url, dead.reason, "unreachable");
    const refusal =
      Date.now() - startedAt > limits.totalMs
        ? `fetching took longer than ${limits.totalMs / 60_000} minutes`
        : fetchedBytes > limits.totalBytes
          ? `the files before it have more than ${Math.floor(limits.totalBytes / 1024 / 1024)} MB in total`
          : undefined;
    if (refusal !== undefined) return fail(url, refusal);
    const outcome = await options.fetchBytes(
      url,
      {
        maxBytes: isMedia ? limits.maxMediaBytes : limits.maxBytes,
        timeoutMs: isMedia ? limits.mediaRequestMs : limits.requestMs,
      },
      signal,
    );
    gate.note(url, outcome);
    const locked = lock.get(url);
    if (!outcome.ok) {
      const reason = locked ? `${outcome.reason}, and the cache has no copy of it` : outcome.reason;
      return fail(url, reason, outcome.unreachable ? "unreachable" : "other");
    }
    fetchedBytes += outcome.bytes.length;
    const sha256 = sha256Of(outcome.bytes);
    if (locked && locked.sha256 !== sha256)
      return fail(url, `its content has changed since ${lockName} recorded it`, "changed");
    cache?.put(cacheKey(sha256), outcome.bytes);
    accept(url, kinds, { bytes: outcome.bytes, sha256 }, embeddedKey(outcome.url));
  };

  /** One request to each new host goes first: a dead host costs one. */
  const fetchAll = async (kindsOf: Kinds, onProgress: (done: number) => void): Promise<void> => {
    const rest: string[] = [];
    const firsts = new Map<string, string>();
    let done = 0;
    let sliceStart = Date.now();
    for (const url of [...kindsOf.keys()].sort()) {
      if (Date.now() - sliceStart > longestSliceMs) {
        await nextTurn();
        signal?.throwIfAborted();
        sliceStart = Date.now();
      }
      const locked = lock.get(url);
      const bytes = locked && cached(cache, locked.sha256);
      if (entries.size + failed.size + firsts.size + rest.length >= limits.fileCount)
        fail(url, `an export embeds at most ${limits.fileCount} files`);
      else if (bytes) accept(url, kindsOf.get(url)!, { bytes, sha256: locked.sha256 }, locked.base ?? url);
      else if (gate.isKnown(url) || firsts.has(hostOf(url))) rest.push(url);
      else firsts.set(hostOf(url), url);
    }
    done = kindsOf.size - firsts.size - rest.length;
    onProgress(done);
    const queue = new PQueue({ concurrency: limits.requestsAtOnce });
    for (const round of [[...firsts.values()], rest])
      await queue.addAll(
        round.map((url) => async () => {
          await fetchOne(url, kindsOf.get(url)!);
          onProgress(++done);
        }),
      );
  };

  /** Writes a style sheet after those that it imports; one that imports itself loses that import. */
  const finishStyle = (url: string, around: ReadonlySet<string>): void => {
    const style = styles.get(url);
    if (!style || embedded.has(url) || around.has(url)) return;
    const inside = new Set([...around, url]);
    for (const load of style.loads) finishStyle(embeddedKey(load.url), inside);
    const code = rewriteStyle(style.text, style.base, (load) => {
      const key = embeddedKey(load.url);
      const file = embedded.get(key);
      if (file && isLoadedAs(load.kind, file)) return nameOf(file.outputPath) + load.url.slice(key.length);
      return load.kind === "style" && inside.has(key) ? undefined : load.url;
    });
    embedded.set(url, { outputPath: write(code ?? new Uint8Array(), "css"), group: "style" });
  };

  const isKnown = (url: string): boolean => embedded.has(url) || failed.has(url) || styles.has(url);

  return {
    /** The copies so far; grows with every `embed`. */
    embedded: embedded as EmbeddedFiles,
    diagnostics: diagnostics as readonly Diagnostic[],
    /** Fetches what these uses load, unless it is here already. */
    async embed(newUses: readonly ExternalUse[], onProgress: (done: number, total: number) => void = () => {}) {
      const embeddable = newUses.filter(isEmbeddable);
      for (const use of embeddable) {
        uses.push(use);
        const key = embeddedKey(use.url);
        if (!firstUses.has(key)) firstUses.set(key, use);
      }
      let level: readonly Pick<ExternalUse, "kind" | "url">[] = embeddable;
      let total = 0;
      for (let depth = 0; depth <= limits.importDepth && level.length > 0; depth++) {
        const kindsOf = new Map<string, Set<LoadedKind>>();
        for (const { kind, url } of level) {
          const key = embeddedKey(url);
          if (!isKnown(key)) kindsOf.set(key, (kindsOf.get(key) ?? new Set()).add(kind));
        }
        const before = total;
        total += kindsOf.size;
        await fetchAll(kindsOf, (done) => onProgress(before + done, total));
        level = [...kindsOf.keys()].flatMap((url) => styles.get(url)?.loads ?? []);
      }
      for (const { url } of level)
        if (!isKnown(embeddedKey(url)))
          fail(embeddedKey(url), `it is imported through more than ${limits.importDepth} files`);
      for (const url of [...styles.keys()].sort()) finishStyle(url, new Set());
    },
    /** Every use that still loads from its host, with the reason; uses by embedded style sheets included. */
    failures(): { use: ExternalUse; failure: RemoteFailure }[] {
      const all = [...uses, ...uses.flatMap((use) => nestedUses(use, styles, new Set()))];
      return all.flatMap((use) => {
        const key = embeddedKey(use.url);
        const file = embedded.get(key);
        if (file && isLoadedAs(use.kind, file)) return [];
        const reason = wrongType(new Set([use.kind]));
        return {
          use,
          failure: failed.get(key) ?? { code: "REMOTE_NOT_EMBEDDED", reason, fix: fixes.other(key) },
        };
      });
    },
    /** Files of the bundle, sorted by path. */
    files: (): readonly BundleFile[] => [...written.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    /** What the next export needs for the same bytes. @param keepUnused keeps entries that no page has used. */
    newLock(keepUnused: boolean): Lock {
      const stored = [...lock].filter(([url]) => keepUnused || failed.has(url));
      return new Map([...stored, ...entries]);
    },
  };
}

const fixes = {
  other: intoSite,
  unreachable: (url: string) => `run the export where its host can be reached, or ${intoSite(url)}`,
  changed: (url: string) => `remove "${url}" from ${lockName} to accept the new content, and export again.`,
} as const;

const isEmbeddable = ({ kind, url }: ExternalUse): boolean =>
  (kind === "image" || kind === "media" || kind === "style") && /^https?:/i.test(url);

/** What a style sheet and those that it imports load, as if the page loaded it. */
function nestedUses(use: ExternalUse, styles: ReadonlyMap<string, Style>, seen: Set<string>): ExternalUse[] {
  const key = embeddedKey(use.url);
  const loads = seen.has(key) ? [] : (styles.get(key)?.loads ?? []);
  seen.add(key);
  return loads
    .map((load) => ({ ...load, location: use.location }))
    .flatMap((nested) => [nested, ...nestedUses(nested, styles, seen)]);
}

/** Bytes of an earlier export, if they are what the lock says. */
function cached(cache: Cache | undefined, sha256: string): Uint8Array | undefined {
  const bytes = cache?.get(cacheKey(sha256));
  return bytes && sha256Of(bytes) === sha256 ? bytes : undefined;
}

/** The cache is shared with other kinds of entries, so the hash alone is not a key. */
const cacheKey = (sha256: string): string => sha256Of(`remote file ${sha256}`);

const sha256Of = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

type Failed = Extract<BytesOutcome, { ok: false }>;

interface Host {
  hasAnswered: boolean;
  /** Requests in a row without an answer. */
  misses: number;
  last: Failed;
}

/** A host that has answered before may fail this often in a row; one that has not is given up after one request. */
const missesAfterAnswer = 3;
/** So many hosts without an answer, and none with one, mean that there is no network. */
const deadHosts = 3;

/** Remembers which hosts do not answer, so that a thousand files of one of them cost one request. */
function createHostGate() {
  const hosts = new Map<string, Host>();
  let answered = false;
  let dead = 0;
  return {
    isKnown: (url: string): boolean => hosts.has(hostOf(url)),
    /** Why a request is not worth its time; undefined if it is. */
    refusal(url: string): Failed | undefined {
      const host = hosts.get(hostOf(url));
      if (host && host.misses >= (host.hasAnswered ? missesAfterAnswer : 1)) return host.last;
      if (host || answered || dead < deadHosts) return undefined;
      return { ok: false, reason: `no other host can be reached either` };
    },
    note(url: string, outcome: BytesOutcome): void {
      const name = hostOf(url);
      const isDead = !outcome.ok && outcome.unreachable === true;
      const host = hosts.get(name);
      if (!isDead) {
        answered = true;
        hosts.set(name, { hasAnswered: true, misses: 0, last: { ok: false, reason: "" } });
      } else if (host) hosts.set(name, { ...host, misses: host.misses + 1, last: outcome });
      else {
        dead++;
        hosts.set(name, { hasAnswered: false, misses: 1, last: outcome });
      }
    },
  };
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;
