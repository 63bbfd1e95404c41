import { randomBytes } from "node:crypto";
import { messagesOfAnswers } from "../../../lib/language/index.js";
import {
  type AnswerEvent,
  type Answerer,
  AnswerFailure,
  noUsage,
  type Passage,
  type Question,
  type SiteIndex,
  searchOf,
  sectionTitle,
  type Usage,
} from "../answer.js";
import { languageOf, replyToSmallTalk } from "../extractive-answerer.js";
import { questionLanguage } from "../question.js";
import { createAnswerFilter } from "./answer-filter.js";
import { createCitations, createThoughtFilter } from "./filter-output.js";
import { type LanguageModel, type ModelOptions, modelDefaults, openModel, ToolsRefused } from "./open-model.js";
import { createReading, type Reading } from "./reading.js";
import { type Exchange, type Message, type ModelPart, planPrompt, streamAnswer } from "./stream-answer.js";
import { estimateTokens, oneLine, startWithin } from "./tokens.js";
import { type Found, maxFound, runTool, searchAll } from "./tools.js";

/** Answers from a language model, or without one in the words of the documentation. */
export const createAnswerer = (model: ModelOptions | undefined, extractive: Answerer): Answerer =>
  model === undefined ? extractive : createModelAnswerer(model);

/** How often a model may search or read before it must answer. */
const maxRounds = 3;
/** With a shorter prompt there is no room for what a model finds by itself. */
const minTokensForTools = 3000;
/** A server that refused tools may be another one after this time. */
const toolsRefusedMs = 60 * 60_000;

/** Lets a language model answer, from a first search and, if its server has tools, from what it reads itself. */
export function createModelAnswerer(options: ModelOptions): Answerer {
  const settings = { ...modelDefaults, ...options };
  const mayHaveTools = settings.tools !== false && settings.maxPromptTokens >= minTokensForTools;
  let model: Promise<LanguageModel> | undefined;
  let refusedUntil = Number.NEGATIVE_INFINITY;

  async function* answer(question: Question, index: SiteIndex, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    if (yield* replyToSmallTalk(question, index)) return;
    model ??= openModel(settings);
    const run = { model: await model, settings, question, index, signal };
    const count = Math.max(maxFound, question.passageCount);
    const { passages, words } = await index.search({ ...searchOf(question), count });
    yield { kind: "search", query: question.text, passages: passages.slice(0, question.passageCount) };
    const found: Found = { passages, weight: words?.weightIn ?? (() => 0) };
    const hasTools = mayHaveTools && performance.now() >= refusedUntil;
    if (hasTools)
      try {
        return yield* converse(run, { found, usage: noUsage }, true);
      } catch (error) {
        if (!(error instanceof ToolsRefused)) throw error;
      }
    const start = needsQueries(question, index) ? yield* searchByModel(run, found) : { found, usage: noUsage };
    yield* converse(run, start, false);
    if (hasTools) refusedUntil = performance.now() + toolsRefusedMs;
  }

  return { model: options.model, answer };
}

interface Run {
  readonly model: LanguageModel;
  readonly settings: ModelOptions & Required<Pick<ModelOptions, keyof typeof modelDefaults>>;
  readonly question: Question;
  readonly index: SiteIndex;
  readonly signal: AbortSignal;
}
interface Start {
  readonly found: Found;
  /** Of the model, so far. */
  readonly usage: Usage;
}

/** A model without tools writes what to search for. */
async function* searchByModel(
  { model, settings, question, index, signal }: Run,
  found: Found,
): AsyncGenerator<AnswerEvent, Start> {
  const asked = { messages: queryMessages(question, index), exchange: [], hasTools: false };
  let written = "";
  let usage = noUsage;
  for await (const part of streamAnswer(model, asked, { ...settings, maxAnswerTokens: maxQueryTokens }, signal))
    if (part.kind === "text") written += part.text;
    else usage = { ...estimated(asked, estimateTokens(written)), ...part.usage };
  const queries = readQueries(written);
  if (queries.length === 0) return { found, usage };
  const better = await searchAll([...queries, question.text], question, index);
  yield { kind: "search", query: queries.join("; "), passages: better.passages };
  return { found: better, usage };
}

