import { findProgram } from "./find-program.js";
import type { Namespace } from "./namespace.js";
import { viewOf } from "./view.js";

/** Namespaces by bubblewrap. */
export function bubblewrap(): Namespace | { readonly missing: string } {
  const bwrap = findProgram("bwrap");
  if (bwrap === undefined) return { missing: "bwrap is not installed" };
  return {
    program: "bwrap",
    prefix(access) {
      const { read, program, write, links } = viewOf(access);
      return [
        bwrap,
        "--unshare-all",
        "--die-with-parent",
        ...links.flatMap(({ path, target }) => ["--symlink", target, path]),
        ...[...read, ...program].flatMap((path) => ["--ro-bind", path, path]),
        ...write.flatMap((path) => ["--bind", path, path]),
        "--chdir",
        "/",
        "--",
      ];
    },
  };
}
