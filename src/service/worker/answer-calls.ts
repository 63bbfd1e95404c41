import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import PQueue from "p-queue";
import { Connections, guardedBytes, guardedFetch, type Network } from "../../lib/fetch/index.js";
import type { Sandbox } from "../../lib/sandbox/index.js";
import { parseToFile } from "../../page/content/index.js";
import { createDiagramWorker } from "../../page/diagrams/index.js";
import { createIslandWorker, type IslandWorker } from "../../page/islands/index.js";
import type { Call, CallAnswer } from "./messages.js";

export interface AnswerOptions {
  /** For the files that are fetched; the export can read it, but not write. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly network?: Network | undefined;
}

/** Above the export's own limits. They hold for an export that ignores those. */
const limits = {
  fetchesAtOnce: 10,
  fetchCount: 10_000,
  urlLength: 20_000,
  totalBytes: 1536 * 1024 * 1024,
  fileBytes: 64 * 1024 * 1024,
  fetchMs: 120_000,
  waitingDiagrams: 10_000,
  diagramLength: 100_000,
  /** Pages, and groups of modules. */
  waitingIslands: 1_000,
};

/**
 * Does for one export what its process cannot do: fetches from the public internet, draws diagrams, renders live components,
 * and parses costly pages.
 */
export function answerCalls({ folder, sandbox, network }: AnswerOptions) {
  const stop = new AbortController();
  const connections = new Connections();
  const fetches = new PQueue({ concurrency: limits.fetchesAtOnce });
  let fetchCount = 0;
  let room = limits.totalBytes;
  let diagrams: ReturnType<typeof createDiagramWorker> | undefined;
  let waiting = 0;
  let islands: IslandWorker | undefined;
  let waitingIslands = 0;
  let parseCount = 0;
  let isParsing = false;

  const refuse = (reason: string): CallAnswer => ({ refused: { ok: false, reason } });
  const fetch = async (call: Extract<Call, { url: string }>, id: number): Promise<CallAnswer> => {
    if (room <= 0) return refuse("it and those before it hold more than an export fetches");
    const own = network ? { network } : {};
    const outcome =
      call.kind === "fetch text"
        ? await guardedFetch(call.url, own, stop.signal)
        : await guardedBytes(
            call.url,
            {
              maxBytes: Math.min(call.maxBytes, limits.fileBytes, room),
              timeoutMs: Math.min(call.timeoutMs, limits.fetchMs),
              connections,
              ...own,
            },
            stop.signal,
          );
    if (!outcome.ok) return { refused: outcome };
    const bytes = "bytes" in outcome ? outcome.bytes : Buffer.from(outcome.text);
    room -= bytes.length;
    const file = join(folder, String(id));
    await writeFile(file, bytes, { flag: "wx", signal: stop.signal });
    return { file, url: "url" in outcome ? outcome.url : call.url };
  };

  const draw = async (source: string): Promise<CallAnswer> => {
    if (waiting >= limits.waitingDiagrams || source.length > limits.diagramLength) return { drawn: { lost: "ended" } };
    waiting++;
    try {
      diagrams ??= createDiagramWorker({ sandbox });
      return { drawn: await diagrams.draw(source) };
    } finally {
      waiting--;
    }
  };

  const runIslands = async (call: Extract<Call, { sources: unknown } | { job: unknown }>): Promise<CallAnswer> => {
    if (waitingIslands >= limits.waitingIslands) return { rendered: { lost: "ended" } };
    waitingIslands++;
    try {
      islands ??= createIslandWorker({ sandbox });
      return call.kind === "render islands"
        ? { rendered: await islands.render(call.job) }
        : { compiled: await islands.compile(call.sources) };
    } finally {
      waitingIslands--;
    }
  };

  const treeFile = (): string => join(folder, `tree-${parseCount}`);
  const parse = async ({ syntax, source }: Extract<Call, { kind: "parse" }>): Promise<CallAnswer> => {
    if (isParsing) return { parsed: { limit: "memory" } };
    isParsing = true;
    try {
      // The export has read the last one.
      await rm(treeFile(), { force: true });
      parseCount++;
      const parsed = await parseToFile({ kind: syntax, source, file: treeFile(), sandbox, signal: stop.signal });
      return { parsed: parsed ?? null };
    } finally {
      isParsing = false;
    }
  };

  return {
    /** Rejects once `close` is called, and with faults of this machine. */
    answer(call: Call): Promise<CallAnswer> {
      if (call.kind === "draw") return draw(call.source);
      if (call.kind === "parse") return parse(call);
      if ("sources" in call || "job" in call) return runIslands(call);
      const id = ++fetchCount;
      if (id > limits.fetchCount)
        return Promise.resolve(refuse(`an export fetches ${limits.fetchCount} files at most`));
      if (call.url.length > limits.urlLength)
        return Promise.resolve(refuse(`its URL has more than ${limits.urlLength} characters`));
      return fetches.add(() => fetch(call, id), { signal: stop.signal }) as Promise<CallAnswer>;
    },
    async close(): Promise<void> {
      stop.abort(new Error("The export has ended."));
      connections.destroy();
      await Promise.all([diagrams?.close(), islands?.close()]);
    },
  };
}
