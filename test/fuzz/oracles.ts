import { createHash } from "node:crypto";
import { posix } from "node:path";
import { type DefaultTreeAdapterTypes as Dom, parse } from "parse5";
import { withLineFeeds } from "../../src/lib/diagnostic/index.js";
import { inspectDocument } from "../security/dangers.js";
import type { Outcome } from "./export-case.js";
import { misread } from "./written-html.js";

/** Each gives the faults that it finds in an outcome, in words. */
const oracles = { bug, bytes, command, manifest, documents, places, time } as const;

export function* faultsOf(outcome: Outcome): Generator<string> {
  for (const [name, oracle] of Object.entries(oracles)) for (const fault of oracle(outcome)) yield `${name}: ${fault}`;
}

/** A page that our own error spoiled. */
function* bug({ diagnostics }: Outcome): Generator<string> {
  for (const { code, what } of diagnostics)
    if (code === "PAGE_FAILED" || /bug (?:of|in) Offprint/.test(what)) yield what;
}

/** The cache changes no byte. */
function* bytes({ files, again }: Outcome): Generator<string> {
  if (again !== undefined) yield* differences(files, again);
}

function* differences(files: Outcome["files"], others: Outcome["files"]): Generator<string> {
  for (const path of new Set([...files.keys(), ...others.keys()])) {
    const [one, other] = [files.get(path), others.get(path)];
    if (one === undefined || other === undefined || Buffer.compare(one, other) !== 0) yield `${path} differs`;
  }
}

/** The command ends with the right code, and threads change no byte. */
function* command({ command: run, ok, files }: Outcome): Generator<string> {
  if (run === undefined) return;
  if (run.code !== (ok ? 0 : 1)) yield `exit code ${run.code}\n${run.stderr.slice(0, 2000)}`;
  else if (ok) yield* differences(files, run.files);
}

/** The manifest lists the files of the bundle, each with its hash. */
function* manifest({ ok, files }: Outcome): Generator<string> {
  if (!ok) return;
  const listed = (
    JSON.parse(textOf(files, "offprint.json")) as { files: { path: string; bytes: number; sha256: string }[] }
  ).files;
  if (listed.length !== files.size - 1) yield `${listed.length} of ${files.size - 1} files are listed`;
  for (const { path, sha256 } of listed) {
    const content = files.get(path);
    if (content === undefined || createHash("sha256").update(content).digest("hex") !== sha256) yield `hash of ${path}`;
  }
}

/** No document can run code, is read otherwise than written, repeats an id, or has a dead link that nothing reports. */
function* documents({ files, external, diagnostics, site }: Outcome): Generator<string> {
  const scripts = external.filter(({ kind }) => kind === "script").map(({ location }) => location?.sourcePath);
  // A message has the link as typed, which may have two slashes where the path has one.
  const faults = diagnostics
    .map(({ what, location }) => `${what} ${location?.sourcePath}`)
    .join("\n")
    .replace(/(?<!:)\/{2,}/g, "/");
  for (const path of files.keys()) {
    if (/\.(?:md|txt|xml|json|html)$/.test(path) && !site.files[path] && textOf(files, path).includes("\0"))
      yield `U+0000 in ${path}`;
    if (!path.endsWith(".html") || site.files[path] !== undefined) continue;
    const html = textOf(files, path).replaceAll('="/a/b/', '="/');
    for (const danger of inspectDocument(html, scripts.length > 0, true).dangers) yield `${path}: ${danger}`;
    const other = misread(html);
    if (other !== undefined) yield `${path} is read otherwise:\n${other}`;
    const { ids, links } = idsAndLinks(html);
    const twice = ids.find((id, i) => ids.indexOf(id) < i);
    if (twice !== undefined) yield `${path} has the id "${twice}" twice`;
    for (const link of path === "404.html" ? [] : links) {
      const target = targetOf(path, link);
      if (target !== undefined && !files.has(target) && !faults.includes(target.replace(/\.html$/, "")))
        yield `${path} links to ${target}, which is missing and not reported`;
    }
  }
}

function idsAndLinks(html: string): { ids: string[]; links: string[] } {
  const ids: string[] = [];
  const links: string[] = [];
  const walk = (node: Dom.Node): void => {
    if ("attrs" in node)
      for (const { name, value } of node.attrs)
        if (name === "id") ids.push(value);
        else if (name === "href" || name === "src") links.push(value);
    if ("childNodes" in node) node.childNodes.forEach(walk);
  };
  walk(parse(html));
  return { ids, links };
}

function targetOf(from: string, link: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/i.test(link)) return undefined;
  try {
    return posix.join(posix.dirname(from), decodeURIComponent(link.replace(/[?#].*$/s, ""))) || undefined;
  } catch {
    return undefined;
  }
}

/** Every diagnostic is located in a file of the site, on a line and in columns that the file has, and says how to fix it. */
function* places({ diagnostics, sources }: Outcome): Generator<string> {
  for (const { code, what, fix, location } of diagnostics) {
    if (fix === "" || /\bundefined\b|\bNaN\b|\[object /.test(`${what} ${fix}`.replace(/["“`«].*?["”`»]/gs, "")))
      yield `${code}: ${what} fix: ${fix}`;
    const text = location && sources.get(location.sourcePath);
    if (text === undefined || location?.line === undefined) continue;
    const line = withLineFeeds(text.replace(/^\ufeff/, ""))
      .split("\n")
      [location.line - 1]?.replace(/\r$/, "");
    const { column = 1, length = 1 } = location;
    if (line === undefined || column < 1 || length < 1 || column > line.length + 1 || column + length > line.length + 2)
      yield `${code} ${location.sourcePath}:${location.line}:${column}+${length}: ${what}`;
  }
}

/** Time grows with the size of the site, and memory is given back. */
function* time({ cpuMs, sources }: Outcome): Generator<string> {
  const kilobytes = [...sources.values()].reduce((sum, text) => sum + text.length, 0) / 1024;
  if (cpuMs > 4000 + 40 * kilobytes) yield `${Math.round(cpuMs)} ms for ${Math.round(kilobytes)} kB`;
  const { rss } = process.memoryUsage();
  if (rss > 3 * 1024 ** 3) yield `${Math.round(rss / 1024 ** 2)} MB of memory are in use`;
}

const textOf = (files: Outcome["files"], path: string): string => Buffer.from(files.get(path)!).toString("utf8");
