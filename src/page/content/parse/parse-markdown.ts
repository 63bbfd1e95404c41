/** Parses one file to its tree. Nothing is evaluated or included yet. */
import type { Root } from "mdast";
import type { Diagnostic, Edit } from "../../../lib/diagnostic/index.js";
import { lineAt, offsetAt, pointAt } from "../location.js";
import { closeCjkMarks } from "./cjk-marks.js";
import { keepIndents } from "./code-faults.js";
import { foreignDiagnostics } from "./foreign-text.js";
import { fenceEnds, fenceSpan, type MarkedTags, markTags } from "./mark-tags.js";
import { type MarkdownParsers, MarkdownSyntaxError, type SyntaxFault } from "./markdown-parsers.js";
import { maskSource, type Scan, type Span } from "./mask-source.js";
import { checkNesting, hasManyOpenTags, isDensePage } from "./nesting.js";
import { ParserLimitError, parserLimits } from "./parser-limits.js";
import { rebuildTags } from "./rebuild-tags.js";
import {
  beginsNoTag,
  closesTag,
  maxTagDistance,
  type Repair,
  repairFault,
  repairProse,
  showPassage,
} from "./repair.js";
import { type FenceRepair, hasFenceFault, repairFences, strayFence } from "./repair-fences.js";
import { hideModules, repairModuleAt, repairModules } from "./repair-modules.js";
import { needsScan, scanSource } from "./scan-source.js";
import { syntaxDiagnostic } from "./syntax-fault.js";
import { tagDiagnostics } from "./tag-diagnostics.js";

export interface ParsedMarkdown {
  readonly tree: Root;
  /** Placeholders in the tree's strings (`mask-source.ts`); empty for most files. */
  readonly spans: readonly Span[];
  /** Line of a heading -> its `{#id}`. */
  readonly headingIds: ReadonlyMap<number, string>;
  /** False: the file could not be parsed, and the tree holds only a `parseError`. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export interface MarkdownSource {
  readonly source: string;
  readonly sourcePath: string;
  /** Where the front matter ends. */
  readonly bodyStart: number;
  /** Whether `$` may open a formula. */
  readonly latex: boolean;
  /** Whether a name is an element of HTML or a component of the engine. Default: every name. */
  readonly isKnown?: (name: string) => boolean;
  /** Whether an import or export is known to be broken. */
  readonly hasFaultyModule?: boolean;
  /** The components that a component is made of: `Step` of `Steps`. Default: none. */
  readonly itemsOf?: (component: string) => readonly string[];
}

