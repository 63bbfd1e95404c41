import { readFileSync } from "node:fs";
import { bundlePath } from "../bundle/archive/index.js";
import type { SessionPlan } from "../export/index.js";
import { type HeaderRules, type HostRules, readHeaderRules, readHostRules } from "../serve/host-rules.js";
import { hasSiteScripts, loadsFromHosts } from "../serve/page-policy.js";
import { type Route, routesOf } from "../serve/served-bundle.js";

/** How to create a file of the bundle when it is requested. */
export type Origin =
  | { readonly kind: "page"; readonly outputPath: string }
  | { readonly kind: "static" }
  | { readonly kind: "part"; readonly name: string }
  | { readonly kind: "text"; readonly text: string }
  /** Needs all pages. */
  | { readonly kind: "late" };

/** The bundle that an export would write, as far as the plan determines it. */
export interface BundleShape {
  readonly routes: ReadonlyMap<string, Route<string>>;
  /** By output path. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Index of each page of the plan, by output path. */
  readonly pages: ReadonlyMap<string, number>;
  readonly headers: HeaderRules;
  readonly redirects: HostRules;
  /** Whether pages work under the strict policy. */
  readonly mayBeStrict: boolean;
}

export const notFoundPath = "404.html";
const searchHead = "offprint-search.js";

export function bundleShape({ site, bundle }: SessionPlan, folder: string): BundleShape {
  const origins = new Map<string, Origin>();
  const pages = new Map(site.pages.map(({ outputPath, index }) => [outputPath, index]));
  for (const outputPath of [...pages.keys(), notFoundPath]) origins.set(outputPath, { kind: "page", outputPath });
  for (const outputPath of pages.keys())
    origins.set(outputPath.replace(/\.html$/, ".md"), { kind: "page", outputPath });
  for (const path of site.staticFiles) origins.set(path, { kind: "static" });
  for (const [name, path] of Object.entries(bundle.assets.parts)) origins.set(path, { kind: "part", name });
  for (const { path, text } of bundle.outputs)
    if (!origins.has(path)) origins.set(path, typeof text === "string" ? { kind: "text", text } : { kind: "late" });
  for (const { outputPath } of bundle.printed) origins.set(outputPath, { kind: "late" });
  if (bundle.scopes.length > 0) origins.set(searchHead, { kind: "late" });

  const plannedText = (path: string): string => {
    const origin = origins.get(path);
    return origin?.kind === "text" ? origin.text : "";
  };
  const headers = readHeaderRules(plannedText("_headers"));
  const redirects = readHostRules(plannedText("_redirects"));
  // Files for the host, not for readers.
  for (const path of ["_headers", "_redirects"]) origins.delete(path);
  const sheets = bundle.files.filter(({ path }) => path.endsWith(".css"));
  const writtenPaths = bundle.files.map(({ path }) => path);
  const paths = new Map(
    [...origins.keys(), ...writtenPaths].filter((path) => path !== notFoundPath).map((path) => [path, path]),
  );
  return {
    routes: routesOf(paths),
    origins,
    pages,
    headers,
    redirects,
    mayBeStrict:
      !hasSiteScripts(writtenPaths) &&
      !sheets.some(({ path }) => loadsFromHosts(readFileSync(bundlePath(folder, path), "utf8"))),
  };
}
