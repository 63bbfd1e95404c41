import type { ElementContent } from "hast";
import { type Diagnostic, type Location, nearestName, quoted, warningOf } from "../../lib/diagnostic/index.js";
import { escapeAttribute } from "../../lib/html/escape.js";
import { raw } from "../../lib/jsx/raw.js";
import type { Messages } from "../../lib/language/index.js";
import { controlIcon } from "../components/index.js";
import { parseFenceMeta } from "../highlight/fence-options.js";
import type { DiagramPort } from "../render/index.js";
import type { RenderedDiagram } from "./diagram-renderer.js";

type PlacedDiagram = Awaited<ReturnType<DiagramPort["draw"]>>[number];

/**
 * Diagrams for the pages of one thread. @param ask sends sources to the diagram renderer and returns
 * `RenderedDiagram`s.
 */
export const createDiagramClient = (ask: (sources: readonly string[]) => Promise<unknown>): DiagramPort => ({
  async draw(requests, messages, signal) {
    signal?.throwIfAborted();
    const drawn = (await ask(requests.map(({ source }) => source))) as readonly RenderedDiagram[];
    signal?.throwIfAborted();
    const seen = new Map<string, number>();
    return requests.map(({ source, meta, caption, location }, i): PlacedDiagram => {
      const diagram = drawn[i]!;
      const givenTitle = parseFenceMeta(meta).title ?? caption;
      if ("error" in diagram)
        return {
          node: sourceFigure(source, diagram.error.message, givenTitle, messages),
          diagnostics: [diagramFault(diagram.error, source, location)],
        };
      const { hash, css, title = givenTitle } = diagram;
      const isNamedHere = diagram.title === undefined && givenTitle !== undefined;
      const svg = isNamedHere ? withLabel(diagram.svg, givenTitle) : diagram.svg;
      const count = (seen.get(hash) ?? 0) + 1;
      seen.set(hash, count);
      return {
        node: figure(source, count === 1 ? svg : withOtherIds(svg, hash, count), title, meta ?? "", messages),
        stylesheet: { outputPath: `_offprint/diagrams/${hash}.css`, bytes: Buffer.from(css) },
        diagnostics: quoteFaults(source, location),
      };
    });
  },
});

const withLabel = (svg: string, label: string): string =>
  svg.replace(/^(<svg\b[^>]*? aria-label=")[^"]*/, (_, before: string) => before + escapeAttribute(label));

/** A diagram that occurs twice on a page must not repeat its ids. */
const withOtherIds = (svg: string, hash: string, count: number): string =>
  svg.replaceAll(`"${hash}-`, `"${hash}-${count}-`).replaceAll(`#${hash}-`, `#${hash}-${count}-`);

/**
 * The diagram with its controls, and its text in a disclosure below.
 *
 * For the client: a button `[data-diagram]` zooms in (`in`) or out (`out`), resets the size (`own`), or fills the
 * window (`full`). `data-placement` (`top-left` … `bottom-right`) tells the style sheet where to put them. The client
 * sets `data-fitted` where a diagram is scaled down; the buttons of a figure with `data-low` are shown only then.
 * Without a script all are hidden.
 */
function figure(
  source: string,
  svg: string,
  title: string | undefined,
  meta: string,
  messages: Messages,
): ElementContent {
  const option = (name: string): string | undefined =>
    new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)'|\\{([^}]*)\\}|(\\S+))`)
      .exec(meta)
      ?.slice(1)
      .find((value) => value !== undefined);
  const placement = option("placement");
  const actions = option("actions");
  const size = (name: string): number => Number(new RegExp(`^<svg[^>]*? ${name}="([\\d.]+)"`).exec(svg)?.[1] ?? 0);
  const isLow = actions !== "true" && size("height") < minHeightWithControls;
  const hasControls = actions !== "false" && (!isLow || size("width") > phoneWidth);
  return (
    <figure
      class="mermaid"
      data-component-name="mermaid-container"
      data-placement={placement !== undefined && placements.has(placement) ? placement : undefined}
      data-low={isLow && hasControls ? "" : undefined}
    >
      <div class="mermaid-frame">
        <div class="mermaid-drawing" tabindex={0} role="group" aria-label={title ?? messages.diagram}>
          {raw(svg)}
        </div>
        {hasControls && <Controls messages={messages} />}
      </div>
      <details class="mermaid-source">
        <summary>{messages.diagramSource}</summary>
        <pre tabindex={0}>
          <code>{source}</code>
        </pre>
      </details>
    </figure>
  ) as ElementContent;
}

