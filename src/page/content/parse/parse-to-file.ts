import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import { builtFile } from "../../../lib/package-root.js";
import { packageFiles } from "../../../lib/sandbox/access.js";
import { requireStarted, type Sandbox, spawnSandboxed } from "../../../lib/sandbox/fork-sandboxed.js";
import { isOutOfFiles, waitForFilesAsync } from "../../../lib/wait-for-files.js";
import { type MarkdownKind, type ParseOutcome, parserLimits, refusalOf, type Spent, spentIn } from "./parser-limits.js";

interface ParseToFile {
  readonly kind: MarkdownKind;
  readonly source: string;
  /** Created; gets the tree in Sätteri's binary form. */
  readonly file: string;
  readonly sandbox: Sandbox;
  /** Ends the process. */
  readonly signal: AbortSignal;
}

/** Longer messages are cut off. */
const maxFaultBytes = 10_000;

/**
 * Parses a text that could take long in a process of its own. Undefined if none can be started.
 *
 * @throws if `file` exists or cannot be written, and the reason of `signal` once it has aborted.
 */
export async function parseToFile(
  options: ParseToFile,
): Promise<({ readonly file: string } & Spent) | Exclude<ParseOutcome, { tree: unknown }> | undefined> {
  const { kind, source, file, sandbox, signal } = options;
  signal.throwIfAborted();
  const { maxBytes, maxMs } = parserLimits;
  const script = builtFile("markdown-process.js");
  const output = await open(file, "wx+");
  try {
    const child = await waitForFilesAsync(async () => {
      const process = spawnSandboxed(script, [kind, String(maxBytes), String(maxMs)], {
        access: { read: packageFiles(), write: [] },
        native: true,
        sandbox,
        flags: ["--no-warnings"],
        env: {},
        stdio: ["pipe", output.fd, "pipe"],
        // Higher than the limits that the process itself enforces.
        limits: { processorSeconds: Math.ceil(maxMs / 1000) * 2, fileBytes: maxBytes },
      });
      await requireStarted(process);
      return process;
    }).catch((error: unknown) => {
      if (isOutOfFiles(error)) throw error;
      return undefined;
    });
    if (child === undefined) return undefined;
    const stop = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", stop, { once: true });
    let stderr = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-1000);
      if (refusalOf(null, null, stderr, () => "")) stop();
    });
    // The process may end before it has read all input.
    child.stdin!.on("error", () => {}).end(source);
    const ended = await once(child, "close").catch(() => undefined);
    signal.removeEventListener("abort", stop);
    signal.throwIfAborted();
    if (ended === undefined) return undefined;
    const [status, killedBy] = ended as [number | null, NodeJS.Signals | null];
    if (status === 0) return { file, ...spentIn(stderr) };
    const fault = await beginningOf(output);
    return refusalOf(status, killedBy, stderr, () => fault);
  } finally {
    await output.close();
  }
}

async function beginningOf(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(maxFaultBytes), position: 0 });
  return buffer.toString("utf8", 0, bytesRead);
}