interface Asked {
  readonly messages: readonly Message[];
  readonly exchange: Exchange;
  readonly hasTools: boolean;
}

/** For a server that reports no usage. */
const estimated = ({ messages, exchange }: Asked, completionTokens: number): Usage => ({
  promptTokens: estimateTokens(messages.map(({ text }) => text).join("\n") + JSON.stringify(exchange)),
  completionTokens,
});

/**
 * Asks the model until it answers. After its last round it is asked once more without tools, with all that it has read:
 * there are servers that ignore the order to call none.
 */
async function* converse(run: Run, { found, usage }: Start, hasTools: boolean): AsyncGenerator<AnswerEvent> {
  const { settings, question, index } = run;
  const mark = randomBytes(6).toString("hex");
  const maxTokens = settings.maxPromptTokens;
  const plan = planPrompt(question, index, { mark, maxTokens, hasTools });
  const reading = createReading(index, mark, plan.forReading);
  await reading.showFound(found.passages, found.weight, plan.forPassages);
  const said = createSaid(reading, index.baseUrl, usage);
  let messages = plan.messages(reading);
  let exchange: Exchange = [];
  for (let round = 0; ; round++) {
    const mayCall = hasTools && round < maxRounds;
    if (hasTools && !mayCall) {
      messages = planPrompt(question, index, { mark, maxTokens, hasTools: false }).messages(reading);
      exchange = [];
    }
    const part = yield* said.text(run, { messages, exchange, hasTools: mayCall });
    if (part.calls.length === 0 || !mayCall) return yield* said.end(question, index, part.isCut);
    const results: string[] = [];
    for (const call of part.calls) {
      const { text, event } = await runTool(call, reading, question, index);
      run.signal.throwIfAborted();
      reading.spend(call.input);
      results.push(text);
      if (event) yield event;
    }
    exchange = [...exchange, ...part.withResults(results)];
  }
}

/** What the model says to the reader: filtered, with its citations, and checked at its end. */
function createSaid(reading: Reading, baseUrl: string, used: Usage) {
  const citations = createCitations(reading.passages, baseUrl);
  let hasText = false;
  let usage = used;

  async function* text(
    { model, settings, signal }: Run,
    asked: Asked,
  ): AsyncGenerator<AnswerEvent, Extract<ModelPart, { readonly kind: "end" }>> {
    const filter = createAnswerFilter(citations);
    const withoutThoughts = createThoughtFilter();
    const repeatsRules = createRepetitionCheck(asked.messages[0]!.text);
    let begun = false;
    // A model that has said something before it looked further continues in a new paragraph.
    let held = hasText ? "\n\n" : "";
    let completionTokens = 0;
    for await (const part of streamAnswer(model, asked, settings, signal)) {
      const said = part.kind === "text" ? withoutThoughts(part.text) : part.isCut ? " …" : "";
      if (repeatsRules(part.kind === "text" ? said : "\n")) throw withheld();
      held += filter.push(said) + (part.kind === "text" ? "" : filter.end());
      // Marks alone are no beginning of an answer.
      if (/[\p{L}\p{N}]/u.test(held)) begun = true;
      if (begun && held !== "") {
        yield { kind: "text", text: held };
        hasText = true;
        held = "";
      }
      if (part.kind === "text") {
        completionTokens += estimateTokens(part.text);
        continue;
      }
      usage = sum(usage, { ...estimated(asked, completionTokens), ...part.usage });
      return part;
    }
    throw empty(false);
  }

  /** An answer without a citation is none of the documentation, and says so. */
  function* end(question: Question, index: SiteIndex, isCut: boolean): Generator<AnswerEvent> {
    const { cited, saysNothing } = citations;
    if (!hasText && !saysNothing) throw empty(isCut);
    if (cited.size === 0) {
      const { unanswered } = messagesOfAnswers(languageOf(question, index));
      yield { kind: "text", text: hasText ? `\n\n${unanswered}` : unanswered };
    }
    yield* sourcesOf(cited, reading.passages);
    yield { kind: "end", outcome: cited.size > 0 ? "answered" : "unanswered", usage };
  }

  return { text, end };
}