/** Of the text of a page. */
const maxSourceBytes = 2 * 1024 * 1024;
/** Of a page with the pictures that are written into it. */
const maxBytesWithData = 8 * 1024 * 1024;
/** Where a picture in an element or a link begins, and what ends it. One pattern for all of it can exceed its stack. */
const base64Begin = /(?:\bsrc=["']|\]\()data:image\/[\w.+-]{1,100};base64,/g;
const base64End = /[^A-Za-z\d+/=]/g;

/** A page with more mistakes is shown as broken. The limit is lower for a long page, since each repair costs a parse. */
const maxRepairs = 30;
const minRepairs = 6;
/** After so many, the further ones are made at once. */
const maxSingleRepairs = 3;
const maxRepairedChars = 150_000;
const noScan: Scan = { spans: [], headingIds: [], foreign: [], dense: [] };

export function parseMarkdown(parsers: MarkdownParsers, file: MarkdownSource): ParsedMarkdown {
  const { source, bodyStart } = file;
  const size = sizeOf(source);
  if (size > maxSourceBytes) {
    const reason = `The file has ${size} bytes, but the limit is ${maxSourceBytes}`;
    return refused(file, "PAGE_TOO_LARGE", reason, 0, splitPage(source));
  }
  const crowded = findCrowdedPassage(source, bodyStart);
  if (crowded !== undefined) {
    const reason = "The text up to here has more tags, braces and entities than can be parsed at once";
    const fix = "put a blank line above this one, and between lines like it.";
    return refused(file, "PASSAGE_TOO_LARGE", reason, crowded, fix);
  }
  const scan = isDensePage(source) || needsScan(source) ? scanSource(source, bodyStart, file.latex) : noScan;
  const diagnostics = foreignDiagnostics(file, scan.foreign, isPlainMarkdown(file.sourcePath));
  const mayNeverEnd = hasManyOpenTags(source, bodyStart);
  if (mayNeverEnd && isPlainMarkdown(file.sourcePath)) return parsePlain(parsers, file, scan, diagnostics);
  let isSafe = !mayNeverEnd;
  for (const region of scan.dense) {
    const outcome = checkNesting(source, region);
    if (outcome === "deep") {
      const reason = "The code is nested too deeply to be parsed";
      return refused(file, "NESTING_TOO_DEEP", reason, region.start, "use fewer nested brackets.");
    }
    if (outcome === "unparsable") isSafe = false;
  }
  try {
    return parseWithRepairs(parsers, file, scan, isSafe, diagnostics);
  } catch (error) {
    if (error instanceof ParserLimitError) return tooComplex(file, error);
    throw error;
  }
}

function parsed(
  tree: Root,
  { source }: MarkdownSource,
  used: Scan,
  diagnostics: readonly Diagnostic[],
  modules: readonly Root["children"][number][] = [],
): ParsedMarkdown {
  keepIndents(tree, source);
  closeCjkMarks(tree, source);
  tree.children.unshift(...modules);
  const headingIds = new Map(used.headingIds.map(({ line, id }) => [line, id]));
  return { tree, spans: used.spans, headingIds, ok: true, diagnostics };
}

/** The tree of a `.md` file that is not MDX. */
function parsePlain(
  parsers: MarkdownParsers,
  file: MarkdownSource,
  scan: Scan,
  diagnostics: readonly Diagnostic[],
  modules?: readonly Root["children"][number][],
): ParsedMarkdown {
  const html = { ...scan, spans: scan.spans.filter(({ kind }) => kind !== "drop") };
  return parsed(parsers.parseMarkdown(maskSource(file.source, html, file.bodyStart)), file, html, diagnostics, modules);
}

/** Names the section in the middle. */
function splitPage(source: string): string {
  const middle = source.indexOf("\n## ", source.length / 2);
  const title = middle < 0 ? undefined : /## +(.{1,60})/.exec(source.slice(middle, middle + 100))?.[1];
  const place =
    title === undefined ? "" : `, for example before "## ${title}" on line ${pointAt(source, middle + 1).line}`;
  return `split it into several pages${place}.`;
}

function tooComplex(file: MarkdownSource, { limit }: ParserLimitError): ParsedMarkdown {
  const { source, bodyStart } = file;
  if (limit === "nodes") {
    const reason = `The page has more than ${parserLimits.maxNodes} paragraphs, links, bold texts and other elements`;
    return refused(file, "PAGE_TOO_MANY_NODES", reason, 0, splitPage(source));
  }
  const cost =
    limit === "time"
      ? `${parserLimits.maxMs / 1000} seconds of processor time`
      : `${parserLimits.maxBytes / 1024 / 1024} MB of memory`;
  const reason = `Parsing the page takes more than ${cost}; most of its tags, braces and entities are in this passage`;
  const fix = "close every tag and brace, split the passage with blank lines, or split the page.";
  return refused(file, "PAGE_TOO_COMPLEX", reason, mostCrowdedPassage(source, bodyStart), fix);
}

const refused = (file: MarkdownSource, code: string, reason: string, offset: number, fix?: string): ParsedMarkdown =>
  broken(file, { reason, ...pointAt(file.source, offset) }, code, fix);

function parseWithRepairs(
  parsers: MarkdownParsers,
  file: MarkdownSource,
  scan: Scan,
  isSafe: boolean,
  diagnostics: Diagnostic[],
): ParsedMarkdown {
  const { source, sourcePath, bodyStart } = file;
  const done = (tree: Root, used: Scan): ParsedMarkdown => parsed(tree, file, used, diagnostics, modules);
  const use = (fault: SyntaxFault, repair: Repair): void => {
    const described = syntaxDiagnostic(file, fault);
    // A repair shows text; that is what the writer meant only if the advice says so.
    const isAdvised = /^write (?:\\|\[|<\w+[^>]*\/>)/.test(described.fix);
    const edits = described.edits ?? (isAdvised ? editsOf(sourcePath, repair.scan, current) : undefined);
    add({ ...described, what: `${described.what} ${repair.shown}`, ...(edits && { edits }) });
    keep(repair.scan);
  };
  const keep = (repaired: Scan): void => {
    const old = new Set(current.spans);
    repairs.push(...repaired.spans.filter((span) => !old.has(span)));
    current = repaired;
  };
  const places = new Set(diagnostics.map(({ location }) => JSON.stringify(location)));
  /** The tags that other messages advise to write. */
  const advised = new Set<string>();
  /** Two faults that the parser reports can have one cause: a tag lacks the partner that is misspelt. */
  const add = (diagnostic: Diagnostic): void => {
    const { location, edits = [] } = diagnostic;
    const place = JSON.stringify(location);
    const start = offsetAt(source, location?.line ?? 1, location?.column ?? 1);
    const [, slash = "", name] = /^<(\/?)([\w.]+)/.exec(source.slice(start, start + maxTagDistance)) ?? [];
    const isKnown = advised.has(slash ? `<${name}` : `</${name}>`);
    if (!places.has(place) && !isKnown) diagnostics.push(diagnostic);
    places.add(place);
    for (const { replacement, certain } of edits) if (certain) advised.add(replacement);
  };
  const useModules = (repair: ReturnType<typeof repairModules>): boolean => {
    if (repair === undefined) return false;
    repair.diagnostics.forEach(add);
    modules.push(...repair.modules);
    keep(repair.scan);
    return true;
  };
  /** Imports and exports that are hidden from the parser. */
  const modules: Root["children"][number][] = [];
  let areModulesWhole = false;
  /** Whether exports that the parser would cut were hidden, at the first call. */
  const keepModulesWhole = (): boolean => {
    if (areModulesWhole) return false;
    areModulesWhole = true;
    const whole = hideModules(source, current);
    if (whole === undefined) return false;
    modules.push(...whole.modules);
    keep(whole.scan);
    return true;
  };
  /** Spans of the repairs so far. */
  const repairs: Span[] = [];
  const inCode = new Set<number>();
  let fences: readonly FenceRepair[] = [];
  let areFencesSound = false;
  /** Whether fences that do not match were found, at the first call. */
  const endFences = (): boolean => {
    if (areFencesSound || isPlainMarkdown(sourcePath)) return false;
    areFencesSound = true;
    const found = repairFences(source, bodyStart);
    if (found.length === 0) return false;
    const rescanned = scanSource(source, bodyStart, file.latex, { fence: fenceEnds(source, found) });
    if (rescanned.dense.some((region) => checkNesting(source, region) !== undefined)) return false;
    fences = found;
    foreignDiagnostics(file, rescanned.foreign, false).forEach(add);
    for (const { start, end } of found.filter(({ code }) => code === undefined)) add(strayFence(file, start, end));
    current = { ...rescanned, spans: [...rescanned.spans, ...fences.map(fenceSpan)].sort((a, b) => a.start - b.start) };
    return true;
  };
  let marked: MarkedTags | undefined;
  const hideTags = (): boolean => {
    marked = markTags(source, { ...file, repairs, fences, parsers, inCode, isKnown });
    if (marked) current = marked.scan;
    return marked !== undefined;
  };
  const isKnown = file.isKnown ?? (() => true);
  /** Whether a fault is in a tag that is meant as one. */
  const breaksTag = (at: number, { reason }: SyntaxFault): boolean => {
    if (marked !== undefined || !beginsNoTag.test(reason)) return false;
    const open = source.lastIndexOf("<", at);
    const passage = source.slice(open, open + maxTagDistance);
    const name = /^<([A-Za-z][\w.]*)\s/.exec(passage)?.[1];
    const hasAttribute = /^<[A-Za-z][\w.]*(?:\s+[\w:-]+){0,5}\s+[\w:-]+\s*=/.test(passage.slice(0, 200));
    const isTag = name !== undefined && (hasAttribute || passage.includes(`</${name}>`));
    return isTag ? isKnown(name) : closesTag(source, open);
  };
  const maxParses = Math.max(minRepairs, Math.min(maxRepairs, Math.ceil(maxRepairedChars / source.length)));
  let current = scan;
  if (!isSafe) {
    endFences();
    hideTags();
    const unsafe = current.dense.filter((region) => checkNesting(source, region) !== undefined);
    const deep = unsafe.find(({ kind, start }) => kind !== "esm" || !useModules(repairModuleAt(file, start, current)));
    if (deep) return refused(file, "MDX_SYNTAX", "The code is not valid JavaScript", deep.start);
  }
  for (let parses = 0; ; parses++) {
    const isLast = parses >= maxParses;
    try {
      const tree = parsers.parseMdx(maskSource(source, current, bodyStart));
      const repair = isLast ? undefined : repairProse(source, tree, current);
      if (repair !== undefined) {
        use(repair.fault, repair);
        continue;
      }
      if (!isLast && hasFenceFault(tree, source) && endFences()) continue;
      if (file.hasFaultyModule && !isLast && keepModulesWhole()) continue;
      if (useModules(file.hasFaultyModule && !isLast ? repairModules(file, tree, current) : undefined)) continue;
      if (marked === undefined && fences.length === 0) return done(tree, current);
      const rebuilt = rebuildTags(source, tree, marked?.tags ?? new Map(), fences, file.itemsOf ?? (() => []));
      const hidden = new Set(current.spans.filter(({ kind }) => kind === "mark").map(({ start }) => start));
      const missing = rebuilt.missing.filter((at) => hidden.has(at));
      if (missing.length > 0 && inCode.size === 0 && !isLast) {
        for (const at of missing) inCode.add(at);
        hideTags();
        continue;
      }
      if (marked) for (const diagnostic of tagDiagnostics(file, marked, rebuilt.faults)) add(diagnostic);
      return done(rebuilt.tree, current);
    } catch (error) {
      const isFault = error instanceof MarkdownSyntaxError;
      if (isPlainMarkdown(sourcePath) && (isFault || error instanceof ParserLimitError))
        return parsePlain(parsers, file, scan, diagnostics, modules);
      if (!isFault) throw error;
      const { fault } = error;

      const at = offsetAt(source, fault.line, fault.column);
      if (!isLast && (endFences() || keepModulesWhole())) continue;
      const isModule = /import.*export/.test(fault.reason);
      if (useModules(isModule && !isLast ? repairModuleAt(file, at, current) : undefined)) continue;
      if (parses >= maxSingleRepairs && !isLast && marked === undefined && hideTags()) continue;
      const repair = isLast || breaksTag(at, fault) ? undefined : repairFault(source, fault, current);
      if (repair === undefined && !isLast && marked === undefined && hideTags()) continue;
      const shown = repair ?? (isLast ? undefined : showPassage(source, at, current));
      if (shown === undefined) {
        const page = broken(file, fault, "MDX_SYNTAX");
        page.diagnostics.forEach(add);
        return { ...page, diagnostics };
      }
      use(fault, shown);
    }
  }
}

/** The MDX for what the page shows; undefined if an author would write it differently. */
function editsOf(sourcePath: string, repaired: Scan, before: Scan): Edit[] | undefined {
  const old = new Set(before.spans);
  const edits = repaired.spans
    .filter((span) => !old.has(span))
    .map(({ kind, start, end, value }) => {
      const replacement = kind === "literal" ? `\\${value}` : value;
      return { sourcePath, start, end, replacement, certain: kind !== "literal" || /^[<{]$/.test(value) };
    });
  return edits.every(({ certain }) => certain) ? edits : undefined;
}

/** A `.md` file may contain HTML and braces that are not MDX. */
const isPlainMarkdown = (sourcePath: string): boolean => sourcePath.toLowerCase().endsWith(".md");

/** In bytes, without the pictures in addresses, as long as these are not too large. */
function sizeOf(source: string): number {
  let size = Buffer.byteLength(source);
  if (size <= maxSourceBytes || size > maxBytesWithData) return size;
  for (const { 0: begin, index } of source.matchAll(base64Begin)) {
    base64End.lastIndex = index + begin.length;
    size -= (base64End.exec(source)?.index ?? source.length) - index;
  }
  return size;
}

function broken(file: MarkdownSource, fault: SyntaxFault, code: string, fix?: string): ParsedMarkdown {
  const described = syntaxDiagnostic(file, fault);
  const { what, location } = described;
  const { line = 1, column = 1 } = location!;
  const excerpt = line === 1 && file.source.length > maxSourceBytes ? "" : lineAt(file.source, line);
  const shown = excerpt.length > 200 ? `${excerpt.slice(0, 200)}…` : excerpt;
  const tree: Root = { type: "root", children: [{ type: "parseError", reason: what, excerpt: shown, line, column }] };
  const diagnostics = [{ ...described, code, fix: fix ?? described.fix }];
  return { tree, spans: [], headingIds: new Map(), ok: false, diagnostics };
}

/**
 * Most signs in a passage without blank lines; the longest tables written as tags have a few thousand. The native parser
 * cannot be interrupted, and its time grows with the square of the signs: a hundred thousand take minutes.
 */
const maxSigns = 40_000;

const sign = /[&<{]|(?:^|\n)[ \t]*(?:\r?\n|(`{3,}|~{3,}))/g;

/** Offset at which a passage exceeds the limit; undefined if none does. */
function findCrowdedPassage(source: string, bodyStart: number): number | undefined {
  if (source.length - bodyStart <= maxSigns) return undefined;
  for (const { count, at } of signsOf(source, bodyStart)) if (count > maxSigns) return at;
  return undefined;
}

/** Offset of the first sign of the passage with the most signs. */
function mostCrowdedPassage(source: string, bodyStart: number): number {
  let maxCount = 0;
  let start = bodyStart;
  let mostCrowded = bodyStart;
  for (const { count, at } of signsOf(source, bodyStart)) {
    if (count === 1) start = at;
    if (count <= maxCount) continue;
    maxCount = count;
    mostCrowded = start;
  }
  return mostCrowded;
}

/** Each sign outside fenced code, with the number of signs in its passage so far. */
function* signsOf(source: string, bodyStart: number): Generator<{ readonly count: number; readonly at: number }> {
  let count = 0;
  sign.lastIndex = Math.max(0, bodyStart - 1);
  for (let match = sign.exec(source); match !== null; match = sign.exec(source)) {
    const fence = match[1];
    if (fence !== undefined) {
      const end = source.indexOf(`\n${fence}`, sign.lastIndex);
      if (end !== -1) sign.lastIndex = end + 1 + fence.length;
      count = 0;
    } else if (match[0].length > 1) {
      count = 0;
      // The line break may begin the next match.
      sign.lastIndex -= 1;
    } else yield { count: ++count, at: match.index };
  }
}
