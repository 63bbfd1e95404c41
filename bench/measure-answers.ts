// Is what readers ask in their own words found, and answered? Asks the judged questions of each site of a folder (see
// judged-questions.ts) in three ways: the search of the exported pages, the assistant without a language model, and the
// assistant with a scripted model. Half of the questions are held out: only misses of the other half are printed on
// stderr. Prints one JSON line, and a table on stderr.
//
//   node bench/measure-answers.ts <folder of sites> <folder for exports> [site ...]
//
// An export that is in the folder already is used again. Search and assistant run from the sources, an export from
// `dist`: after a change of what is exported, build and remove the folder.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { exportSite } from "offprint";
import type { AnswerEvent, Question, SiteIndex } from "../src/service/assistant/answer.ts";
import { bundleModule } from "../test/support/bundle-module.ts";
import { documentOf, firstPage, htmlOf, pageOf, placeOf } from "./exported-pages.ts";
import { isEnglish, type JudgedQuestion, judgedQuestions, offTopicQuestions } from "./judged-questions.ts";

const [sites, exports, ...names] = process.argv.slice(2);
if (sites === undefined || exports === undefined)
  throw new Error("usage: measure-answers.ts <folder of sites> <folder for exports> [site ...]");
const parts = (await import(
  pathToFileURL(bundleModule(fileURLToPath(new URL("./answering.ts", import.meta.url)))).href
)) as typeof import("./answering.ts");

/** Number of results that the search dialog and the service return. */
const resultCount = 10;
/** Passages of an answer: as many as the clients ask for by default. */
const passageCount = 5;
/** Questions of other sites that each site is asked, of each half. */
const foreignCount = 40;
const baseUrl = "https://docs.example.com";
const forever = new AbortController().signal;

/** The outcome of one question. Places count from 1; infinite if the page is not found. */
interface Outcome extends Pick<JudgedQuestion, "kind" | "isHeld"> {
  readonly search: number;
  readonly passages: number;
  readonly state: State;
  /** The first source of the answer is of a right page. */
  readonly isQuoted: boolean;
  /** The model was asked, and had read a right page. */
  readonly isModelAsked: boolean;
  readonly isReadByModel: boolean;
}

/** Without a model: an answer, sections that may help, or that the documentation does not say. */
type State = "sure" | "unsure" | "nothing";

const chosen = (names.length > 0 ? names : readdirSync(sites).toSorted()).filter(
  (name) => existsSync(join(sites, name)) && judgedQuestions(name).length > 0,
);
/**
 * A model that searches twice, like models with tools if the first search is not sufficient: with the longer words of
 * the question and its halves, then with two of its longest words at a time. It knows no other words for them.
 */
const server = await parts.startModelServer("openai", ({ body }, reply) => {
  const asked = parts.promptText(body).split("Question: ").at(-1)!;
  const words = asked.match(/[\p{L}\p{N}_.-]{4,}/gu) ?? [];
  const rounds = body.messages.filter(({ role }) => role === "tool").length;
  const longest = words.toSorted((a, b) => b.length - a.length);
  const pairs = [0, 1, 2, 3].map((at) => [longest[at], longest[(at + 1) % longest.length]].join(" "));
  const searches = [[words.join(" "), words.slice(0, 3).join(" "), words.slice(-3).join(" ")], pairs];
  if (body.tools && words.length > 0 && rounds < searches.length) {
    reply.call("search", { queries: searches[rounds]! });
    return reply.end("calls");
  }
  reply.text("It is so [1].");
  reply.end();
});
const extractive = parts.createExtractiveAnswerer();
const model = parts.createModelAnswerer({ provider: "openai", url: server.url, model: "scripted" });
const all: Outcome[] = [];
const foreign: { readonly state: State; readonly isHeld: boolean }[] = [];
const bySite: Record<string, ReturnType<typeof halves>> = {};
try {
  for (const name of chosen) {
    const outcomes = await askSite(name);
    all.push(...outcomes);
    bySite[name] = halves(outcomes);
  }
} finally {
  server.close();
}
const kinds = [...new Set(all.map(({ kind }) => kind))].toSorted();
const byKind = Object.fromEntries(
  kinds.map((kind) => {
    return [kind, halves(all.filter((each) => each.kind === kind))];
  }),
);
const total = halves(all);
/** Whole sentences that are not in the words of the page. */
const ownWords = halves(all.filter(({ kind }) => isSentence(kind)));
const foreignSure = { tuned: sureOf(false), held: sureOf(true) };
printTable();
console.log(JSON.stringify({ searchAt3: ownWords.held.search[1], ownWords, total, foreignSure, byKind, bySite }));

