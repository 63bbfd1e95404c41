import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Diagnostic, type Edit, type ExportResult, formatDiagnostic } from "../index.js";
import { positionFinder, withLineFeeds } from "../lib/diagnostic/index.js";
import { engineVersion } from "../lib/package-root.js";
import { encodePath } from "../lib/url/index.js";
import type { Environment } from "./environment.js";
import type { ExportArguments } from "./export-arguments.js";
import { painter } from "./painter.js";

const errorsShown = 20;
const warningsShownPerCode = 3;

/** Prints the diagnostics: as text on stderr, in any other format on stdout. */
export function printDiagnostics(
  result: Pick<ExportResult, "ok" | "diagnostics">,
  args: ExportArguments,
  environment: Environment,
): void {
  const { stdout } = environment;
  const { diagnostics } = result;
  if (args.display === "json")
    for (const each of diagnostics) stdout.write(`${JSON.stringify({ type: "diagnostic", ...each })}\n`);
  else if (args.format === "github") for (const each of diagnostics) stdout.write(`${annotation(each, args.site)}\n`);
  else if (args.format === "sarif") stdout.write(`${JSON.stringify(sarifLog(diagnostics, args.site), null, 2)}\n`);
  else if (args.display !== "quiet" || !result.ok) printText(diagnostics, args, environment);
}

function printText(diagnostics: readonly Diagnostic[], args: ExportArguments, { stderr, env }: Environment): void {
  const shown = args.all ? diagnostics : firstOfEach(diagnostics);
  const readText = createReader(args.site);
  // The site as the user typed it, so that terminals and editors find the file.
  const pathOf = (sourcePath: string): string => join(args.site, sourcePath);
  const color = painter(stderr, env);
  const paint = (text: string, severity: Diagnostic["severity"]): string =>
    color(text, severity === "error" ? "red" : "yellow");
  for (const each of shown) stderr.write(`${formatDiagnostic(each, readText, { pathOf, paint })}\n\n`);
  const [first] = shown;
  if (first && shown.length === diagnostics.length)
    stderr.write(`"offprint explain ${first.code}" says more about a code.\n\n`);
  if (shown.length === diagnostics.length) return;
  const visible = Map.groupBy(shown, ({ code }) => code);
  for (const [code, all] of Map.groupBy(diagnostics, (each) => each.code)) {
    const hidden = all.length - (visible.get(code)?.length ?? 0);
    const files = new Set(all.map(({ location }) => location?.sourcePath)).size;
    if (hidden > 0)
      stderr.write(`… and ${counted(hidden)} more ${code} in ${counted(files)} file${files === 1 ? "" : "s"}\n`);
  }
  stderr.write(
    `--all prints each, --report file.json writes them. "offprint explain ${first!.code}" says more about a code.\n\n`,
  );
}

/** The first errors, and the first warnings of each code. */
function firstOfEach(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map<string, number>();
  return diagnostics.filter(({ code, severity }) => {
    const key = severity === "error" ? "error" : code;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count <= (severity === "error" ? errorsShown : warningsShownPerCode);
  });
}

/** Reads files of the site for code frames, each once. */
export function createReader(site: string): (sourcePath: string) => string | undefined {
  const texts = new Map<string, string | undefined>();
  return (sourcePath) => {
    if (!texts.has(sourcePath)) {
      try {
        texts.set(sourcePath, readFileSync(join(site, sourcePath), "utf8"));
      } catch {
        texts.set(sourcePath, undefined);
      }
    }
    return texts.get(sourcePath);
  };
}

/** A file of the site from the working directory, with `/`. */
const pathHere = (site: string, sourcePath: string): string =>
  relative(".", join(site, sourcePath)).replaceAll("\\", "/");

/** A workflow command of GitHub Actions, which marks the line in a pull request. */
function annotation({ severity, code, what, fix, location }: Diagnostic, site: string): string {
  const { sourcePath, line, column, length } = location ?? {};
  const properties = {
    file: sourcePath === undefined ? undefined : pathHere(site, sourcePath),
    line,
    col: column,
    endColumn: column === undefined || length === undefined ? undefined : column + length,
    title: code,
  };
  const list = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeData(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`],
  );
  return `::${severity} ${list.join(",")}::${escapeData(`${what}\nfix: ${fix}`)}`;
}

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** SARIF 2.1.0, the format of code scanning. */
function sarifLog(diagnostics: readonly Diagnostic[], site: string): object {
  const rules = [...new Set(diagnostics.map(({ code }) => code))].sort().map((id) => ({ id }));
  const readText = createReader(site);
  const results = diagnostics.map(({ code, severity, what, fix, location, edits }) => ({
    ruleId: code,
    level: severity,
    message: { text: `${what}\nfix: ${fix}` },
    ...(location && { locations: [{ physicalLocation: physicalLocation(location, site) }] }),
    ...(edits && { fixes: [sarifFix(fix, edits, site, readText)] }),
  }));
  const driver = { name: "Offprint", version: engineVersion(), rules };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  };
}

/** Viewers offer it, so the edits need not be certain. */
function sarifFix(
  text: string,
  edits: readonly Edit[],
  site: string,
  readText: ReturnType<typeof createReader>,
): object {
  const artifactChanges = [...Map.groupBy(edits, ({ sourcePath }) => sourcePath)].map(([sourcePath, own]) => {
    const positionOf = positionFinder(withLineFeeds(readText(sourcePath) ?? "").replace(/^\ufeff/, ""));
    const replacements = own.map(({ start, end, replacement }) => {
      const [from, to] = [positionOf(start), positionOf(end)];
      const region = { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column };
      return { deletedRegion: region, insertedContent: { text: replacement } };
    });
    return { artifactLocation: { uri: encodePath(pathHere(site, sourcePath)) }, replacements };
  });
  return { description: { text }, artifactChanges };
}

function physicalLocation({ sourcePath, line, column, length }: NonNullable<Diagnostic["location"]>, site: string) {
  const region = {
    startLine: line,
    startColumn: column,
    endColumn: column === undefined || length === undefined ? undefined : column + length,
  };
  return { artifactLocation: { uri: encodePath(pathHere(site, sourcePath)) }, ...(line !== undefined && { region }) };
}

const counted = (n: number): string => n.toLocaleString("en-US");
