import type { ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { builtFile } from "../../lib/package-root.js";
import { forkReader, type Sandbox } from "../../lib/sandbox/fork-sandboxed.js";
import { createProcessClient, type Lost } from "../../lib/sandbox/process-client.js";
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

/** Compiles modules and renders islands in separate processes. */
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

/** Runs a site's code in an interpreter, in a process that may read only its own files: two barriers. */
export function createIslandWorker(options: IslandWorkerOptions = {}): IslandWorker {
  const { sandbox = { permissions: true }, pagesPerProcess = limits.pagesPerProcess, pageMs = limits.pageMs } = options;
  const compiler = createCompiler();
  const slots = createTextSlots();
  const { ask, prepare, close } = createProcessClient<RenderMessage, RenderReply>({
    start() {
      slots.reset();
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
      // Start the renderer's process already, since rendering follows.
      prepare();
      return compiler.compile(sources);
    },
    render: ({ modules, roots }) => ask(() => ({ job: { modules: modules.map(slots.pack), roots }, pageMs })),
    async close() {
      await Promise.all([close(), compiler.close()]);
    },
  };
}

function start(sandbox: Sandbox): ChildProcess {
  const names = ["island-worker.js", "island-guest.js", "quickjs.wasm"];
  const files = names.map((name) => realpathSync.native(builtFile(name)));
  return forkReader(files[0]!, files, 256, sandbox);
}

/**
 * Many pages use the same modules, so a process stores their texts in slots. Each is sent once, and runs as bytecode
 * from then on. Files, and texts that are sent a second time, get a slot, if necessary that of the least recently used
 * text.
 */
export function createTextSlots() {
  /** The texts of recent modules, least recently used first, each with its slot if it has one. */
  let texts = new Map<string, number | undefined>();
  let free: number[] = [];
  return {
    /** Call it when a process is started. */
    reset(): void {
      texts = new Map();
      free = Array.from({ length: limits.slotCount }, (_, i) => i);
    },
    /** Makes the module for a message. */
    pack({ id, text, deps, isShared = false }: JobModule): SentModule {
      if (text.length > limits.slotTextLength) return { id, text, deps };
      const stored = texts.get(text);
      const slot = stored ?? (isShared || texts.has(text) ? free.pop() : undefined);
      texts.delete(text);
      texts.set(text, slot);
      if (texts.size > limits.slotCount) {
        const [oldest, freed] = texts.entries().next().value!;
        texts.delete(oldest);
        if (freed !== undefined) free.push(freed);
      }
      return { id, deps, ...(stored === undefined ? { text } : {}), ...(slot === undefined ? {} : { slot }) };
    },
  };
}
