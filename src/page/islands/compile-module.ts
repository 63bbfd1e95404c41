import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setImmediate } from "node:timers/promises";
import PQueue from "p-queue";
import { createDeadline, processorMs } from "../../lib/deadline.js";
import { requireStarted } from "../../lib/sandbox/fork-sandboxed.js";
import { waitForFilesAsync } from "../../lib/wait-for-files.js";
import { checkSource, parsedFault, type SourceFault } from "./check-source.js";

/** The source of a module. */
export interface ModuleSource {
  /** Site path. Its extension tells the language. */
  readonly id: string;
  readonly text: string;
}

/** Checks a message from an export, whose process may be untrusted. The compiler refuses long texts. */
export const isModuleSources = (value: unknown): boolean =>
  Array.isArray(value) && value.every((source) => typeof source?.id === "string" && typeof source.text === "string");

/** Minified CommonJS, or the reason why there is none. */
export type CompiledModule = { readonly code: string } | { readonly fault: SourceFault };

/** Part of cache keys. Change it whenever the output for the same source changes. */
export const compilerVersion = "esbuild 0.28.2, 5";

/** Processor time for one module, in milliseconds. Typical modules take a few milliseconds. */
const defaultDeadlineMs = 10_000;

/** Compiles modules with esbuild, which reads no files. Its process starts on first use, and again after a crash. */
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

/** All users share one esbuild process and take turns, so that the module that crashes it is known. */
const oneAtATime = new PQueue({ concurrency: 1 });
let users = 0;
/** esbuild's process, which the package does not expose. The package does not handle a failure to start it. */
let service: ChildProcess | undefined;

/** Calls `start` and notes the process that it starts. @throws {Error} of the system, if that fails */
async function noteService<Result>(start: () => Promise<Result>): Promise<{ readonly running: Promise<Result> }> {
  const note = (message: unknown): void => {
    service = (message as { readonly process: ChildProcess }).process;
    service.on("error", () => {});
  };
  subscribe("child_process", note);
  try {
    return { running: start() };
  } catch (error) {
    // The system's error arrives as an event; if Node's permissions forbid the process, no event follows.
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
      // Only if needed, since `define` makes esbuild rebuild its table of globals for each module.
      ...(/process|\\/.test(checked) ? { define: { "process.env.NODE_ENV": '"production"' } } : {}),
      // Compiles `import()` to `require`, which finds the modules of the page.
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
      const fault = buildFault(error);
      if (fault) return { fault: await parsedFault(text, isTypeScript, fault) };
      await esbuild.stop();
      if (isLastTry) break;
    }
  }
  return { fault: { kind: "limit", message: "it crashes the compiler, which may have run out of memory" } };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const timeout = Promise.withResolvers<undefined>();
  const clock = () => processorMs(`/proc/${service?.pid}`);
  const deadline = createDeadline(ms, clock, () => timeout.resolve(undefined));
  deadline.run();
  return Promise.race([work, timeout.promise]).finally(() => deadline.pause());
}

/** The syntax error of a failed build; undefined if esbuild itself has ended. */
function buildFault(error: unknown): SourceFault | undefined {
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
