import { isRecord, valueOfJson } from "../../../lib/json/index.js";
import type { AnswerEvent, Passage, Question, SearchOutcome, SiteIndex } from "../answer.js";
import type { Weight } from "../quote-page.js";
import type { LanguageModel } from "./open-model.js";
import type { Reading } from "./reading.js";
import { oneLine } from "./tokens.js";

type Tools = NonNullable<Parameters<LanguageModel["doStream"]>[0]["tools"]>;
type FunctionTool = Extract<Tools[number], { readonly type: "function" }>;

/** What a model may call, as its server gets it. The same for every site and question. */
export const toolDefinitions: FunctionTool[] = [
  {
    type: "function",
    name: "search",
    description:
      "Searches the documentation by words and returns the sections that match best, as numbered passages. Give one to four different queries: the words that the documentation may use, names, and synonyms, in the language of the documentation.",
    inputSchema: {
      type: "object",
      properties: {
        queries: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 4 },
      },
      required: ["queries"],
      additionalProperties: false,
    },
  },
  {
    type: "function",
    name: "read_page",
    description:
      "Returns a section of a page with its neighbours, or a whole short page, and the list of its sections.",
    inputSchema: {
      type: "object",
      properties: {
        path: {
          type: "string",
          description: "As passages show it in parentheses: /guides/install#requirements",
        },
      },
      required: ["path"],
      additionalProperties: false,
    },
  },
];

/** A call as the model wrote it. */
export interface ToolCall {
  readonly name: string;
  /** JSON, or what the model takes for it. */
  readonly input: string;
}

interface ToolResult {
  /** For the model. */
  readonly text: string;
  /** For the reader. Undefined if nothing was looked up. */
  readonly event?: AnswerEvent;
}

export interface Found {
  readonly passages: readonly Passage[];
  readonly weight: Weight;
}

const maxQueries = 4;
const maxQueryLength = 300;
/** Sections that a query of the model finds, unless the reader's program wants more; and the question, or all queries of a call. */
const perQuery = 12;
export const maxFound = 24;
/** Tokens for the result of a call: half of the room, so that later calls have some. */
const minResult = 800;
const roomIn = ({ left }: Reading): number => Math.max(minResult, left / 2);

/** Carries out a call of the model. It reads only one site's documentation, so no page can misuse it. */
export async function runTool(
  { name, input }: ToolCall,
  reading: Reading,
  question: Question,
  index: SiteIndex,
): Promise<ToolResult> {
  const run = Object.hasOwn(tools, name) ? tools[name as keyof typeof tools] : undefined;
  if (run === undefined) return { text: `There is no such tool. The tools are ${Object.keys(tools).join(" and ")}.` };
  const fields = parsed(input);
  if (fields === undefined) return { text: "The arguments are not a JSON object. Call the tool again." };
  if (reading.left < minLeft) return { text: "There is no room to read more. Answer from what you have read." };
  return run(fields, reading, question, index);
}
const minLeft = 150;

type Run = (
  fields: Readonly<Record<string, unknown>>,
  reading: Reading,
  question: Question,
  index: SiteIndex,
) => Promise<ToolResult>;
const tools = { search: runSearch, read_page: runRead } satisfies Record<string, Run>;

async function runSearch(...[fields, reading, question, index]: Parameters<Run>): Promise<ToolResult> {
  const written = [fields["queries"], fields["query"]].flat();
  const queries = written
    .filter((each) => typeof each === "string")
    .map((each) => oneLine(each).slice(0, maxQueryLength).toWellFormed())
    .filter((each, at, all) => each !== "" && all.indexOf(each) === at)
    .slice(0, maxQueries);
  if (queries.length === 0) return { text: '"queries" has no text. Call the tool again, as {"queries": ["…"]}.' };
  const { passages: found, weight } = await searchAll(queries, question, index);
  const before = new Set(reading.passages.map(({ url }) => url));
  const shown = await reading.showFound(found, weight, roomIn(reading));
  const known = found.flatMap(({ url }) =>
    before.has(url) ? [reading.passages.findIndex((each) => each.url === url) + 1] : [],
  );
  const also = known.length === 0 ? [] : [`Also found, and shown before: passages ${known.join(", ")}.`];
  const nothing = "Nothing new was found. Try other words, or answer from what you have read.";
  return {
    text: [...(shown.length > 0 ? shown : [nothing]), ...also].join("\n\n"),
    event: { kind: "search", query: queries.join("; "), passages: found },
  };
}

/** What several queries find together, and how much of one of them a text has. */
export async function searchAll(queries: readonly string[], question: Question, index: SiteIndex): Promise<Found> {
  const { passageCount, filter, currentPath } = question;
  const count = Math.max(perQuery, passageCount);
  const outcomes = await Promise.all(queries.map((query) => index.search({ query, count, filter, currentPath })));
  return {
    passages: merged(outcomes).slice(0, Math.max(maxFound, passageCount)),
    weight: (text) => Math.max(...outcomes.map(({ words }) => words?.weightIn(text) ?? 0)),
  };
}

/** The first of each list, then the second of each, and so on, without repetitions. */
function merged(outcomes: readonly SearchOutcome[]): Passage[] {
  const byUrl = new Map<string, Passage>();
  const longest = Math.max(...outcomes.map(({ passages }) => passages.length));
  for (let rank = 0; rank < longest; rank++)
    for (const { passages } of outcomes) {
      const passage = passages[rank];
      if (passage && !byUrl.has(passage.url)) byUrl.set(passage.url, passage);
    }
  return [...byUrl.values()];
}

async function runRead(...[fields, reading, , index]: Parameters<Run>): Promise<ToolResult> {
  const { path: written } = fields;
  if (typeof written !== "string" || written.trim() === "" || written.length > 1000)
    return { text: '"path" is missing. Call the tool again, as {"path": "/guides/install"}.' };
  const path = oneLine(written).replace(index.baseUrl, "");
  const [page = "", anchor = ""] = path.split("#");
  const sections = await index.readSections(`/${page.replace(/\?.*$/, "").replace(/^\/+/, "")}`);
  if (sections === undefined) return { text: "There is no page with this path. Search for it." };
  const shown = reading.showPage(sections, anchor, roomIn(reading));
  const read = sections.filter(({ url }) => reading.passages.some((each) => each.url === url));
  const contents = sections.length > read.length ? [reading.contents(sections)] : [];
  for (const text of contents) reading.spend(text);
  const nothing = "This page was shown before, or there is no room for it.";
  return {
    text: [...(shown.length > 0 ? shown : [nothing]), ...contents].join("\n\n"),
    event: { kind: "read", path: sections[0]?.path ?? page, passages: read },
  };
}

function parsed(input: string): Readonly<Record<string, unknown>> | undefined {
  const value = input === "" ? {} : valueOfJson(input);
  return isRecord(value) ? value : undefined;
}