/** In pixels. The controls would cover a lower diagram, so they are below it, shown only if it is scaled down. */
const minHeightWithControls = 120;
/** A narrower diagram is never scaled down. */
const phoneWidth = 320;

const controls = [
  ["in", "zoomIn", "plus"],
  ["out", "zoomOut", "minus"],
  ["own", "zoomReset", "reset"],
  ["full", "fullScreen", "full"],
] as const;

const Controls = ({ messages }: { readonly messages: Messages }) => (
  <div class="mermaid-controls" role="group" data-component-name="mermaid-controls-wrapper">
    {controls.map(([action, label, icon]) => (
      <button type="button" data-diagram={action} aria-label={messages[label]} title={messages[label]}>
        {controlIcon(icon)}
      </button>
    ))}
  </div>
);

const placements = new Set(["top-left", "top-right", "bottom-left", "bottom-right"]);

const sourceFigure = (source: string, message: string, title: string | undefined, messages: Messages): ElementContent =>
  (
    <figure class="mermaid mermaid-undrawn" data-component-name="mermaid-container">
      <pre tabindex={0} role="group" aria-label={title ?? messages.diagramSource} title={firstLine(message)}>
        <code>{source}</code>
      </pre>
    </figure>
  ) as ElementContent;

const flowchart = /^\s*(?:graph|flowchart)\b/;
/** What Mermaid refuses in the line of a diagram, and what to write. */
const lineFaults: readonly (readonly [type: RegExp, form: RegExp, fix: string])[] = [
  [/^\s*sequenceDiagram/, /;./, 'write "#59;" in place of each ";" in the text, since it ends a line in Mermaid.'],
  [flowchart, /^(graph|flowchart)[ \t]+(?!(?:TB|TD|BT|RL|LR)\b)\S+/, "write $1 TD, or another of TB, BT, RL and LR."],
  [flowchart, /(?<=[\w\])}])[ \t]*(?<!-)->[ \t]*(?=[\w|])/, 'write "-->" in place of "->".'],
  [flowchart, /(?<=^|[>|][ \t]*)end\b(?=[ \t]*(?:$|[-[({]))/, 'write "End" in place of "end", which ends a subgraph.'],
  [flowchart, /(\w+ ?)\[([^"[\]\n]*[(){}@][^"[\]\n]*)\]/, 'put its text in quotes: $1["$2"].'],
  [flowchart, /(\w+)\(([^"()\n]*[[\]{}@(][^"\n]*)\)(?=\s|$)/, 'put its text in quotes: $1("$2").'],
  [flowchart, /(\w+)\{([^"{}\n]*[()[\]@][^"{}\n]*)\}/, 'put its text in quotes: $1{"$2"}.'],
  [flowchart, /\|([^"|\n]*[()[\]{}"][^|\n]*)\|/, 'put its text in quotes: |"$1"|.'],
];

/** A quote within the quotes of a text ends it: Mermaid draws the rest as other nodes. */
function quoteFaults(source: string, location: Location): Diagnostic[] {
  const lines = flowchart.test(source) ? source.split("\n") : [];
  const at = lines.findIndex((line) => innerQuote.test(line));
  if (at === -1 || location.line === undefined) return [];
  const { length: _, ...start } = location;
  const [typed] = innerQuote.exec(lines[at]!)!;
  return [
    {
      ...warningOf("DIAGRAM_INVALID"),
      what: `The text ${typed.slice(1)} is cut at its second quote, and the rest is drawn as other nodes.`,
      location: { ...start, line: location.line + at + 1, column: lines[at]!.indexOf(typed) + 1, length: typed.length },
      fix: "write #quot; for each quote within the text.",
    },
  ];
}
const innerQuote = /[[({|]"[^"]*"[^"\])}|]+"+/;

