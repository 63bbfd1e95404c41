/**
 * Front matter: the `---` block at the top of a page, read as data and nothing else.
 * Nearly all blocks are plain `key: value` lines, which `plain-lines.ts` reads; a YAML parser reads the others.
 */
import { type Diagnostic, type Location, warningOf } from "../../../lib/diagnostic/index.js";
import { withoutNull } from "../../../lib/html/escape.js";
import type { Frontmatter, FrontmatterValue } from "../../../site/site.js";
import { pointAt } from "../location.js";
import { misleadingKeys, misreadValues, withUsualNames } from "./keys.js";
import { isRefusedKey, parsePlainLines, readScalar } from "./plain-lines.js";
import { parseYamlBlock } from "./yaml-block.js";

export interface ParsedFrontmatter {
  readonly frontmatter: Frontmatter;
  /** Offset of the first character after the block and its closing line; 0 without a block. */
  readonly bodyStart: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** The block as offsets into the source. */
interface FrontmatterBlock {
  /** The text between the fences. */
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
  /** False: no closing `---`; the block ends at the first line that is not `key: value`. */
  readonly closed: boolean;
  /** The text after the opening `---` (`js` in `---js`). Only YAML is read. */
  readonly language: string;
  /** The lines of an empty block before it. */
  readonly emptyBlock: string;
}

const warnings = new Set(["FRONTMATTER_INDENT", "FRONTMATTER_KEY_UNKNOWN", "FRONTMATTER_NOT_A_TEXT"]);
const maxBlockChars = 64 * 1024;
/** An empty block before the block is skipped: translators' tools leave one. */
const opening =
  /^\uFEFF?(?:[ \t]*\r?\n)*(?:(---[ \t]*\r?\n(?:[ \t]*\r?\n)*)(?=---[ \t]*\r?\n(?:title|description|sidebarTitle):))?---([^\r\n]*)(?:\r?\n|$)/;
const closing = /^---[ \t]*(?:\r?\n|$)/m;
const keyLine = /[A-Za-z_"'][^\n:]*:(?:[ \t][^\n]*)?\r?(?:\n|$)/y;

/** Finds the block without parsing it; undefined if the page has none. Blank lines can precede it. */
export function findFrontmatter(source: string): FrontmatterBlock | undefined {
  const open = opening.exec(source);
  if (open === null) return undefined;
  const language = open[2]!.trim();
  if (language !== "" && !/^[A-Za-z][\w-]*$/.test(language)) return undefined;
  const emptyBlock = open[1] ?? "";
  const start = open[0].length;
  const close = closing.exec(source.slice(start));
  if (close !== null) {
    const end = start + close.index;
    return { start, end, bodyStart: end + close[0].length, closed: true, language, emptyBlock };
  }
  let end = start;
  for (keyLine.lastIndex = start; end < source.length && keyLine.test(source); ) end = keyLine.lastIndex;
  return end === start ? undefined : { start, end, bodyStart: end, closed: false, language, emptyBlock };
}

/**
 * Reads a page's front matter.
 *
 * In:    `source` as read from disk: byte-order mark, CRLF and blank lines before the block are allowed.
 * Out:   keys that are read in their usual spelling, others as written. Only numbers in their plain form are numbers
 *        (`10.5`, but `10.20` is text); dates, `yes` and `no` are text. Keys that could reach a prototype are left out.
 * Fails: never; mistakes become diagnostics, and the keys that can be read are kept.
 */
export function parseFrontmatter(source: string, sourcePath: string): ParsedFrontmatter {
  const block = findFrontmatter(source);
  if (block === undefined) return { frontmatter: {}, bodyStart: 0, diagnostics: [] };
  const { bodyStart } = block;
  const locationAt = (offset: number, length?: number): Location => {
    const { line, column } = pointAt(source, offset);
    return { sourcePath, line, column, ...(length !== undefined && { length }) };
  };
  const openingAt = source.indexOf("---");
  if (block.language !== "" && block.language !== "yaml" && block.language !== "yml") {
    const what = `The front matter is marked as "${block.language}", but only YAML is supported; the block is left out, and nothing in it was run.`;
    const fix = "use --- as the opening line, and write the values as YAML: one `key: value` per line.";
    return {
      frontmatter: {},
      bodyStart,
      diagnostics: [{ code: "FRONTMATTER_LANGUAGE", severity: "error", what, location: locationAt(openingAt), fix }],
    };
  }
  const diagnostics: Diagnostic[] = [];
  if (!block.closed) {
    diagnostics.push({
      ...warningOf("FRONTMATTER_UNCLOSED"),
      what: "The front matter has no closing --- line, so it is read up to the first line that is not `key: value`.",
      location: locationAt(openingAt),
      fix: "write --- on its own line after the last key.",
      ...(/^\s*(?:\n|$)/.test(source.slice(bodyStart)) && {
        edits: [
          { sourcePath, start: block.end, end: block.end, replacement: endOfBlock(source, block.end), certain: true },
        ],
      }),
    });
  }
  if (block.emptyBlock !== "") {
    const end = openingAt + block.emptyBlock.length;
    diagnostics.push({
      ...warningOf("FRONTMATTER_UNCLOSED"),
      what: "The front matter starts with two --- lines; the first one is ignored.",
      location: locationAt(openingAt),
      fix: "remove the first --- line.",
      edits: [{ sourcePath, start: openingAt, end, replacement: "", certain: true }],
    });
  }
  if (block.end - block.start > maxBlockChars) {
    const what = `The front matter has ${block.end - block.start} characters, but the limit is ${maxBlockChars}; it is left out.`;
    const fix = "move the page's text below the closing ---.";
    diagnostics.push({ code: "FRONTMATTER_TOO_LARGE", severity: "error", what, location: locationAt(openingAt), fix });
    return { frontmatter: {}, bodyStart, diagnostics };
  }
  const text = withoutNull(source.slice(block.start, block.end));
  const plain = parsePlainLines(text);
  const yaml = plain === undefined ? parseYamlBlock(text) : { value: plain, faults: [] };
  const frontmatter = yaml.value ?? salvageLines(text);
  for (const { code, what, offset, length, fix, edits, related, cause } of [
    ...yaml.faults,
    ...misleadingKeys(frontmatter, text),
    // After a syntax error, values can be wrong because of it.
    ...(yaml.faults.length === 0 ? misreadValues(frontmatter, text) : []),
  ]) {
    const severity = warnings.has(code) ? "warning" : "error";
    const location = locationAt(block.start + offset, length);
    const moved = ({ start, end, ...rest }: NonNullable<typeof edits>[number]) => {
      return { sourcePath, start: block.start + start, end: block.start + end, ...rest };
    };
    const place = related && locationAt(block.start + related.offset, related.length);
    diagnostics.push({
      ...{ code, severity, what, location, ...(place && { related: { location: place, what: related.what } }), fix },
      ...(edits && { edits: edits.map(moved) }),
      ...(cause !== undefined && { cause }),
    });
  }
  return { frontmatter: withUsualNames(frontmatter), bodyStart, diagnostics };
}

const endOfBlock = (source: string, end: number): string => (source[end - 1] === "\n" ? "---\n" : "\n---\n");

/** Where the front matter has a key, ignoring case; the whole page if no line begins with it. */
export function locationOfKey(sourcePath: string, source: string, key: string): Location {
  const block = findFrontmatter(source);
  const lines = block && source.slice(block.start, block.end);
  const match = lines && new RegExp(`^["']?${key}["']?[ \\t]*:`, "im").exec(lines);
  if (!block || !match) return { sourcePath };
  const { line, column } = pointAt(source, block.start + match.index);
  return { sourcePath, line, column };
}

/** Reads what it can of a block that is not valid YAML: `key: text` lines at the margin, with the text as typed. */
function salvageLines(text: string): Frontmatter {
  const out: Record<string, FrontmatterValue> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^(["']?)([A-Za-z_][\w:-]*)\1:[ \t]+(.*\S)[ \t]*$/.exec(line);
    if (match === null || isRefusedKey(match[2]!)) continue;
    const typed = match[3]!;
    const value = readScalar(typed);
    out[match[2]!] = value === undefined ? typed.replace(/^(["'])(.*)\1$/, "$2") : value;
  }
  return out;
}
