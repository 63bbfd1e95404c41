import type { ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { builtFile } from "../../lib/package-root.js";
import { createProcessClient, forkSandboxed, type Lost, type Sandbox } from "../../lib/sandbox/index.js";
import { type CompiledModule, createCompiler, type ModuleSource } from "./compile-module.js";
import {
  isRenderReply,
  type JobModule,
  limits,
  type RenderJob,
  type RenderMessage,
  type RenderReply,
  type SentModule,
} from "./sandbox/protocol.js";

/** What renders islands for this process, or for one that may start no others. */
export interface IslandWorker {
  compile(sources: readonly ModuleSource[]): Promise<readonly CompiledModule[]>;
  render(job: RenderJob): Promise<RenderReply | Lost>;
  /** Ends the processes; waiting pages are rejected. */
  close(): Promise<void>;
}

interface IslandWorkerOptions {
  readonly sandbox?: Sandbox;
  readonly pagesPerProcess?: number;
  /** Processor time for one page. */
  readonly pageMs?: number;
}

/**
 * Runs the code of a site in an interpreter, in a process of its own that gets no environment, may read only the three
 * files that it is made of, and may not write or start anything. Both walls hold by themselves.
 */
export function createIslandWorker(options: IslandWorkerOptions = {}): IslandWorker {
  const { sandbox = { permissions: true }, pagesPerProcess = limits.pagesPerProcess, pageMs = limits.pageMs } = options;
  const compiler = createCompiler();
  const kept = createKeptTexts();
  const { ask, prepare, close } = createProcessClient<RenderMessage, RenderReply>({
    start() {
      kept.forget();
      return start(sandbox);
    },
    isReply: isRenderReply,
    deadlineMs: limits.killTimes * pageMs,
    requestsPerProcess: pagesPerProcess,
    isSpent: ({ spent }) => spent === true,
    closedMessage: "The renderer of live components was closed before the page was rendered.",
  });
  return {
    compile(sources) {
      // What is compiled is rendered next, so both processes start at once.
      prepare();
      return compiler.compile(sources);
    },
    render: ({ modules, roots }) => ask(() => ({ job: { modules: modules.map(kept.pack), roots }, pageMs })),
    async close() {
      await Promise.all([close(), compiler.close()]);
    },
  };
}

function start(sandbox: Sandbox): ChildProcess {
  const [script, guest, wasm] = ["island-worker.js", "island-guest.js", "quickjs.wasm"].map((name) =>
    realpathSync.native(builtFile(name)),
  );
  const child = forkSandboxed(script!, {
    // Node looks for the kind of module in package.json.
    access: { read: [script!, guest!, wasm!, realpathSync.native(builtFile("../package.json"))], write: [] },
    native: false,
    sandbox,
    flags: ["--max-old-space-size=256", "--no-warnings"],
    env: { TZ: "UTC" },
  });
  child.stderr?.resume();
  return child;
}

/**
 * What a process keeps: modules of the site occur on many pages, so their texts are sent once, and run as bytecode from
 * then on. A text of a file, or that was sent before, gets a slot; the text that was used least recently gives it up.
 */
export function createKeptTexts() {
  /** The texts of the last modules with their slots, if they have one. */
  let texts = new Map<string, number | undefined>();
  let free: number[] = [];
  return {
    /** Call when a process is started. */
    forget(): void {
      texts = new Map();
      free = Array.from({ length: limits.keptCount }, (_, i) => i);
    },
    /** What to send next. */
    pack({ id, text, deps, isShared = false }: JobModule): SentModule {
      if (text.length > limits.keptLength) return { id, text, deps };
      const isKept = isShared || texts.has(text);
      const known = texts.get(text);
      const slot = known ?? (isKept ? free.pop() : undefined);
      texts.delete(text);
      texts.set(text, slot);
      if (texts.size > limits.keptCount) {
        const [oldest, freed] = texts.entries().next().value!;
        texts.delete(oldest);
        if (freed !== undefined) free.push(freed);
      }
      return { id, deps, ...(known === undefined ? { text } : {}), ...(slot === undefined ? {} : { slot }) };
    },
  };
}
