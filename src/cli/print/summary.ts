import { relative } from "node:path";
import { styleText } from "node:util";
import type { Diagnostic, ExportResult, QuestionUsage, Shard, ShardResult } from "../../index.js";
import { isRepairable } from "../../lib/diagnostic/index.js";
import type { Environment } from "../environment.js";
import { byCode, printDiagnostics, type ReportOptions, severityColors } from "./diagnostics.js";
import { count, digits } from "./terminal.js";

interface SummaryOptions extends ReportOptions {
  readonly command: "export" | "check";
  readonly strict: boolean;
}

/** Prints the outcome of the run on stdout; on stderr if stdout has a document. */
export async function printSummary(
  result: ExportResult,
  options: SummaryOptions,
  elapsedMs: number,
  environment: Environment,
): Promise<void> {
  const { diagnostics, size, external, output, archive } = result;
  if (options.display === "json") {
    const { diagnostics: _, manifest: _files, size: _size, ...rest } = result;
    const line = { type: "result", ...rest, fileCount: size?.fileCount, elapsedMs };
    environment.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  if (options.display === "quiet") return;
  const lines = [
    headline(result, options, elapsedMs),
    ...(await tally(
      options.command === "check" ? diagnostics : diagnostics.filter(({ severity }) => severity !== "hint"),
    )),
    ...missingApis(diagnostics),
    ...advice(diagnostics),
  ];
  if (external.length > 0)
    lines.push(
      `  ${count(external.length, "request")} to other hosts or scripts in the site's own content (see --report)`,
    );
  if (result.questions) lines.push(`  ${questionsLine(result.questions)}`);
  if (output && size)
    lines.push(
      `  ${count(size.fileCount, "file")}, ${readableBytes(size.bytes)}: open ${pathFromHere(output)}/index.html`,
    );
  if (archive) lines.push(`  ${pathFromHere(archive.path)}  ${readableBytes(archive.bytes)}  sha256 ${archive.sha256}`);
  if (options.verbose) lines.push(...stages(result));
  summaryStream(options, environment).write(`${lines.join("\n")}\n`);
}

/** What the questions of readers cost. */
function questionsLine({ sections, cached, requests, promptTokens, completionTokens }: QuestionUsage): string {
  const tokens = digits(promptTokens + completionTokens);
  return `questions of readers for ${count(sections, "section")}, ${cached} from the cache; ${count(requests, "request")} with ${tokens} tokens`;
}

const summaryStream = ({ format }: ReportOptions, { stdout, stderr }: Environment): NodeJS.WriteStream =>
  format === "sarif" ? stderr : stdout;

/** How long each stage took, the longest first. Stages of pages are added up over all threads. */
function stages({ timings, threads }: ExportResult): string[] {
  const sorted = Object.entries(timings).toSorted((a, b) => b[1] - a[1]);
  const width = Math.max(...sorted.map(([stage]) => stage.length));
  const rows = sorted.map(([stage, ms]) => `  ${stage.padEnd(width)}  ${digits(Math.round(ms)).padStart(8)} ms`);
  return threads === 0 ? rows : [`  pages were rendered by ${count(threads, "thread")}`, ...rows];
}

function headline(result: ExportResult, { command, strict }: SummaryOptions, elapsedMs: number): string {
  if (!result.ok)
    return styleText("red", strict ? "Nothing was replaced: the site has errors." : "Nothing could be exported.");
  const pages = count(result.pageCount, "page");
  if (result.unchanged)
    return `${styleText("green", "Nothing has changed")} since the last export of "${result.siteName}" (${pages}, ${seconds(elapsedMs)})`;
  const verb = command === "check" ? "Checked" : "Exported";
  return `${styleText("green", verb)} ${pages} of "${result.siteName}" in ${seconds(elapsedMs)}`;
}

/** How many of each code, the worst first, with what the code means. */
async function tally(diagnostics: readonly Diagnostic[]): Promise<string[]> {
  if (diagnostics.length === 0) return [];
  const { codes, withoutLinks } = await import("../codes.js");
  const meaningOf = (code: string): string =>
    shortText(withoutLinks(codes.find((entry) => entry.code === code)?.meaning ?? ""));
  const groups = byCode(diagnostics);
  const columns = { count: widest(groups.map(countOf)), code: widest(groups.map(([code]) => code)) };
  return (["error", "warning", "hint"] as const).flatMap((severity) => {
    const ofSeverity = groups.filter(([, [first]]) => first!.severity === severity);
    if (ofSeverity.length === 0) return [];
    const total = ofSeverity.reduce((sum, [, { length }]) => sum + length, 0);
    const lines = ofSeverity.map((group) => {
      const [code, matches] = group;
      const repairable = matches.filter(isRepairable).length;
      const share = repairable === matches.length ? "all" : digits(repairable);
      const fix = repairable === 0 ? "" : ` (fix: ${share})`;
      return `  ${countOf(group).padStart(columns.count + 2)} ${code.padEnd(columns.code)}  ${meaningOf(code)}${fix}`;
    });
    return [`  ${styleText(severityColors[severity], count(total, severity))}`, ...lines];
  });
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));
const countOf = ([, { length }]: readonly [code: string, matches: readonly Diagnostic[]]): string => digits(length);

