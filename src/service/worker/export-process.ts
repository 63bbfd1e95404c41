import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, statSync } from "node:fs";
import { lstat, realpath, rm } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import type { Network } from "../../lib/fetch/index.js";
import { builtFile } from "../../lib/package-root.js";
import { packageFiles } from "../../lib/sandbox/access.js";
import { forkSandboxed, type Sandbox } from "../../lib/sandbox/fork-sandboxed.js";
import { sendMessage } from "../../lib/sandbox/messages.js";
import { answerCalls } from "./answer-calls.js";
import * as messages from "./messages.js";

export type ExportProcess = ReturnType<typeof startExportProcess>;

/** The process ended without a result: killed, or out of memory. */
export class ExportProcessDied extends Error {
  override readonly name = "ExportProcessDied";
}

interface ExportProcessOptions {
  /** Heap limit of the main thread, in MiB; render threads have their own. */
  readonly heapMb: number;
  /** Gets a folder for the files of this process. */
  readonly folder: string;
  /** Folder of the site, if it is not a checkout in `folders.source`. */
  readonly site?: string | undefined;
  readonly sandbox: Sandbox;
  /** Default: the built program. */
  readonly script?: string;
  readonly network?: Network;
}

/** The site has no parts. */
const noParts: messages.TaskAnswers = { split: async () => undefined, "next part": async () => undefined };

const invalidMessage = (): ExportProcessDied => new ExportProcessDied("The export process sent an invalid message.");

/** The end of stderr is kept to explain why the process died. */
const maxStderrLength = 4000;

/** Starts a child process that loads the engine and runs one export. Its site is not trusted: see `Sandbox`. */
export function startExportProcess(options: ExportProcessOptions) {
  const { heapMb, site, sandbox, script = builtFile("export-child.js"), network } = options;
  const folders = makeExportFolders(realpathSync.native(options.folder));
  const inode = inodeOf(site);
  const child = forkSandboxed(realpathSync.native(script), {
    access: {
      read: [...packageFiles(), folders.root, ...(site === undefined ? [] : [site])],
      write: [folders.own],
    },
    native: true,
    sandbox,
    flags: [`--max-old-space-size=${heapMb}`],
    env: childEnvironment(folders.temporary),
    // In its own group, which can be killed as a whole.
    detached: true,
  });
  const calls = answerCalls({ folder: folders.fetched, sandbox, network });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-maxStderrLength);
  });
  let died: ExportProcessDied | undefined;
  let hasStarted = false;
  const lose = (error: ExportProcessDied): void => {
    died ??= error;
    void calls.close();
  };
  const ended = new Promise<void>((resolve) => {
    child.on("error", (cause) => {
      lose(new ExportProcessDied("The export process could not be started.", { cause }));
      if (child.pid === undefined) resolve();
    });
    child.on("exit", (code, signal) => {
      lose(new ExportProcessDied(describeEnd(code, signal, stderr), { cause: stderr.trim() || undefined }));
      // Also kill its children.
      endGroup(child);
      resolve();
    });
  });
  const send = (message: messages.ToChild): void => sendMessage(child, message);

  return {
    pid: child.pid,
    folders,
    /** Whether it can read this site: a namespace keeps the folder that it started with, even if that is replaced. */
    canRead: (other: string | undefined): boolean => site === other && inodeOf(site) === inode,
    /** Whether an export has been sent to it. */
    get hasStarted() {
      return hasStarted;
    },
    get hasEnded() {
      return died !== undefined;
    },
    /** Kills the process group, and waits for its end. */
    end(): Promise<void> {
      if (!died) endGroup(child);
      return ended;
    },
    /** Ends the process and removes its folders. */
    async remove(): Promise<void> {
      if (!died) endGroup(child);
      await ended;
      await rm(folders.root, { recursive: true, force: true, maxRetries: 3 });
    },
    /**
     * In:    `answers` are the calls that the task's own code answers. Default: the site is not split, and there is no
     *        agent.
     * Fails: rejects with `ExportProcessDied` if the process ends without a result, or sends an invalid message.
     * Stops: once `signal` aborts, kills the process group and rejects with the signal's reason.
     */
    run: (
      task: messages.ExportTask | messages.AgentTask | messages.ReviewTask,
      onStep: (step: messages.ExportStep) => void,
      signal: AbortSignal,
      answers: messages.TaskAnswers = noParts,
    ): Promise<messages.ExportOutcome> =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          signal.removeEventListener("abort", stop);
          child.off("message", take).off("close", end).off("error", end);
        };
        const fail = (error: unknown): void => {
          leave();
          if (!died) endGroup(child);
          reject(error as Error);
        };
        const stop = (): void => fail(signal.reason);
        const end = (): void => fail(died);
        const answerOf = async (call: messages.Call): Promise<unknown> => {
          const answer = { ...calls.answers, ...answers }[call.kind] as
            | ((call: messages.Call) => Promise<unknown>)
            | undefined;
          if (answer === undefined) throw invalidMessage();
          return answer(call);
        };
        const take = (message: unknown): void => {
          if (!messages.isFromChild(message)) fail(invalidMessage());
          else if (message.type === "progress") onStep(message);
          else if (message.type === "call")
            answerOf(message.call).then((answer) => send({ type: "answer", id: message.id, answer }), fail);
          else if (message.type === "ended") {
            leave();
            resolve(message.outcome);
          }
        };
        hasStarted = true;
        if (signal.aborted) return stop();
        if (died) return end();
        signal.addEventListener("abort", stop, { once: true });
        // Its last message may come after its end, but not after "close".
        child.on("message", take).on("close", end).on("error", end);
        if ("changes" in task) send({ type: "agent", task });
        else send("files" in task ? { type: "review", task } : { type: "export", task });
      }),
  };
}

