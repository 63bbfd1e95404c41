import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Starts Node behind these words. Returns why that fails. */
export async function tryOut(prefix: readonly string[]): Promise<string | undefined> {
  const [command, ...words] = [...prefix, process.execPath, "--version"];
  try {
    const { stdout } = await promisify(execFile)(command!, words, { env: {}, timeout: 10_000, killSignal: "SIGKILL" });
    return stdout.trim() === process.version ? undefined : "Node does not start";
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
    return (stderr?.trim().split("\n")[0] || message).slice(0, 200);
  }
}
