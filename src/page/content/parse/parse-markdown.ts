/** Parses one file to its tree. Nothing is evaluated or included yet. */
import type { Root } from "mdast";
import type { Diagnostic, Edit } from "../../../lib/diagnostic/index.js";
import { createPointFinder, lineAt, type PointFinder, pointAt } from "../location.js";
import { type MarkdownParsers, MarkdownSyntaxError, type SyntaxFault } from "./markdown-parsers.js";
import { maskSource, type Scan, type Span } from "./mask-source.js";
import { checkNesting, isDensePage } from "./nesting.js";
import { ParserLimitError, parserLimits } from "./parser-limits.js";
import { createRecovery, type Repair, repairFault, repairProse } from "./repair.js";
import { needsScan, scanSource } from "./scan-source.js";
import { describeFault } from "./syntax-fault.js";

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

interface MarkdownSource {
  readonly source: string;
  readonly sourcePath: string;
  /** Where the front matter ends. */
  readonly bodyStart: number;
  /** Whether `$` may open a formula. */
  readonly latex: boolean;
}

const maxSourceBytes = 2 * 1024 * 1024;

/** A page with more mistakes is shown as broken. The limit is lower for a long page, since each repair costs a parse. */
const maxRepairs = 30;
const maxRepairedChars = 150_000;
const noScan: Scan = { spans: [], headingIds: [], comments: [], dense: [] };

export function parseMarkdown(parsers: MarkdownParsers, file: MarkdownSource): ParsedMarkdown {
  const { source, bodyStart } = file;
  if (source.length > maxSourceBytes || Buffer.byteLength(source) > maxSourceBytes) {
    const reason = `The file holds ${Buffer.byteLength(source)} bytes; at most ${maxSourceBytes} are read`;
    return refused(file, "PAGE_TOO_LARGE", reason, 0, splitPage(source));
  }
  const crowded = findCrowdedPassage(source, bodyStart);
  if (crowded !== undefined) {
    const reason = "The text up to here has more tags, braces and entities than can be read at once";
    const fix = "put an empty line above this one, and between such lines.";
    return refused(file, "PASSAGE_TOO_LARGE", reason, crowded, fix);
  }
  const scan = isDensePage(source) || needsScan(source) ? scanSource(source, bodyStart, file.latex) : noScan;
  const findPoint = createPointFinder(source);
  const diagnostics = isPlainMarkdown(file.sourcePath)
    ? []
    : scan.comments.map((offset) => commentWarning(file, findPoint, offset));
  for (const region of scan.dense) {
    const outcome = checkNesting(source, region);
    if (outcome === "deep") {
      const reason = "The code is nested too deep to be read";
      return refused(file, "NESTING_TOO_DEEP", reason, region.start, "nest fewer brackets.");
    }
    if (outcome === "unparsable") return refused(file, "MDX_SYNTAX", "The code is not valid JavaScript", region.start);
  }
  try {
    return parseWithRepairs(parsers, file, scan, diagnostics);
  } catch (error) {
    if (error instanceof ParserLimitError) return tooComplex(file, error);
    throw error;
  }
}

/** Names the section in the middle. */
function splitPage(source: string): string {
  const middle = source.indexOf("\n## ", source.length / 2);
  const title = middle < 0 ? undefined : /## +(.{1,60})/.exec(source.slice(middle, middle + 100))?.[1];
  const place =
    title === undefined ? "" : `, for example before "## ${title}" in line ${pointAt(source, middle + 1).line}`;
  return `split it into several pages${place}.`;
}

function tooComplex(file: MarkdownSource, { limit }: ParserLimitError): ParsedMarkdown {
  const { source, bodyStart } = file;
  if (limit === "nodes") {
    const reason = `The page has more than ${parserLimits.maxNodes} paragraphs, words in bold, links and the like`;
    return refused(file, "PAGE_TOO_MANY_NODES", reason, 0, splitPage(source));
  }
  const cost =
    limit === "time"
      ? `${parserLimits.maxMs / 1000} seconds of processor time`
      : `${parserLimits.maxBytes / 1024 / 1024} MB of memory`;
  const reason = `Parsing the page takes more than ${cost}; this passage has most of its tags, braces and entities`;
  const fix = "close every tag and brace, split the passage with blank lines, or the page into several.";
  return refused(file, "PAGE_TOO_COMPLEX", reason, mostCrowdedPassage(source, bodyStart), fix);
}

const refused = (file: MarkdownSource, code: string, reason: string, offset: number, fix?: string): ParsedMarkdown =>
  broken(file, { reason, ...pointAt(file.source, offset) }, code, fix);

