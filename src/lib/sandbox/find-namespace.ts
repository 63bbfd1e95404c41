import { bubblewrap } from "./bubblewrap.js";
import type { Namespace } from "./namespace.js";
import { tryOut } from "./try-out.js";
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
    if ("missing" in namespace) {
      reasons.push(namespace.missing);
      continue;
    }
    const fault = await tryOut(namespace.prefix({ read: [], write: [] }));
    if (fault === undefined) return namespace;
    reasons.push(`${namespace.program} fails (${fault})`);
  }
  return { missing: reasons.join("; ") };
}
