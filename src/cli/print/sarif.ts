import type { Diagnostic, Edit } from "../../index.js";
import { positionFinder, withLineFeeds } from "../../lib/diagnostic/index.js";
import { engineVersion } from "../../lib/package-root.js";
import { encodePath } from "../../lib/url/index.js";
import { codes, explanation, withoutLinks } from "../codes.js";
import { createReader, type SiteReader } from "../site-source.js";
import { pathFromHere } from "./terminal.js";

/**
 * The diagnostics as SARIF 2.1.0, the format of code scanning. Each code is a rule, with the text of `offprint explain` as
 * its help.
 *
 * @param site folder as typed; files are named from the working directory.
 */
export function sarifLog(diagnostics: readonly Diagnostic[], site: string): object {
  const ids = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const readText = createReader(site);
  const results = diagnostics.map(({ code, severity, what, fix, location, related, edits }) => ({
    ruleId: code,
    ruleIndex: ids.indexOf(code),
    level: levelOf(severity),
    message: { text: `${what}\nfix: ${fix}` },
    ...(location && { locations: [{ physicalLocation: physicalLocation(location, site) }] }),
    ...(related && {
      relatedLocations: [
        { physicalLocation: physicalLocation(related.location, site), message: { text: related.what } },
      ],
    }),
    ...(edits && { fixes: [sarifFix(fix, edits, site, readText)] }),
  }));
  const driver = { name: "Offprint", version: engineVersion(), rules: ids.map(ruleOf) };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  };
}

const levelOf = (severity: string): string => (severity === "hint" ? "note" : severity);

/** The help is a text: the handbook has no public address for a `helpUri`. */
function ruleOf(id: string): object {
  const entry = codes.find(({ code }) => code === id);
  if (!entry) return { id };
  const meaning = withoutLinks(entry.meaning);
  const help = explanation(entry);
  return {
    id,
    shortDescription: { text: meaning },
    fullDescription: { text: meaning },
    help: { text: help, markdown: `\`\`\`\`text\n${help}\`\`\`\`\n` },
    defaultConfiguration: { level: levelOf(entry.kind.split(", ")[0]!) },
  };
}

/** Viewers offer it, so the edits need not be certain. */
function sarifFix(text: string, edits: readonly Edit[], site: string, readText: SiteReader): object {
  const artifactChanges = [...Map.groupBy(edits, ({ sourcePath }) => sourcePath)].map(([sourcePath, fileEdits]) => {
    const positionOf = positionFinder(withLineFeeds(readText(sourcePath) ?? "").replace(/^\ufeff/, ""));
    const replacements = fileEdits.map(({ start, end, replacement }) => {
      const [from, to] = [positionOf(start), positionOf(end)];
      const region = { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column };
      return { deletedRegion: region, insertedContent: { text: replacement } };
    });
    return { artifactLocation: { uri: encodePath(pathFromHere(site, sourcePath)) }, replacements };
  });
  return { description: { text }, artifactChanges };
}

function physicalLocation({ sourcePath, line, column, length }: NonNullable<Diagnostic["location"]>, site: string) {
  const region = {
    startLine: line,
    startColumn: column,
    endColumn: column === undefined || length === undefined ? undefined : column + length,
  };
  const uri = encodePath(pathFromHere(site, sourcePath));
  return { artifactLocation: { uri }, ...(line !== undefined && { region }) };
}