async function askSite(name: string): Promise<Outcome[]> {
  const output = join(exports!, name);
  if (!existsSync(join(output, "index.html"))) {
    const result = await exportSite({ source: join(sites!, name), output });
    if (!result.ok) throw new Error(`${name} was not exported: ${JSON.stringify(result.diagnostics.slice(0, 3))}`);
  }
  const index = await openIndex(output);
  const searchFor = createSearch(output);
  const questions = judgedQuestions(name).filter(({ pages }) => pages.length > 0);
  const outcomes: Outcome[] = [];
  for (const { query, pages, from, kind, isHeld } of questions) {
    const lost = pages.filter((page) => documentOf(output, page) === undefined);
    if (lost.length > 0) console.error(`${name}: there is no page ${lost.join(" ")} ("${query}").`);
    const results = await searchFor(query, from ?? (isEnglish(kind) ? undefined : pages[0]));
    const { passages } = await index.search({ query, count: resultCount, ...(from && { currentPath: from }) });
    const { state, source } = await answer(query, from, index);
    const asked = server.requests.length;
    await eventsOf(model, query, from, index);
    /** What the model has read: each passage begins with its address. */
    const shown = server.requests
      .slice(asked)
      .map(({ body }) => JSON.stringify(body))
      .join("\n");
    const outcome = {
      kind,
      isHeld,
      search: placeOf(results, pages),
      passages: placeOf(
        passages.map(({ path }) => path),
        pages,
      ),
      state,
      isQuoted: source !== undefined && pages.includes(source),
      isModelAsked: server.requests.length > asked,
      isReadByModel: pages.some((page) => shown.includes(`(${page}#`) || shown.includes(`(${page})`)),
    };
    outcomes.push(outcome);
    if (!isHeld && (outcome.search > 3 || state === "nothing" || !outcome.isQuoted)) {
      const places = `search ${outcome.search}, passages ${outcome.passages}, ${state}`;
      const found = results.slice(0, 3).join(" ");
      console.error(`${name} ${kind} "${query}": ${places}, quoted ${source}; found ${found}; not ${pages.join(" ")}`);
    }
  }
  for (const { query, isHeld } of foreignTo(name)) {
    const { state, source } = await answer(query, undefined, index);
    foreign.push({ state, isHeld });
    if (!isHeld && state === "sure") console.error(`${name} foreign "${query}": sure, quoted ${source}`);
  }
  return outcomes;
}

async function openIndex(output: string): Promise<SiteIndex> {
  const archive = `${output}.tar.gz`;
  const object = `${output}.index`;
  if (!existsSync(object)) {
    await parts.createArchive(output, archive);
    await parts.writeIndex(archive, object, baseUrl);
    rmSync(archive);
  }
  return (await parts.openSiteIndex(readFileSync(object), baseUrl)).index;
}

/** The pages that the search shows to readers of a page, best first; a page may come more than once. */
function createSearch(output: string) {
  const open = parts.createIndexOpener((path) =>
    Promise.resolve(parts.dataIn(readFileSync(join(output, path), "utf8"))),
  );
  return async (query: string, from = firstPage(output)): Promise<string[]> => {
    const html = htmlOf(output, from);
    const ids = /data-search="([^"]*)"/.exec(html)![1]!.split(" ");
    const { hits } = await parts.search(await Promise.all(ids.map(open)), query);
    return hits.map(({ href }) => pageOf(href));
  };
}

async function eventsOf(
  answerer: typeof extractive,
  text: string,
  currentPath: string | undefined,
  index: SiteIndex,
): Promise<AnswerEvent[]> {
  const question: Question = { text, turns: [], quoted: [], context: [], passageCount, currentPath };
  const events: AnswerEvent[] = [];
  for await (const event of answerer.answer(question, index, forever)) events.push(event);
  return events;
}

