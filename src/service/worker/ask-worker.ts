import { readFile } from "node:fs/promises";
import PQueue from "p-queue";
import type { ExportEnvironment, PagePart } from "../../export/index.js";
import type { CompiledModule } from "../../page/islands/index.js";
import type { AgentCall, Call, CallAnswer, FromChild, TaskCall } from "./messages.js";

/** In the export's process: asks the worker for what this process cannot do itself. */
export function createCalls(send: (message: FromChild) => Promise<void>) {
  const waiting = new Map<number, (answer: CallAnswer) => void>();
  const parses = new PQueue({ concurrency: 1 });
  let lastId = 0;
  const ask = (call: Call | TaskCall): Promise<CallAnswer> =>
    new Promise((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve);
      void send({ type: "call", id, call });
    });
  const fetched = async (call: Call) => {
    const answer = await ask(call);
    if ("refused" in answer) return answer.refused;
    if (!("file" in answer)) throw new Error("The worker has answered something else.");
    return { ok: true, bytes: await readFile(answer.file), url: answer.url } as const;
  };
  const nextPart = async (): Promise<PagePart | undefined> => {
    const answer = await ask({ kind: "next part" });
    return ("part" in answer ? answer.part : null) ?? undefined;
  };
  const outside: Omit<ExportEnvironment, "pagePool"> = {
    async fetchText(url) {
      const answer = await fetched({ kind: "fetch text", url });
      return answer.ok ? { ok: true, text: answer.bytes.toString("utf8") } : answer;
    },
    fetchBytes: (url, { maxBytes, timeoutMs }) => fetched({ kind: "fetch bytes", url, maxBytes, timeoutMs }),
    parseMarkdown: ({ kind, source }) =>
      parses.add(async () => {
        const answer = await ask({ kind: "parse", syntax: kind, source });
        if (!("parsed" in answer)) throw new Error("The worker has answered something else.");
        const { parsed } = answer;
        if (parsed === null) return undefined;
        if (!("file" in parsed)) return parsed;
        const { file, ...spent } = parsed;
        return { tree: await readFile(file), ...spent };
      }),
    async splitPages(missing, pages) {
      const answer = await ask({ kind: "split", missing, pages });
      const count = "parts" in answer ? answer.parts : null;
      return count === null ? undefined : { count, next: nextPart };
    },
    diagramWorker: () => ({
      async draw(source) {
        const answer = await ask({ kind: "draw", source });
        return "drawn" in answer ? answer.drawn : { lost: "ended" };
      },
      close: async () => {},
    }),
    islandWorker: () => ({
      async compile(sources) {
        const answer = await ask({ kind: "compile islands", sources });
        const refused: CompiledModule = { fault: { kind: "limit", message: "too many modules wait to be compiled" } };
        return "compiled" in answer ? answer.compiled : sources.map(() => refused);
      },
      async render(job) {
        const answer = await ask({ kind: "render islands", job });
        return "rendered" in answer ? answer.rendered : { lost: "ended" };
      },
      close: async () => {},
    }),
  };
  return {
    outside,
    /** Of an agent job. */
    async askModel(body: string) {
      const answer = await ask({ kind: "ask model", body });
      if (!("model" in answer)) throw new Error("The worker has answered something else.");
      return answer.model;
    },
    async noteTool(use: Omit<Extract<AgentCall, { tool: string }>, "kind">): Promise<void> {
      await ask({ kind: "used tool", ...use });
    },
    nextPart,
    onAnswer(id: number, answer: CallAnswer): void {
      waiting.get(id)?.(answer);
      waiting.delete(id);
    },
  };
}