const sum = (one: Usage, other: Usage): Usage => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
});

function* sourcesOf(cited: ReadonlySet<number>, passages: readonly Passage[]): Generator<AnswerEvent> {
  for (const number of cited) {
    const passage = passages[number - 1]!;
    yield { kind: "source", id: String(number), url: passage.url, title: sectionTitle(passage) };
  }
}

const withheld = (): AnswerFailure =>
  new AnswerFailure("This question cannot be answered.", { cause: new Error("the model repeated its instructions") });

const empty = (isCut: boolean): AnswerFailure =>
  new AnswerFailure("The language model gave no answer. Try again.", {
    cause: new Error(isCut ? "the model used up its tokens before it answered" : "the model sent no text"),
  });

/** Words in a row that make a repetition of the rules. */
const longestRun = 8;

/**
 * Finds a model that repeats its instructions.
 *
 * Out:   true once the answer so far has eight words in a row of `secret`, each followed by another character. Where
 *        the answer is cut changes nothing.
 */
function createRepetitionCheck(secret: string): (text: string) => boolean {
  const words = wordsOf(secret);
  const runs = new Set(words.map((_, index) => words.slice(index, index + longestRun).join(" ")));
  let last: string[] = [];
  let partial = "";
  return (text) => {
    const read = partial + text;
    const end = /[\p{L}\p{N}]*$/u.exec(read)?.index ?? read.length;
    partial = read.slice(end);
    for (const word of wordsOf(read.slice(0, end))) {
      last = [...last, word].slice(-longestRun);
      if (last.length === longestRun && runs.has(last.join(" "))) return true;
    }
    return false;
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const maxQueries = 3;
const maxQueryLength = 300;
/** Newest turns that a question may refer to, and the longest text of each, in tokens. */
const maxTurns = 3;
const maxTurn = 300;
/** Tokens of the queries, with the thoughts that some models write before them. */
const maxQueryTokens = 1000;

/**
 * Whether the words of a question may not be what to search for: it continues a conversation, or is in a language that
 * the site does not have.
 */
function needsQueries({ text, turns, quoted }: Question, { languages }: SiteIndex): boolean {
  const [language] = questionLanguage(text)?.split("-") ?? [];
  const known = languages.length === 0 ? ["en"] : languages;
  const isForeign = language !== undefined && !known.some((tag) => tag.split("-")[0] === language);
  return turns.length > 0 || quoted.length > 0 || isForeign;
}

/** Asks a model without tools what to search for. What a program reports of the conversation has the role of the reader. */
function queryMessages({ text, turns, quoted }: Question, { siteName, languages }: SiteIndex): Message[] {
  const list = languages.length === 0 ? "English" : languages.slice(0, 20).map(oneLine).join(" or ");
  const rules = [
    `You write queries for the search of the documentation of ${JSON.stringify(oneLine(siteName).slice(0, 100))}.`,
    `Write one to three queries in ${list}, each on a line of its own, that find what the last question means: short, with the words that documentation may use, and understandable without the conversation. Write nothing else, and do not answer.`,
  ].join("\n");
  const said = turns.slice(-maxTurns).flatMap(({ question, answer }): Message[] => [
    { role: "user", text: startWithin(question, maxTurn) },
    { role: "assistant", text: startWithin(answer, maxTurn) },
  ]);
  const reported = quoted
    .slice(-maxTurns)
    .map((each) => `(${each.role} before: ${startWithin(oneLine(each.text), maxTurn)})\n`);
  return [
    { role: "system", text: rules },
    ...said,
    { role: "user", text: `${reported.join("")}Question: ${startWithin(text, maxTurn)}\nQueries:` },
  ];
}

/** The queries in what the model wrote, without the marks of a list. */
function readQueries(answer: string): string[] {
  const lines = createThoughtFilter()(answer)
    .split("\n")
    .map((line) => oneLine(line.replace(/^\s*(?:[-*+]|\d{1,2}[.)])\s+/, "").replace(/^["'`]+|["'`]+$/g, "")));
  return [...new Set(lines)].filter((line) => line !== "" && line.length <= maxQueryLength).slice(0, maxQueries);
}