/** The first sentence, on one line of a terminal. */
function shortText(markdown: string): string {
  const meaning = markdown.replaceAll("`", "");
  const [sentence = ""] = /^.*?[.:](?=\s|$)/s.exec(meaning) ?? [meaning];
  const text = sentence.replace(/[.:]$/, "");
  return text.length > maxMeaning ? `${text.slice(0, maxMeaning - 1).trimEnd()}…` : text;
}
const maxMeaning = 70;

/** Codes of specifications that have no pages, or whose pages lack their content. */
const lostApi = /^SPEC_(?:VERSION|NOT_RECOGNIZED|SYNTAX|EMPTY|TOO_LARGE|TOO_DEEP)$/;
const maxListed = 5;

/** A bundle that lacks the pages of an API looks complete, so the last lines say what is missing. */
function missingApis(diagnostics: readonly Diagnostic[]): string[] {
  const lost = diagnostics.filter(({ code, severity }) => severity === "error" && lostApi.test(code));
  const more = lost.length - maxListed;
  return [
    ...lost.slice(0, maxListed).map(({ what }) => `  ${styleText("red", "API incomplete:")} ${what}`),
    ...(more > 0 ? [`  … and ${digits(more)} more`] : []),
  ];
}

function advice(diagnostics: readonly Diagnostic[]): string[] {
  const repairable = diagnostics.filter(isRepairable).length;
  return repairable === 0 ? [] : [`  "offprint fix" repairs ${digits(repairable)} of these`];
}

const pathFromHere = (path: string): string => relative(".", path) || ".";
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const readableBytes = (bytes: number): string =>
  bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Prints the outcome of `offprint export --shard`. The diagnostics of its pages are reported by the export of the site. */
export async function printShard(
  result: ShardResult,
  options: ReportOptions & { readonly shard: Shard },
  elapsedMs: number,
  environment: Environment,
): Promise<void> {
  const { shard, display } = options;
  await printDiagnostics(result, options, environment);
  if (display === "json") {
    const { diagnostics: _, ...rest } = result;
    environment.stdout.write(`${JSON.stringify({ type: "result", shard, ...rest, elapsedMs })}\n`);
    return;
  }
  if (display === "quiet") return;
  const [shardPages, allPages, rendered] = [result.shardPages, result.pageCount, result.made].map(digits);
  summaryStream(options, environment).write(
    result.ok
      ? `${styleText("green", `Shard ${shard.index} of ${shard.count}`)} of "${result.siteName}": ${shardPages} of ${allPages} pages, ${rendered} rendered now, in ${seconds(elapsedMs)}\n`
      : `${styleText("red", "Nothing could be rendered.")}\n`,
  );
}
