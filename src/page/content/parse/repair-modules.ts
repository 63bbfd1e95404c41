/**
 * Leaves out imports and exports that are not valid JavaScript, one by one, so that the others and the text stay. Of one that
 * text follows directly, only the text is not JavaScript.
 */
import type { Root } from "mdast";
import type { MdxjsEsm } from "mdast-util-mdx";
import type { Diagnostic } from "../../../lib/diagnostic/index.js";
import { skipEsm } from "../../../lib/jsx/skip-code.js";
import { parseModule } from "../expressions/estree.js";
import { pointAt } from "../location.js";
import { moduleFault, moduleNodes } from "../module-parts.js";
import type { Scan } from "./mask-source.js";
import { moduleCode, withSpans } from "./repair.js";

interface ModuleRepair {
  readonly scan: Scan;
  /** Valid imports and exports that the parser no longer sees. */
  readonly modules: readonly MdxjsEsm[];
  readonly diagnostics: readonly Diagnostic[];
}
type File = { readonly source: string; readonly sourcePath: string };

/** Exports of a page that are looked at: each may be read up to the end of the page. */
const maxExports = 200;

/**
 * Hides exports that the fast parser would end at a blank line in the text of JSX, although they are valid.
 * @returns undefined if there are none; else the nodes to put into the tree in their place.
 */
