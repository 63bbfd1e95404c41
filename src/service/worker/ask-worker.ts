import { readFile } from "node:fs/promises";
import PQueue from "p-queue";
import type { ExportEnvironment, PagePart } from "../../export/index.js";
import type { Answer, Call, Fetched, FromChild } from "./messages.js";

/** In the export's process: asks the worker to do what this process cannot do itself. */
export function createCalls(send: (message: FromChild) => Promise<void>) {
  const waiting = new Map<number, (answer: never) => void>();
  const parses = new PQueue({ concurrency: 1 });
  let lastId = 0;
  let hasFetched = false;
  const ask = <Kind extends Call["kind"]>(call: Call<Kind>): Promise<Answer<Kind>> =>
    new Promise((resolve) => {
      const id = ++lastId;
      hasFetched ||= call.kind === "fetch text" || call.kind === "fetch bytes";
      waiting.set(id, resolve);
      void send({ type: "call", id, call: call as Call });
    });
  const read = async (fetched: Fetched) =>
    fetched.ok ? ({ ok: true, bytes: await readFile(fetched.file), url: fetched.url } as const) : fetched;
  const nextPart = (): Promise<PagePart | undefined> => ask<"next part">({ kind: "next part" });
  const outside: Omit<ExportEnvironment, "pagePool"> = {
    async fetchText(url) {
      const fetched = await read(await ask<"fetch text">({ kind: "fetch text", url }));
      return fetched.ok ? { ok: true, text: fetched.bytes.toString("utf8") } : fetched;
    },
    fetchBytes: async (url, { maxBytes, timeoutMs }) =>
      read(await ask<"fetch bytes">({ kind: "fetch bytes", url, maxBytes, timeoutMs })),
    postJson: async () => ({ ok: false, reason: "the service exports without a language model" }),
    parseMarkdown: ({ kind, source }) =>
      parses.add(async () => {
        const parsed = await ask<"parse">({ kind: "parse", syntax: kind, source });
        if (parsed === undefined || !("file" in parsed)) return parsed;
        const { file, ...spent } = parsed;
        return { tree: await readFile(file), ...spent };
      }),
    async splitPages(missing, pages) {
      const count = await ask<"split">({ kind: "split", missing, pages });
      return count === undefined ? undefined : { count, next: nextPart };
    },
    diagramWorker: () => ({
      draw: (source) => ask<"draw">({ kind: "draw", source }),
      close: async () => {},
    }),
    islandWorker: () => ({
      compile: (sources) => ask<"compile islands">({ kind: "compile islands", sources }),
      render: (job) => ask<"render islands">({ kind: "render islands", job }),
      close: async () => {},
    }),
  };
  return {
    outside,
    /** For an agent job. */
    askModel: (body: string) => ask<"ask model">({ kind: "ask model", body }),
    noteTool: (use: Omit<Call<"used tool">, "kind">) => ask<"used tool">({ kind: "used tool", ...use }),
    nextPart,
    /** Whether anything has been fetched, which may be different the next time. */
    hasFetched: () => hasFetched,
    onAnswer(id: number, answer: unknown): void {
      waiting.get(id)?.(answer as never);
      waiting.delete(id);
    },
  };
}
