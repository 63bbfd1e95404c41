import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { BundleFile, Manifest } from "../bundle/archive/index.js";
import { contentTypeOf, isActive, isCompressible } from "./content-type.js";
import { type HeaderRules, readHeaderRules } from "./header-rules.js";
import { type HostRules, readHostRules } from "./host-rules.js";
import { asksElsewhere, bringsScripts, policyOf, sandboxPolicy } from "./page-policy.js";
import type { Unpacked } from "./unpack.js";

/** A bundle, ready to be served: every address it has, in memory. No file outside of its manifest can be reached by it. */
export interface ServedBundle {
  readonly bundleId: string;
  readonly manifest: Manifest;
  /** By decoded path without a slash in front. */
  readonly routes: ReadonlyMap<string, Route>;
  readonly rules: HostRules;
  /** The page for unknown addresses. */
  readonly notFound?: ServedFile;
}

export type Route =
  | {
      readonly kind: "file";
      readonly file: ServedFile /** What is given instead to who asks for Markdown. */;
      readonly twin?: ServedFile;
    }
  /** Decoded path of the same bundle, without a slash in front. */
  | { readonly kind: "moved"; readonly to: string };

export interface ServedFile {
  /** Absolute. */
  readonly place: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly isCompressible: boolean;
  /** Name and value in turns: all but those that differ from answer to answer. */
  readonly headers: readonly string[];
}

/** Files that speak to the host, and are not for readers. */
const hostFiles: readonly string[] = ["_redirects", "_headers"];

/** Prepares the verified bundle in `folder`. Stops: once `signal` aborts, rejects with its reason. */
export async function openBundle(
  folder: string,
  { manifest, bundleId }: Unpacked,
  signal?: AbortSignal,
): Promise<ServedBundle> {
  const byPath = new Map(manifest.files.map((file) => [file.path, file]));
  const textOf = (path: string): string => (byPath.has(path) ? readFileSync(join(folder, path), "utf8") : "");
  const headerRules = readHeaderRules(textOf("_headers"));
  const styles = manifest.files.filter(({ path }) => path.endsWith(".css"));
  const mayBeStrict = !bringsScripts(byPath.keys()) && !styles.some(({ path }) => asksElsewhere(textOf(path)));
  const served = new Map<string, ServedFile>();
  let pausedAt = performance.now();
  for (const file of manifest.files) {
    if (performance.now() - pausedAt > 10) {
      await setImmediate();
      signal?.throwIfAborted();
      pausedAt = performance.now();
    }
    if (hostFiles.includes(file.path)) continue;
    const policy = mayBeStrict && file.path.endsWith(".html") ? policyOf(textOf(file.path)) : undefined;
    served.set(file.path, serve(file, folder, headerRules, policy));
  }
  const notFound = served.get("404.html");
  served.delete("404.html");
  return { bundleId, manifest, routes: routesOf(served), rules: readHostRules(textOf("_redirects")), notFound };
}

function serve(file: BundleFile, folder: string, rules: HeaderRules, policy: string | undefined): ServedFile {
  const type = contentTypeOf(file.path);
  const headers = new Map([
    ["content-type", type],
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "strict-origin-when-cross-origin"],
    ["x-frame-options", "SAMEORIGIN"],
    ["cache-control", "no-cache"],
    ...rules(`/${file.path}`),
  ]);
  const policies = [headers.get("content-security-policy"), isActive(type) ? sandboxPolicy : policy];
  // Of several policies, each must allow what is done.
  if (policies.some(Boolean)) headers.set("content-security-policy", policies.filter(Boolean).join(", "));
  return {
    place: join(folder, file.path),
    bytes: file.bytes,
    sha256: file.sha256,
    isCompressible: file.bytes >= smallestPacked && isCompressible(type),
    headers: [...headers].flat(),
  };
}

/** What fits into one packet gains nothing. */
const smallestPacked = 1024;

/**
 * Every address: files at their paths; pages without `.html` too, and with a slash at the end by way of a redirect, since
 * links of a page lead on from where it stands; an `index.html` at its folder.
 */
function routesOf(served: ReadonlyMap<string, ServedFile>): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const [path, file] of served) routes.set(path, { kind: "file", file });
  const offer = (path: string, route: Route): void => {
    if (!routes.has(path)) routes.set(path, route);
  };
  for (const [path, file] of served) {
    if (!path.endsWith(".html")) continue;
    const stem = path.slice(0, -".html".length);
    const route: Route = { kind: "file", file, twin: served.get(`${stem}.md`) };
    if (stem === "index") routes.set("", route);
    else if (stem.endsWith("/index")) offer(stem.slice(0, -"index".length), route);
    offer(stem, route);
  }
  for (const path of served.keys()) {
    if (!path.endsWith(".html")) continue;
    const stem = path.slice(0, -".html".length);
    offer(`${stem}/`, { kind: "moved", to: stem });
    if (stem.endsWith("/index"))
      offer(stem.slice(0, -"/index".length), { kind: "moved", to: stem.slice(0, -"index".length) });
  }
  return routes;
}