export function hideModules(source: string, scan: Scan): Pick<ModuleRepair, "scan" | "modules"> | undefined {
  const modules: MdxjsEsm[] = [];
  let repaired: Scan | undefined = scan;
  let last = 0;
  let left = maxExports;
  let isInFence = false;
  for (const { index: start } of source.matchAll(/^export\b/gm)) {
    if (start < last) continue;
    if (left-- === 0) break;
    const fences = source.slice(last, start).match(/^[ \t]*(?:`{3,}|~{3,})/gm)?.length ?? 0;
    isInFence = isInFence !== (fences % 2 === 1);
    last = start;
    const value = isInFence ? "" : source.slice(start, skipEsm(source, start)).trimEnd();
    if (!/\n[ \t]*\r?\n/.test(value) || !moduleCode.test(value) || parseModule(value).kind === "fault") continue;
    last = start + value.length;
    repaired = hide(repaired, start, last);
    if (repaired === undefined) return undefined;
    modules.push(moduleAt(source, start, last));
  }
  return modules.length === 0 ? undefined : { scan: repaired, modules };
}

function hide(scan: Scan, start: number, end: number): Scan | undefined {
  const kept: Scan = { ...scan, spans: scan.spans.filter((span) => span.end <= start || span.start >= end) };
  return withSpans(kept, [{ kind: "drop", start, end, value: "" }]);
}

const moduleAt = (source: string, start: number, end: number): MdxjsEsm => ({
  type: "mdxjsEsm",
  value: source.slice(start, end),
  position: { start: pointAt(source, start), end: pointAt(source, end) },
});

const nextStatement = /\n(?=(?:import|export)\b)|\n[ \t]*\r?\n(?=[ \t]*\S)|$(?![\s\S])/g;
/** A line of code after a blank line; other lines are text of the page. */
const codeLine =
  /^(?:[ \t}\])]|\/[/*]|\*|(?:const|let|var|function|return|if|else|for|while|switch|case|class|async|await|type|interface)\b)|(?:=>|[;{(,[])\s*$/;

/** For a parser that takes any text for a module. Undefined if all are valid. */
export function repairModules(file: File, tree: Root, scan: Scan): ModuleRepair | undefined {
  const starts = [...moduleNodes(tree)].flatMap((node) => {
    const { start, end } = node.position!;
    const text = file.source.slice(start.offset, end.offset);
    return [...text.matchAll(/^(?:import|export)\b/gm)].map(({ index }) => start.offset! + index);
  });
  return leaveOut(file, starts, scan);
}

/** For a parser that refuses the page, also for a name that is declared twice. @param at offset of the fault */
export function repairModuleAt(file: File, at: number, scan: Scan): ModuleRepair | undefined {
  const { source } = file;
  let start = at + 1;
  do {
    start = Math.max(source.lastIndexOf("\nimport", start - 2), source.lastIndexOf("\nexport", start - 2)) + 1;
  } while (start > 0 && !moduleCode.test(source.slice(start, start + 1000)));
  return leaveOut(file, start > 0 || moduleCode.test(source.slice(0, 1000)) ? [start] : [], scan, true);
}

/** @param hidesValid whether the parser must not see valid statements either */
function leaveOut(
  { source, sourcePath }: File,
  starts: readonly number[],
  scan: Scan,
  hidesValid = false,
): ModuleRepair | undefined {
  const diagnostics: Diagnostic[] = [];
  const modules: MdxjsEsm[] = [];
  let repaired: Scan | undefined = scan;
  const isShown = (start: number): boolean => !scan.spans.some((span) => span.kind === "drop" && span.start === start);
  for (const start of starts) {
    const end = statementEnd(source, start);
    const { line, column } = pointAt(source, start);
    const fault = moduleFault({ text: source.slice(start, end), sourcePath, line, column, shift: 0 });
    if (fault === undefined && !(hidesValid && isShown(start))) continue;
    const textStart = fault && textAfter(source, start, end);
    if (textStart === undefined) fault ? diagnostics.push(fault) : modules.push(moduleAt(source, start, end));
    else {
      modules.push(moduleAt(source, start, textStart - 1));
      diagnostics.push({ ...fault!, ...followedByText(source, textStart, sourcePath) });
    }
    repaired = hide(repaired, start, textStart ?? end);
    if (repaired === undefined) return undefined;
  }
  return repaired === scan ? undefined : { scan: repaired, modules, diagnostics };
}

function followedByText(source: string, textStart: number, sourcePath: string) {
  const location = { sourcePath, line: pointAt(source, textStart).line, column: 1 };
  if (source.startsWith("</script", textStart))
    return {
      location,
      what: "The import or export before this line is in a <script>, which a page cannot have; the tags are shown as text.",
      fix: 'remove <script> and </script>, or write the code in a snippet: import { … } from "/snippets/….jsx".',
    };
  const what =
    "This line directly follows an import or export, so other tools read it as JavaScript; here it is read as Markdown.";
  return { location, what, fix: "put a blank line before it." };
}

/** Lines of an import or export that text may follow. */
const maxLines = 20;

/** The offset of the first line that is text of the page, if the lines before it are a valid import or export. */
function textAfter(source: string, start: number, end: number): number | undefined {
  let at = start;
  for (let lines = 0; lines < maxLines; lines++) {
    at = source.indexOf("\n", at) + 1;
    if (at === 0 || at >= end) return undefined;
    const line = source.slice(at, at + 500).split("\n", 1)[0]!;
    if (line.trim() !== "" && !codeLine.test(line) && parseModule(source.slice(start, at)).kind === "tree") return at;
  }
  return undefined;
}

/** The offset after an import or export that is not valid JavaScript; undefined for a valid one. */
export function endOfFaulty(source: string, start: number): number | undefined {
  const isValid = parseModule(source.slice(start, skipEsm(source, start))).kind !== "fault";
  return isValid ? undefined : statementEnd(source, start);
}

/** Before the next import or export, or the text after a blank line. */
function statementEnd(source: string, start: number): number {
  nextStatement.lastIndex = start + 1;
  for (let match = nextStatement.exec(source); match !== null; match = nextStatement.exec(source)) {
    const line = /^[^\n]*/.exec(source.slice(nextStatement.lastIndex, nextStatement.lastIndex + 500))![0];
    const isStatement = !/\n[ \t]*\r?\n/.test(match[0]);
    if (isStatement || /^(?:import|export)\b/.test(line) || !codeLine.test(line)) return match.index;
  }
  return source.length;
}
