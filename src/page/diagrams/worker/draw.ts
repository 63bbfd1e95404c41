import mermaid, { type MermaidConfig } from "mermaid";
import { hasOwnColors, themeVariables } from "../placeholder-colors.js";
import type { WorkerReply } from "../worker-process.js";

type Outcome = WorkerReply extends infer Reply ? (Reply extends unknown ? Omit<Reply, "id"> : never) : never;

/** The id of a diagram while it is drawn. */
const temporaryId = "diagram";

const common: MermaidConfig = {
  startOnLoad: false,
  suppressErrorRendering: true,
  securityLevel: "strict",
  htmlLabels: false,
  flowchart: { htmlLabels: false, useMaxWidth: false, subGraphTitleMargin: { top: 4, bottom: 10 } },
  // Draws text as SVG text; the default is HTML.
  journey: { textPlacement: "tspan" },
  gantt: { fontSize: 13, sectionFontSize: 13, barHeight: 24 },
  deterministicIds: true,
  deterministicIDSeed: "offprint",
  handDrawnSeed: 1,
  maxTextSize: 100_000,
  maxEdges: 2_000,
  fontFamily: "Inter Variable",
  logLevel: "fatal",
  // Settings that a diagram's own directive cannot change.
  secure: [
    ..."secure securityLevel startOnLoad maxTextSize maxEdges suppressErrorRendering htmlLabels".split(" "),
    ..."themeCSS fontFamily altFontFamily deterministicIds deterministicIDSeed handDrawnSeed".split(" "),
    ..."dompurifyConfig logLevel".split(" "),
  ],
};

/** Draws one diagram. Any failure is returned as a message. */
export async function drawOne(source: string): Promise<Outcome> {
  const ownColors = hasOwnColors(source);
  mermaid.initialize(
    ownColors ? { ...common, theme: "default" } : { ...common, theme: "base", themeVariables: themeVariables() },
  );
  try {
    const { svg } = await mermaid.render(temporaryId, source);
    return { svg };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (isUnsupported(error)) return { message, unsupported: true };
    const line = lineOf(error, message);
    return { message, ...(line === undefined ? {} : { line: lineInSource(source, line) }) };
  }
}

/** Whether Mermaid failed for lack of a browser, and not because of the source. */
const isUnsupported = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof ReferenceError ||
  error instanceof RangeError ||
  (error instanceof Error && /canvas|layout/i.test(error.message));

function lineOf(error: unknown, message: string): number | undefined {
  const [, inMessage] = /\b(?:on|at) line:?\s*(\d+)|Line(?:Number)?:?\s*(\d+)/i.exec(message) ?? [];
  const hash = (error as { hash?: { loc?: { first_line?: number } } }).hash;
  const line = inMessage === undefined ? hash?.loc?.first_line : Number(inMessage);
  return line !== undefined && Number.isInteger(line) && line > 0 ? line : undefined;
}

/** Maps a line number of Mermaid, which drops front matter, comments and leading space, to the source. */
export function lineInSource(source: string, line: number): number {
  const lines = source.split(/\r?\n/);
  let from = 0;
  if (lines[0]?.trim() === "---") from = lines.findIndex((text, i) => i > 0 && text.trim() === "---") + 1;
  const drawnLines = lines.map((_, i) => i).filter((i) => i >= from && !/^\s*%%(?!\{)/.test(lines[i]!));
  while (drawnLines.length > 0 && lines[drawnLines[0]!]!.trim() === "") drawnLines.shift();
  return (drawnLines[line - 1] ?? lines.length - 1) + 1;
}