/** The size of a file that a process has made; undefined if it could be a link to a file of the worker. */
export async function ownFileSize(path: string): Promise<number | undefined> {
  const stats = await lstat(path);
  const isOwn = stats.isFile() && stats.nlink === 1 && (await realpath(path)) === path;
  return isOwn ? stats.size : undefined;
}

function inodeOf(folder: string | undefined): string | undefined {
  const stats = folder === undefined ? undefined : statSync(folder, { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.dev} ${stats.ino}`;
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null, stderr: string): string {
  // Some of the programs that make namespaces report a signal as a code.
  const wasEndedBy = (name: "SIGKILL" | "SIGABRT"): boolean =>
    signal === name || code === 128 + constants.signals[name];
  if (wasEndedBy("SIGKILL"))
    return "The export process was killed (SIGKILL), probably because the system ran out of memory.";
  // Without /proc, Node crashes while it prints its stack.
  if (wasEndedBy("SIGABRT") || /heap out of memory/.test(stderr)) return "The export process reached its memory limit.";
  return `The export process ended unexpectedly (${signal ?? `exit code ${code}`}).`;
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

/** The folders of one export's process. All of `root` can be read by it. */
export interface ExportFolders {
  readonly root: string;
  /** For the checkout of a repository. */
  readonly source: string;
  /** Files that the worker has fetched for the export. */
  readonly fetched: string;
  /** The only folder that the process can write. */
  readonly own: string;
  readonly cache: string;
  readonly temporary: string;
  /** The bundle. */
  readonly archive: string;
}

/** @param parent a real path. */
function makeExportFolders(parent: string): ExportFolders {
  const root = mkdtempSync(join(parent, "export-"));
  const own = join(root, "own");
  const [source, fetched] = [join(root, "source"), join(root, "fetched")];
  const [cache, temporary, output] = [join(own, "cache"), join(own, "temporary"), join(own, "output")];
  for (const folder of [source, fetched, own, temporary, output]) mkdirSync(folder);
  return { root, source, fetched, own, cache, temporary, archive: join(output, "bundle.tar.gz") };
}