async function answer(query: string, from: string | undefined, index: SiteIndex) {
  const events = await eventsOf(extractive, query, from, index);
  const first = events.find((event) => event.kind === "source");
  const end = events.find((event) => event.kind === "end");
  const state = { answered: "sure", unsure: "unsure", unanswered: "nothing" }[end?.outcome ?? "unanswered"] as State;
  return { state, source: first && pageOf(first.url.slice(index.baseUrl.length)) };
}

/** Questions that the site does not answer: its own without a page, those of no documentation, and those of one other site. */
function foreignTo(name: string): Pick<JudgedQuestion, "query" | "isHeld">[] {
  const others = readdirSync(new URL("./questions", import.meta.url))
    .map((file) => file.replace(/\.json$/, ""))
    .filter((other) => other !== name)
    .flatMap(judgedQuestions)
    .filter(({ isOnlyHere }) => isOnlyHere)
    .toSorted((a, b) => (a.query < b.query ? -1 : 1));
  /** Spreads them over all other sites. */
  const some = (isHeld: boolean) => {
    const half = others.filter((each) => each.isHeld === isHeld);
    return half
      .filter((_, at) => at % Math.max(1, Math.floor(half.length / foreignCount)) === 0)
      .slice(0, foreignCount);
  };
  const offTopic = offTopicQuestions.map((query, at) => ({ query, isHeld: at % 2 === 1 }));
  const unanswered = judgedQuestions(name).filter(({ pages }) => pages.length === 0);
  return [...some(false), ...some(true), ...offTopic, ...unanswered];
}

function isSentence(kind: JudgedQuestion["kind"]): boolean {
  return kind !== "keyword" && kind !== "identifier" && kind !== "typo";
}

/** Shares of the questions of a half: the right page at 1, at most 3, at most 5; and what the assistant made of it. */
function figuresOf(outcomes: readonly Outcome[], isHeld: boolean) {
  const half = outcomes.filter((each) => each.isHeld === isHeld);
  const share = (is: (outcome: Outcome) => boolean): number =>
    Number((half.filter(is).length / half.length || 0).toFixed(3));
  const hits = (by: "search" | "passages"): number[] => [1, 3, 5].map((most) => share((each) => each[by] <= most));
  return {
    questions: half.length,
    search: hits("search"),
    passages: hits("passages"),
    refused: share(({ state }) => state === "nothing"),
    sure: share(({ state }) => state === "sure"),
    quotedFirst: share(({ isQuoted }) => isQuoted),
    modelNotAsked: share(({ isModelAsked }) => !isModelAsked),
    readByModel: share(({ isReadByModel }) => isReadByModel),
  };
}

function halves(outcomes: readonly Outcome[]) {
  return { tuned: figuresOf(outcomes, false), held: figuresOf(outcomes, true) };
}

function sureOf(isHeld: boolean) {
  const half = foreign.filter((each) => each.isHeld === isHeld);
  const share = (state: State): number =>
    Number((half.filter((each) => each.state === state).length / half.length || 0).toFixed(3));
  return { questions: half.length, sure: share("sure"), nothing: share("nothing") };
}

function printTable(): void {
  const row = (name: string, { questions, ...figures }: ReturnType<typeof figuresOf>): string =>
    [
      name.padEnd(24),
      String(questions).padStart(5),
      ...Object.values(figures)
        .flat()
        .map((n) => n.toFixed(2).padStart(5)),
    ].join(" ");
  console.error(
    `${"".padEnd(24)} count search 1 3 5     passages 1 3 5    refus  sure quote noask  read (shares of the questions)`,
  );
  for (const half of ["tuned", "held"] as const) {
    console.error(row(`${half}: all`, total[half]));
    console.error(row("  in own words", ownWords[half]));
    for (const [kind, figures] of Object.entries(byKind)) console.error(row(`  ${kind}`, figures[half]));
    for (const [site, figures] of Object.entries(bySite)) console.error(row(`  ${site}`, figures[half]));
    const { questions, sure, nothing } = foreignSure[half];
    console.error(`  foreign: ${questions} questions, answered surely ${sure}, refused ${nothing}`);
  }
}
