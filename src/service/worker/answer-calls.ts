import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import PQueue from "p-queue";
import { Connections, guardedBytes, guardedFetch, type Network } from "../../lib/fetch/index.js";
import type { Sandbox } from "../../lib/sandbox/fork-sandboxed.js";
import { parseToFile } from "../../page/content/index.js";
import { createDiagramWorker } from "../../page/diagrams/worker-process.js";
import { createIslandWorker, type IslandWorker } from "../../page/islands/worker-process.js";
import type { Answers, Fetched } from "./messages.js";

export interface AnswerOptions {
  /** For the files that are fetched; the export can read it, but not write. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly network?: Network | undefined;
}

/** Above the export's own limits, for an export that has been taken over and ignores them. */
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

/** Does what an export's process cannot: fetches, draws diagrams, renders live components, parses costly pages. */
export function answerCalls({ folder, sandbox, network }: AnswerOptions) {
  const stop = new AbortController();
  const connections = new Connections();
  const fetches = new PQueue({ concurrency: limits.fetchesAtOnce });
  let fetchCount = 0;
  let leftBytes = limits.totalBytes;
  let diagrams: ReturnType<typeof createDiagramWorker> | undefined;
  let islands: IslandWorker | undefined;
  let parseCount = 0;

  const fetch = (url: string, most?: { readonly maxBytes: number; readonly timeoutMs: number }): Promise<Fetched> => {
    const id = ++fetchCount;
    if (id > limits.fetchCount) return refuse(`an export fetches at most ${limits.fetchCount} files`);
    if (url.length > limits.urlLength) return refuse(`its URL has more than ${limits.urlLength} characters`);
    return fetches.add(
      async () => {
        if (leftBytes <= 0) return refuse("together with the files before it, it exceeds what one export may fetch");
        const within = most && {
          maxBytes: Math.min(most.maxBytes, limits.fileBytes, leftBytes),
          timeoutMs: Math.min(most.timeoutMs, limits.fetchMs),
        };
        const outcome = await (within
          ? guardedBytes(url, { ...within, connections, network }, stop.signal)
          : guardedFetch(url, { network }, stop.signal));
        if (!outcome.ok) return outcome;
        const bytes = "bytes" in outcome ? outcome.bytes : Buffer.from(outcome.text);
        leftBytes -= bytes.length;
        const file = join(folder, String(id));
        await writeFile(file, bytes, { flag: "wx", signal: stop.signal });
        return { ok: true, file, url: "url" in outcome ? outcome.url : url };
      },
      { signal: stop.signal },
    );
  };

  const lost = async () => ({ lost: "ended" }) as const;
  const drawing = atMost(limits.waitingDiagrams);
  const runningIslands = atMost(limits.waitingIslands);
  const openDiagrams = () => {
    diagrams ??= createDiagramWorker({ sandbox });
    return diagrams;
  };
  const openIslands = (): IslandWorker => {
    islands ??= createIslandWorker({ sandbox });
    return islands;
  };
  const parsing = atMost(1);
  const treeFile = (): string => join(folder, `tree-${parseCount}`);

  return {
    /** Each rejects once `close` is called, and if this machine fails. */
    answers: {
      "fetch text": ({ url }) => fetch(url),
      "fetch bytes": (call) => fetch(call.url, call),
      draw: ({ source }) =>
        source.length > limits.diagramLength ? lost() : drawing(() => openDiagrams().draw(source), lost),
      "compile islands": ({ sources }) =>
        runningIslands(
          () => openIslands().compile(sources),
          async () =>
            sources.map(() => ({ fault: { kind: "limit", message: "too many modules are waiting to be compiled" } })),
        ),
      "render islands": ({ job }) => runningIslands(() => openIslands().render(job), lost),
      parse: ({ syntax, source }) =>
        parsing(
          async () => {
            // The export has read the last one.
            await rm(treeFile(), { force: true });
            parseCount++;
            return await parseToFile({ kind: syntax, source, file: treeFile(), sandbox, signal: stop.signal });
          },
          async () => ({ limit: "memory" }),
        ),
    } satisfies Partial<Answers>,
    async close(): Promise<void> {
      stop.abort(new Error("The export has ended."));
      connections.destroy();
      await Promise.all([diagrams?.close(), islands?.close()]);
    },
  };
}

const refuse = async (reason: string): Promise<Fetched> => ({ ok: false, reason });

/** Runs `work`, or `refuse` while `limit` others are running. */
function atMost(limit: number) {
  let running = 0;
  return async <Result>(work: () => Promise<Result>, refuse: () => Promise<Result>): Promise<Result> => {
    if (running >= limit) return refuse();
    running++;
    try {
      return await work();
    } finally {
      running--;
    }
  };
}