type DiagramError = Extract<RenderedDiagram, { error: unknown }>["error"];

function diagramFault(error: DiagramError, source: string, location: Location): Diagnostic {
  const warning = (code: string, what: string, fix: string, at?: Location): Diagnostic => ({
    ...warningOf(code, at),
    ...{ what, fix },
  });
  if (error.unstarted) {
    // Every diagram of the site has this fault, so it is reported once, without a location.
    const what = "The process that renders diagrams cannot be started, so the source of each diagram is shown instead.";
    const fix = "reinstall Offprint's packages, and run it where Node is allowed to start processes.";
    return warning("DIAGRAMS_NOT_DRAWN", what, fix);
  }
  const message = firstLine(error.message);
  if (error.unsupported) {
    const what = `The diagram cannot be rendered (${message}); its source is shown instead.`;
    const fix = "use another type of diagram, or replace it with an image: ![What it shows](/images/diagram.svg).";
    return warning("DIAGRAM_UNSUPPORTED", what, fix, location);
  }
  const { length: _, ...start } = location;
  const line = error.line === undefined ? undefined : source.split("\n")[error.line - 1]?.trim();
  if (line && location.line !== undefined) {
    const what = `Mermaid cannot parse the diagram at ${quoted(line, 60)}, so its source is shown instead: ${reasonOf(message)}.`;
    const begin = line.slice(0, 300);
    const rule = lineFaults.find(([type, form]) => type.test(source) && form.test(begin));
    const [, id = "", text = ""] = rule?.[1].exec(begin) ?? [];
    const fix =
      rule?.[2].replace("$1", () => id).replace("$2", () => text) ??
      "correct the line; the Mermaid documentation describes the syntax of this type of diagram.";
    return warning("DIAGRAM_INVALID", what, fix, { ...start, line: location.line + error.line!, column: 1 });
  }
  const type = /^No diagram type detected/.test(message) ? /\S+/.exec(source)?.[0] : undefined;
  const near = type === undefined ? undefined : nearestName(type, diagramTypes);
  const reason =
    source.trim() === "" ? "it is empty" : type === undefined ? message : `${quoted(type)} is not a type of diagram`;
  const what = `The diagram is not valid Mermaid, so its source is shown instead: ${reason}.`;
  const fix = near ? `write "${near}".` : 'start it with its type, such as "flowchart LR" or "sequenceDiagram".';
  return warning("DIAGRAM_INVALID", what, fix, location);
}

const diagramTypes = (
  "flowchart graph sequenceDiagram classDiagram stateDiagram-v2 erDiagram journey gantt pie quadrantChart " +
  "requirementDiagram gitGraph mindmap timeline sankey-beta xychart-beta block-beta architecture-beta"
).split(" ");

/** The signs that the parser gives names. */
const signs = new Map(
  'SQS "[" SQE "]" PS "(" PE ")" DIAMOND_START "{" DIAMOND_STOP "}" PIPE "|"'
    .split(/ (?=[A-Z])/)
    .map((each) => each.split(" ") as [string, string]),
);

/** Rewrites `Expecting 'A', 'B', got 'EOF'`, since authors do not know the parser's names. */
function reasonOf(message: string): string {
  const token = /Expecting .*, got '([^']*)'/.exec(message)?.[1];
  const got = token && (signs.get(token) ?? token);
  if (got === undefined) return message.replace(/^Parse error on line \d+: ?/, "").replace(/\.$/, "");
  return got === "EOF" || got === "NEWLINE" ? "it ends too early" : `${got} is unexpected there`;
}

/** Mermaid quotes the text in later lines; the last line names what it expected. */
function firstLine(message: string): string {
  const lines = message
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^-*\^$/.test(line));
  const text =
    lines.length > 2 && /^Expecting/.test(lines.at(-1)!)
      ? `${lines[0]} ${lines[1]} — ${lines.at(-1)}`
      : (lines[0] ?? "");
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}
