import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setImmediate } from "node:timers/promises";
import PQueue from "p-queue";
import { createDeadline, processorMs } from "../../lib/deadline.js";
import { requireStarted } from "../../lib/sandbox/index.js";
import { waitForFilesAsync } from "../../lib/wait-for-files.js";
import { checkSource, parseSource, type SourceFault } from "./check-source.js";

/** A module of the site, as written. */
export interface ModuleSource {
  /** Site path; its extension says what is in it. */
  readonly id: string;
  readonly text: string;
}

/** An export may be in a process that is not trusted. Long texts are refused when they are compiled. */
export const isModuleSources = (value: unknown): boolean =>
  Array.isArray(value) && value.every((source) => typeof source?.id === "string" && typeof source.text === "string");

/** CommonJS, minified, or why there is none. */
export type CompiledModule = { readonly code: string } | { readonly fault: SourceFault };

/** Changes with what is made of the same source. */
export const compilerVersion = "esbuild 0.28.2, 3";

/** Processor time for one module, in milliseconds. Real ones take some milliseconds. */
const defaultDeadlineMs = 10_000;

/**
 * Compiles modules by esbuild, which reads no file and resolves no import here. Its process is started on first use, and
 * again if it ends over a module or takes too long.
 */
export function createCompiler(deadlineMs = defaultDeadlineMs) {
  let isUser = false;
  return {
    async compile(sources: readonly ModuleSource[]): Promise<CompiledModule[]> {
      if (!isUser) users++;
      isUser = true;
      return Promise.all(
        sources.map((source) =>
          oneAtATime.add(() => {
            if (!isUser) throw new Error("The compiler of live components was closed before the module was compiled.");
            return compile(source, deadlineMs);
          }),
        ),
      );
    },
    async close(): Promise<void> {
      if (!isUser) return;
      isUser = false;
      users--;
      await oneAtATime.onIdle();
      if (users === 0) await (await import("esbuild")).stop();
    },
  };
}

/** The package keeps one process for all that use it, so they take turns; if it ends, it is clear over which module. */
const oneAtATime = new PQueue({ concurrency: 1 });
let users = 0;
/** The package's process. The package itself does not give it, and does not handle that it cannot be started. */
let service: ChildProcess | undefined;

/** Calls `start`, and takes the process that it starts as the package's one. @throws {Error} of the system if it starts none */
async function noteService<Result>(start: () => Promise<Result>): Promise<{ readonly running: Promise<Result> }> {
  const note = (message: unknown): void => {
    service = (message as { readonly process: ChildProcess }).process;
    service.on("error", () => {});
  };
  subscribe("child_process", note);
  try {
    return { running: start() };
  } catch (error) {
    // The system's error follows as an event, but none follows where Node forbids to start processes.
    if (service) await Promise.race([requireStarted(service), setImmediate()]);
    return { running: Promise.reject(error) };
  } finally {
    unsubscribe("child_process", note);
  }
}

async function compile({ id, text }: ModuleSource, deadlineMs: number): Promise<CompiledModule> {
  const isTypeScript = /\.tsx?$/i.test(id);
  const checked = await checkSource(text, isTypeScript);
  if (typeof checked !== "string") return { fault: checked };
  const esbuild = await import("esbuild");
  const transform = () =>
    esbuild.transform(checked, {
      loader: isTypeScript ? (/x$/i.test(id) ? "tsx" : "ts") : "jsx",
      format: "cjs",
      target: "es2020",
      jsx: "transform",
      jsxFactory: "__h",
      jsxFragment: "__F",
      tsconfigRaw: "{}",
      minify: true,
      charset: "utf8",
      legalComments: "none",
      logLevel: "silent",
      // esbuild prepares its table of globals again for each module that comes with this.
      ...(/process|\\/.test(checked) ? { define: { "process.env.NODE_ENV": '"production"' } } : {}),
      // An import at run time finds modules where all others do.
      supported: { "dynamic-import": false },
    });
  for (const isLastTry of [false, true]) {
    const { running } = await waitForFilesAsync(() => noteService(transform));
    try {
      const result = await within(deadlineMs, running);
      if (result) return { code: result.code.trimEnd() };
      await esbuild.stop();
      return { fault: { kind: "limit", message: "it takes too long to compile" } };
    } catch (error) {
      const fault = faultOf(error);
      if (fault) return { fault: (isTypeScript ? undefined : await mistakeIn(text)) ?? fault };
      await esbuild.stop();
      if (isLastTry) break;
    }
  }
  return { fault: { kind: "limit", message: "the compiler ends over it, as when memory runs out" } };
}

/** As the parser says it, which every module was once given to. */
async function mistakeIn(text: string): Promise<SourceFault | undefined> {
  const parsed = await parseSource(text);
  return typeof parsed === "string" ? undefined : parsed;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const clock = () => processorMs(`/proc/${service?.pid}`);
  const deadline = createDeadline(ms, clock, () => late.resolve(undefined));
  deadline.run();
  return Promise.race([work, late.promise]).finally(() => deadline.pause());
}

/** Undefined if esbuild itself has ended. */
function faultOf(error: unknown): SourceFault | undefined {
  const { errors } = error as { readonly errors?: readonly import("esbuild").Message[] };
  const first = errors?.[0];
  if (!first) return undefined;
  const { text, location } = first;
  if (/^The service (?:was stopped|is no longer running)/.test(text)) return undefined;
  return {
    kind: "syntax",
    message: text,
    ...(location ? { line: location.line, column: location.column + 1 } : {}),
  };
}
