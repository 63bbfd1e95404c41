import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bubblewrap } from "./bubblewrap.js";
import type { Namespace } from "./namespace.js";
import { utilLinux } from "./util-linux.js";

/**
 * Finds a program that can make namespaces here. Many containers and some systems forbid it, so each one is tried.
 *
 * @param mountPoint an empty folder.
 */
export async function findNamespace(mountPoint: string): Promise<Namespace | { readonly missing: string }> {
  if (process.platform !== "linux") return { missing: "only Linux has them" };
  const reasons: string[] = [];
  for (const make of [bubblewrap, utilLinux]) {
    const namespace = make(mountPoint);
    const fault = "missing" in namespace ? namespace.missing : await tryOut(namespace);
    if (fault === undefined) return namespace as Namespace;
    reasons.push(fault);
  }
  return { missing: reasons.join("; ") };
}

async function tryOut(namespace: Namespace): Promise<string | undefined> {
  const [command, ...words] = [...namespace.prefix({ read: [], write: [] }), process.execPath, "--version"];
  try {
    const { stdout } = await promisify(execFile)(command!, words, { env: {}, timeout: 10_000, killSignal: "SIGKILL" });
    return stdout.trim() === process.version ? undefined : `Node does not start in ${namespace.program}`;
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
    return `${namespace.program} fails (${(stderr?.trim().split("\n")[0] || message).slice(0, 200)})`;
  }
}
