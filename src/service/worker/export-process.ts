import { type ChildProcess, fork } from "node:child_process";
import { constants } from "node:os";
import { builtFile } from "../../lib/package-root.js";
import type { ExportOutcome, ExportStep, ExportTask, FromChild, ToChild } from "./messages.js";

export type ExportProcess = ReturnType<typeof startExportProcess>;

/** The process ended without a result: killed, or out of memory. */
export class ExportProcessDied extends Error {
  override readonly name = "ExportProcessDied";
}

/** The end of stderr is kept to explain why the process died. */
const maxStderrLength = 4000;

/**
 * Starts a child process that loads the engine and runs one export.
 *
 * @param heapMb heap limit of the main thread, in MiB; render threads have their own.
 * @param temporaryFolder for temporary files.
 */
export function startExportProcess(heapMb: number, temporaryFolder: string) {
  const child = fork(builtFile("export-child.js"), {
    // In its own group, which can be killed as a whole.
    detached: true,
    env: childEnvironment(temporaryFolder),
    execArgv: [`--max-old-space-size=${heapMb}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "json",
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-maxStderrLength);
  });
  let died: ExportProcessDied | undefined;
  const lose = (error: ExportProcessDied): void => {
    died ??= error;
  };
  child.on("error", (cause) => lose(new ExportProcessDied("The export's process could not be started.", { cause })));
  child.on("exit", (code, signal) => {
    lose(new ExportProcessDied(describeEnd(code, signal), { cause: stderr.trim() || undefined }));
    // Also kill its children.
    endGroup(child);
  });

  return {
    get hasEnded() {
      return died !== undefined;
    },
    /** Kills the process group. */
    end(): void {
      if (!died) endGroup(child);
    },
    /**
     * Fails: rejects with `ExportProcessDied` if the process ends without a result.
     * Stops: once `signal` aborts, kills the process group and rejects with the signal's reason.
     */
    run: (task: ExportTask, onStep: (step: ExportStep) => void, signal: AbortSignal): Promise<ExportOutcome> =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          signal.removeEventListener("abort", stop);
          child.off("message", take).off("exit", end).off("error", end);
        };
        const stop = (): void => {
          leave();
          endGroup(child);
          reject(signal.reason as Error);
        };
        const end = (): void => {
          leave();
          reject(died);
        };
        const take = (message: FromChild): void => {
          if (message.type === "progress") onStep(message);
          if (message.type !== "ended") return;
          leave();
          resolve(message.outcome);
        };
        if (signal.aborted) return stop();
        if (died) return end();
        signal.addEventListener("abort", stop, { once: true });
        child.on("message", take).on("exit", end).on("error", end);
        // A failed send is followed by the exit event.
        child.send({ type: "export", task } satisfies ToChild, () => {});
      }),
  };
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === "SIGKILL")
    return "The export's process was killed from outside (SIGKILL), as systems do when memory runs out.";
  const aborted = signal === "SIGABRT" || code === 128 + constants.signals.SIGABRT;
  if (aborted) return "The export's process reached its memory limit.";
  return `The export's process ended unexpectedly (${signal ?? `exit code ${code}`}).`;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}

/** Contains no secrets of the service. Windows cannot start a process without `SystemRoot`. */
function childEnvironment(temporaryFolder: string): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return { TZ: "UTC", TMPDIR: temporaryFolder, TEMP: temporaryFolder, ...(SystemRoot ? { SystemRoot } : {}) };
}
