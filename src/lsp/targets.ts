/** Where the names in a page lead: links, snippets, components of the site, variables, pages in docs.json. */
import { findNodeAtLocation, getLocation, parseTree } from "jsonc-parser";
import { headingSlug } from "../lib/url/index.js";
import { resolveImport, resolveSnippetFile } from "../site/links/index.js";
import type { PagePlan } from "../site/site.js";
import { type Cursor, cursorAt } from "./cursor.js";
import type { OpenSite } from "./open-site.js";

export interface SitePlace {
  readonly sourcePath: string;
  /** In UTF-16 code units. */
  readonly offset: number;
  readonly page?: PagePlan;
}

/** Where the name at an offset of a file is defined; undefined if nowhere in the site. */
export function targetAt(site: OpenSite, sourcePath: string, offset: number): SitePlace | undefined {
  const text = site.readText(sourcePath) ?? "";
  if (sourcePath.endsWith(".json")) return targetInSettings(site, sourcePath, text, offset);
  const cursor = cursorAt(text, offset);
  return cursor && targetOf(site, sourcePath, text, cursor);
}

function targetOf(site: OpenSite, sourcePath: string, source: string, cursor: Cursor): SitePlace | undefined {
  const { kind, text } = cursor;
  const { files } = site.plan() ?? {};
  if (!files) return undefined;
  const has = (path: string): boolean => files.has(path);
  if (kind === "variable") return variableAt(site, text);
  if (kind === "link" || isAddress(cursor)) return linkTarget(site, sourcePath, text);
  if (kind === "import") return startOf(resolveImport(text, sourcePath, has));
  if (kind === "value" && cursor.component === "Snippet" && cursor.property === "file")
    return startOf(resolveSnippetFile(text, has));
  if (kind !== "tag") return undefined;
  const from = importOf(source, text);
  return from === undefined ? undefined : startOf(resolveImport(from, sourcePath, has));
}

/** Properties of components and elements that are addresses. */
export const isAddress = (cursor: Cursor): boolean =>
  cursor.kind === "value" && /^(?:href|src|img|url|root)$/.test(cursor.property);

const startOf = (target: ReturnType<typeof resolveImport>): SitePlace | undefined =>
  target.kind === "file" ? { sourcePath: target.sourcePath, offset: 0 } : undefined;

/** The path that a page imports a component from. */
export const importOf = (source: string, name: string): string | undefined =>
  importsIn(source).find(({ names }) => names.includes(name.split(".")[0]!))?.from;

export const importsIn = (source: string): { readonly names: readonly string[]; readonly from: string }[] =>
  [...source.matchAll(/^import\s+([^"';]{1,1000}?)\s+from\s+["']([^"'\n]+)["']/gm)].map(([, names, from]) => ({
    names: names!.match(/[A-Za-z_$][\w$]*/g) ?? [],
    from: from!,
  }));

function variableAt(site: OpenSite, name: string): SitePlace | undefined {
  const { sourcePath } = site.plan()!.site.config;
  const tree = parseTree(site.readText(sourcePath) ?? "");
  const node = tree && findNodeAtLocation(tree, ["variables", name]);
  return node?.parent && { sourcePath, offset: node.parent.offset };
}

function linkTarget(site: OpenSite, sourcePath: string, written: string): SitePlace | undefined {
  const target = written.startsWith("#") ? undefined : site.addresses()?.resolve(written, { sourcePath });
  const anchor = /#(.+)$/.exec(written)?.[1];
  if (target?.kind === "file") return { sourcePath: target.outputPath, offset: 0 };
  if (target && target.kind !== "page") return undefined;
  const place =
    target?.kind === "page" ? target.page : site.plan()!.site.pages.find((page) => page.sourcePath === sourcePath);
  if (!place || site.readText(place.sourcePath) === undefined) return undefined;
  return { sourcePath: place.sourcePath, offset: headingAt(site.readText(place.sourcePath)!, anchor), page: place };
}

/** Where a page has the heading of an anchor, or the element with that id; 0 if nowhere. */
function headingAt(text: string, anchor: string | undefined): number {
  if (anchor === undefined) return 0;
  const heading = [...text.matchAll(/^#{1,6}[ \t]+(.+)$/gm)].find(
    ([, title]) => headingSlug(title!.replace(/[*_`]/g, "")) === anchor,
  );
  return heading?.index ?? Math.max(0, text.indexOf(`id="${anchor}"`), text.indexOf(`{#${anchor}}`));
}

/** An entry of the navigation, or another address. */
function targetInSettings(site: OpenSite, sourcePath: string, text: string, offset: number): SitePlace | undefined {
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset);
  if (isAtPropertyKey || previousNode?.type !== "string" || !site.plan()) return undefined;
  const value = String(previousNode.value);
  if (path.at(-1) === "$ref") {
    const files = site.plan()!.files;
    return startOf(resolveImport(value, sourcePath, (path) => files.has(path)));
  }
  return linkTarget(site, sourcePath, value.startsWith("/") ? value : `/${value}`);
}