function parseWithRepairs(
  parsers: MarkdownParsers,
  file: MarkdownSource,
  scan: Scan,
  diagnostics: Diagnostic[],
): ParsedMarkdown {
  const { source, sourcePath, bodyStart } = file;
  const done = (tree: Root, used: Scan): ParsedMarkdown =>
    unreadable
      ? { ...unreadable, diagnostics }
      : {
          tree,
          spans: used.spans,
          headingIds: new Map(used.headingIds.map(({ line, id }) => [line, id])),
          ok: true,
          diagnostics,
        };
  const report = (fault: SyntaxFault, repair: Repair): void => {
    const described = syntaxError(file, fault);
    const edits = editsOf(sourcePath, repair.scan, current);
    add({ ...described, what: `${described.what} ${repair.shown}`, ...(edits && { edits }) });
  };
  /** Two faults that the parser reports can have one cause. */
  const add = (diagnostic: Diagnostic): void => {
    const isAt = (each: Diagnostic) => JSON.stringify(each.location) === JSON.stringify(diagnostic.location);
    if (!diagnostics.some(isAt)) diagnostics.push(diagnostic);
  };
  const recover = createRecovery(source);
  /** Set by the first fault that cannot be repaired. */
  let unreadable: ParsedMarkdown | undefined;
  const allowed = Math.min(maxRepairs, Math.ceil(maxRepairedChars / source.length));
  let current = scan;
  for (let repairs = 0; ; repairs++) {
    try {
      const tree = parsers.parseMdx(maskSource(source, current, bodyStart));
      const repair = repairs < allowed ? repairProse(source, tree, current) : undefined;
      if (repair === undefined) return done(tree, current);
      report(repair.fault, repair);
      current = repair.scan;
    } catch (error) {
      const isFault = error instanceof MarkdownSyntaxError;
      if (isPlainMarkdown(sourcePath) && (isFault || error instanceof ParserLimitError)) {
        const html = { ...scan, spans: scan.spans.filter(({ kind }) => kind !== "drop") };
        return done(parsers.parseMarkdown(maskSource(source, html, bodyStart)), html);
      }
      if (unreadable && error instanceof ParserLimitError) return { ...unreadable, diagnostics };
      if (!isFault) throw error;
      const { fault } = error;
      const repair = repairs < allowed ? repairFault(source, fault, current) : undefined;
      if (repair !== undefined) {
        report(fault, repair);
        current = repair.scan;
        continue;
      }
      const recovery = repairs < allowed ? recover(fault, current) : undefined;
      if (!recovery?.isConsequence) {
        const shown = broken(file, fault, "MDX_SYNTAX");
        shown.diagnostics.forEach(add);
        unreadable ??= shown;
      }
      if (recovery === undefined) return { ...unreadable!, diagnostics };
      current = recovery.scan;
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

function syntaxError({ source, sourcePath }: MarkdownSource, fault: SyntaxFault): Diagnostic {
  const { what, fix, ...place } = describeFault(source, fault);
  return { code: "MDX_SYNTAX", severity: "error", what, location: { sourcePath, ...place }, fix };
}

function broken(file: MarkdownSource, fault: SyntaxFault, code: string, fix?: string): ParsedMarkdown {
  const described = syntaxError(file, fault);
  const { what, location } = described;
  const { line = 1, column = 1 } = location!;
  const excerpt = line === 1 && file.source.length > maxSourceBytes ? "" : lineAt(file.source, line);
  const shown = excerpt.length > 200 ? `${excerpt.slice(0, 200)}…` : excerpt;
  return {
    tree: { type: "root", children: [{ type: "parseError", reason: what, excerpt: shown, line, column }] },
    spans: [],
    headingIds: new Map(),
    ok: false,
    diagnostics: [{ ...described, code, fix: fix ?? described.fix }],
  };
}

function commentWarning(file: MarkdownSource, findPoint: PointFinder, offset: number): Diagnostic {
  const { line, column } = findPoint(offset);
  return {
    code: "HTML_COMMENT",
    severity: "warning",
    what: "MDX has no HTML comments; this one is left out of the page.",
    location: { sourcePath: file.sourcePath, line, column, length: 4 },
    fix: `write ${commentOf(file.source.slice(offset))}`,
    ...commentEdits(file, offset),
  };
}

/** A short comment as MDX. */
const commentOf = (html: string): string => {
  const text = /^<!--([^\n]{0,80}?)-->/.exec(html)?.[1];
  return text === undefined || text.includes("*/") ? "{/* … */} for a comment." : `{/*${text}*/}`;
};

function commentEdits({ source, sourcePath }: MarkdownSource, start: number): Pick<Diagnostic, "edits"> {
  const end = source.indexOf("-->", start + 4);
  if (end === -1 || /\*\/|-$/.test(source.slice(start + 4, end))) return {};
  return {
    edits: [
      { sourcePath, start, end: start + 4, replacement: "{/*", certain: true },
      { sourcePath, start: end, end: end + 3, replacement: "*/}", certain: true },
    ],
  };
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
