import { randomBytes } from "node:crypto";
import {
  type AnswerEvent,
  type Answerer,
  AnswerFailure,
  gate,
  type Passage,
  type Question,
  queryOf,
  type SiteIndex,
  sectionTitle,
} from "../answer.js";
import { createAnswerFilter } from "./answer-filter.js";
import { createThoughtFilter } from "./drop-thoughts.js";
import { createCitations } from "./filter-output.js";
import { type ModelOptions, modelDefaults } from "./model-options.js";
import { type LanguageModel, openModel } from "./open-model.js";
import { createPrompt, estimateTokens } from "./prompt.js";
import { streamAnswer } from "./stream-answer.js";

/** Answers from a language model, or without one in the words of the documentation. */
export const createAnswerer = (model: ModelOptions | undefined, extractive: Answerer): Answerer =>
  model === undefined ? extractive : createModelAnswerer(model, extractive);

/**
 * Lets a language model answer from the passages that a question finds.
 *
 * @param extractive answers without the model what the documentation does not say.
 */
export function createModelAnswerer(options: ModelOptions, extractive: Answerer): Answerer {
  const settings = { ...modelDefaults, ...options };
  let model: Promise<LanguageModel> | undefined;

  async function* answer(question: Question, index: SiteIndex, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    const query = queryOf(question);
    const { text: asked, passageCount: count, currentPath } = question;
    const wanted = { query, question: asked, count, filter: question.filter, currentPath };
    const { passages: found, coverage } = await index.search(wanted);
    // A selection may hold the answer itself.
    if (question.context.length === 0 && (coverage < gate || found.length === 0)) {
      yield* extractive.answer(question, index, signal);
      return;
    }
    yield { kind: "search", query, passages: found };
    model ??= openModel(settings);
    const { messages, passages } = createPrompt(question, found, {
      siteName: index.siteName,
      mark: randomBytes(6).toString("hex"),
      maxTokens: settings.maxPromptTokens,
    });
    const citations = createCitations(passages, index.baseUrl);
    const filter = createAnswerFilter(citations);
    const withoutThoughts = createThoughtFilter();
    const repeatsRules = createRepetitionCheck(messages[0]!.text);
    let hasText = false;
    let completionTokens = 0;
    for await (const part of streamAnswer(await model, messages, settings, signal)) {
      const text = part.kind === "text" ? withoutThoughts(part.text) : part.isCut ? " …" : "";
      if (repeatsRules(part.kind === "text" ? text : "\n")) throw withheld();
      const shown = filter.push(text) + (part.kind === "text" ? "" : filter.end());
      if (shown !== "") yield { kind: "text", text: shown };
      hasText ||= /[\p{L}\p{N}]/u.test(shown);
      if (part.kind === "text") {
        completionTokens += estimateTokens(part.text);
        continue;
      }
      if (!hasText) throw empty(part.isCut);
      yield* sourcesOf(citations.cited, passages);
      const promptTokens = messages.reduce((sum, message) => sum + estimateTokens(message.text), 0);
      const outcome = citations.cited.size > 0 ? "answered" : "unanswered";
      yield { kind: "end", outcome, usage: { promptTokens, completionTokens, ...part.usage } };
    }
  }

  return { model: options.model, answer };
}

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
    cause: new Error(isCut ? "the model used all tokens before its answer" : "the model sent no text"),
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
