import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BundleFile, Manifest } from "../bundle/archive/index.js";
import { upToRoot } from "../site/links/index.js";
import contentTypes from "./content-types.json" with { type: "json" };
import { type HeaderRules, type HostRules, readHeaderRules, readHostRules } from "./host-rules.js";
import { createPause, type VerifiedBundle } from "./verify-bundle.js";

/** A bundle ready to be served, with all its routes in memory. Files outside of its manifest have no route. */
export interface ServedBundle {
  readonly bundleId: string;
  /** Absolute path of the folder with the files. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** By decoded path without a slash in front. */
  readonly routes: Pick<ReadonlyMap<string, Route>, "get">;
  readonly rules: HostRules;
  /** The page for unknown addresses. */
  readonly notFound?: ServedFile;
}

export type Route<File = ServedFile> =
  | {
      readonly kind: "file";
      readonly file: File;
      /** Sent instead to clients that ask for Markdown. */
      readonly markdown?: File | undefined;
    }
  /** Decoded path of the same bundle, without a slash in front. */
  | { readonly kind: "moved"; readonly to: string };

export interface ServedFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly isCompressible: boolean;
  /** Alternating names and values: the headers that are the same in every response. */
  readonly headers: readonly string[];
}

/** A header of every response. */
export const noSniffing = ["x-content-type-options", "nosniff"] as const;

/** Sent with pages: the URL of the speculation rules, and a sign for the scripts of the page. */
const speculationHeaders: readonly string[] = ["speculation-rules", "server-timing"];

/** Matches a Link header that preloads the font of the text. */
const fontLink = /^<[^>]*(_offprint\/fonts\/[^>]+)>(; rel=preload\b.*)$/;

const hostFiles: readonly string[] = ["_redirects", "_headers", ".htaccess"];

/** Prepares the verified bundle in `folder`. Stops: once `signal` aborts, rejects with its reason. */
export async function openBundle(
  folder: string,
  { manifest, bundleId }: VerifiedBundle,
  signal?: AbortSignal,
): Promise<ServedBundle> {
  const byPath = new Map(manifest.files.map((file) => [file.path, file]));
  const readText = (path: string): string => (byPath.has(path) ? readFileSync(join(folder, path), "utf8") : "");
  const headerRules = readHeaderRules(readText("_headers"));
  const styles = manifest.files.filter(({ path }) => path.endsWith(".css"));
  const mayBeStrict = !hasSiteScripts(byPath.keys()) && !styles.some(({ path }) => loadsFromHosts(readText(path)));
  const speculation = manifest.files.find(({ path }) => /^_offprint\/[^/]+\.speculationrules$/.test(path))?.path;
  const served = new Map<string, ServedFile>();
  const pause = createPause(signal);
  for (const file of manifest.files) {
    await pause();
    if (hostFiles.includes(file.path)) continue;
    const policy =
      mayBeStrict && file.path.endsWith(".html")
        ? policyOf(readText(file.path), manifest.assistant, manifest.analytics)
        : undefined;
    served.set(file.path, servedFile(file, folder, headerRules, policy, speculation));
  }
  const notFound = served.get("404.html");
  served.delete("404.html");
  return {
    bundleId,
    folder,
    manifest,
    routes: routesOf(served),
    rules: readHostRules(readText("_redirects")),
    notFound,
  };
}

/** @param policy for a page @param speculation output path of the rules that are sent with pages */
export function servedFile(
  file: BundleFile,
  folder: string,
  rules: HeaderRules,
  policy: string | undefined,
  speculation: string | undefined,
): ServedFile {
  const type = contentTypeOf(file.path);
  const headers = new Map([
    ["content-type", type],
    noSniffing,
    ["referrer-policy", "strict-origin-when-cross-origin"],
    ["x-frame-options", "SAMEORIGIN"],
    ["cache-control", "no-cache"],
    ...rules(`/${file.path}`),
  ]);
  // `_headers` has paths for the root of a host; a page may be served below another path.
  const isPage = file.path.endsWith(".html") && file.path !== "404.html";
  const links = headers
    .get("link")
    ?.split(", ")
    .flatMap((link) => {
      const [, font, rest] = fontLink.exec(link) ?? [];
      if (font === undefined) return [link];
      return isPage ? [`<${upToRoot(file.path)}${font}>${rest}`] : [];
    });
  if (links) headers.set("link", links.join(", "));
  for (const name of speculationHeaders) headers.delete(name);
  if (speculation !== undefined && isPage) {
    headers.set("speculation-rules", `"${upToRoot(file.path)}${speculation}"`);
    headers.set("server-timing", "speculation-rules");
  }
  const policies = [headers.get("content-security-policy"), isActive(type) ? sandboxPolicy : policy];
  // The browser enforces every policy of the list.
  if (policies.some(Boolean)) headers.set("content-security-policy", policies.filter(Boolean).join(", "));
  return {
    path: join(folder, file.path),
    bytes: file.bytes,
    sha256: file.sha256,
    isCompressible: file.bytes >= minCompressedBytes && isCompressible(type),
    headers: [...headers].flat(),
  };
}

/** A response that fits into one packet gains nothing. */
const minCompressedBytes = 1024;

/** Routes of files: their paths, pages also without `.html`, indexes by folder. A page with a slash redirects. */
export function routesOf<File>(served: ReadonlyMap<string, File>): Map<string, Route<File>> {
  const routes = new Map<string, Route<File>>();
  for (const [path, file] of served) routes.set(path, { kind: "file", file });
  const offer = (path: string, route: Route<File>): void => {
    if (!routes.has(path)) routes.set(path, route);
  };
  for (const [path, file] of served) {
    if (!path.endsWith(".html")) continue;
    const stem = path.slice(0, -".html".length);
    const route: Route<File> = { kind: "file", file, markdown: served.get(`${stem}.md`) };
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

const types: Readonly<Record<string, string>> = contentTypes;

/** The media type of a file, by its extension. */
function contentTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return types[extension] ?? "application/octet-stream";
}

/** Whether compression makes it smaller. */
const isCompressible = (type: string): boolean =>
  /^(?:text\/|image\/svg|application\/(?:json|xml|yaml|rss|atom|manifest|wasm|javascript|x-ndjson))|\+(?:json|xml)/.test(
    type,
  ) ||
  type === "font/ttf" ||
  type === "font/otf";

/** Whether browsers run scripts in files of this type, although they are not pages. */
const isActive = (type: string): boolean => /^image\/svg|xml/.test(type);

/** The strictest policy of an ordinary page: nothing inline or of other hosts, no evaluation, no markup from text. */
export const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
  "require-trusted-types-for 'script'";

/** For files that can run scripts when they are opened directly, such as SVG images. */
export const sandboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

/** Whether a bundle has scripts of the site's authors. Only they know what those need, so the pages get no policy. */
export const hasSiteScripts = (paths: Iterable<string>): boolean => {
  for (const path of paths) if (/^_offprint\/site\/.*\.js$/.test(path)) return true;
  return false;
};

/** Whether a style sheet loads anything from other hosts. */
export const loadsFromHosts = (css: string): boolean => /(?:url\(|@import)\s*["']?(?:https?:)?\/\//i.test(css);

/**
 * The policy for a page; undefined if the strict one would break the page, because it has inline scripts or styles,
 * embedded pages, or content of other hosts. A page with an API playground may send requests to any host and play media
 * from the responses.
 *
 * Content that is inserted from a template on a click is allowed.
 *
 * @param origins of the assistant and of the service that counts views, from the manifest, since a page could name any.
 */
export function policyOf(document: string, ...origins: readonly (string | undefined)[]): string | undefined {
  const { html, hosts } = splitTemplates(document);
  if (/<(?:style|iframe|frame|object|embed|base|form)[\s>]/i.test(html)) return undefined;
  for (const [, attributes = ""] of html.matchAll(/<script((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi))
    if (!isOurScript(attributes)) return undefined;
  for (const [, attributes = ""] of html.matchAll(/<link((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi))
    if (loads.test(attributeOf(attributes, "rel") ?? "") && asksHost(attributes, ["href", "imagesrcset"]))
      return undefined;
  // Reading every tag takes ten times as long as this test, which most pages pass.
  if ((/\s(?:style|on\w+)\s*=/i.test(html) || asksHostSomewhere.test(html)) && hasForeignTag(html)) return undefined;
  return html.includes("data-playground=")
    ? strictPolicy
        .replace("connect-src 'self'", "connect-src 'self' https: http: wss: ws:")
        .replace("media-src 'self'", "media-src 'self' data:")
    : (hosts.size > 0 ? embeddingPolicy : strictPolicy).replace(
        "connect-src 'self'",
        ["connect-src 'self'", ...new Set(origins.filter((origin) => origin !== undefined)), ...hosts].join(" "),
      );
}

/** For pages that load videos and pages of other hosts on a click, which may redirect to further hosts. */
const embeddingPolicy = `${strictPolicy.replace("media-src 'self'", "media-src 'self' https: http:")}; frame-src 'self' https: http:`;

/** Removes the templates of embedded content. Before a frame is created, the page asks its host whether it answers. */
function splitTemplates(document: string): { html: string; hosts: Set<string> } {
  const hosts = new Set<string>();
  if (!document.includes("<template data-embed")) return { html: document, hosts };
  const html = document.replace(/<template data-embed[^>]*>([\s\S]*?)<\/template>/g, (_, content: string) => {
    for (const [, url = ""] of content.matchAll(/\ssrc="(https?:[^"]*)"/g))
      if (URL.canParse(url)) hosts.add(new URL(url).origin);
    return "";
  });
  return { html, hosts };
}

const loads = /\b(?:stylesheet|icon|preload|modulepreload|manifest|apple-touch-icon)\b/i;
const asksHostSomewhere =
  /\s(?:src|srcset|poster|data|background|xlink:href)\s*=\s*(?:"[^"]*\/\/|'[^']*\/\/|[^\s"'>]*\/\/)/i;

function hasForeignTag(html: string): boolean {
  const tags = html.matchAll(/<([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi);
  for (const [, name = "", attributes = ""] of tags) {
    // Values are removed: they may contain text that looks like an attribute.
    if (/\s(?:style|on\w+)\s*=/i.test(attributes.replace(/"[^"]*"|'[^']*'/g, '""'))) return true;
    if (!/^(?:script|link)$/i.test(name) && asksHost(attributes, loadingAttributes)) return true;
  }
  return false;
}

const loadingAttributes = ["src", "srcset", "poster", "data", "background", "xlink:href"];

/** A script of the bundle, or data. */
function isOurScript(attributes: string): boolean {
  const type = attributeOf(attributes, "type");
  if (type !== undefined && /^application\/(?:ld\+)?json$/i.test(type)) return true;
  return /^(?:[./]|\w+\/)*(?:_offprint\/|offprint-search\.js)/.test(attributeOf(attributes, "src") ?? "");
}

const asksHost = (attributes: string, names: readonly string[]): boolean =>
  names.some((name) => /(?:^|[\s,])(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(attributeOf(attributes, name) ?? ""));

function attributeOf(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(attributes);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}
