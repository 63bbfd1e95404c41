import { messagesOfAnswers } from "../../lib/language/index.js";
import { createRecent, type Recent } from "../../lib/memo.js";
import {
  type AnswerEvent,
  type Answerer,
  gate,
  noUsage,
  type Passage,
  type Question,
  type SearchOutcome,
  type SiteIndex,
  searchOf,
  sectionTitle,
} from "./answer.js";
import {
  escaped,
  headingKey,
  type PageSectionText,
  pageSections,
  quoteOf,
  safeMarkdown,
  type Weight,
} from "./quote-page.js";
import { type AskedWords, createTextWords, createWeigher } from "./retrieval/asked-words.js";

const maxQuotedPassages = 3;
const maxNearest = 3;

/** Characters of the first quotation, and of each further one. */
const firstLength = 900;
const furtherLength = 500;

/** A further passage must weigh at least this share of the best one. */
const minShare = 0.75;

/** Quotations are cut at this length: one row of a table may be longer. */
const longestQuote = 3000;

/**
 * Answers without a language model: quotes the passages that say most about the question, each with its link; or says
 * that none does, and names the nearest pages.
 */
export function createExtractiveAnswerer(): Answerer {
  const sectionsOf = createSections();
  const giveWay = createGiveWay();
  return {
    model: "none",
    async *answer(question, index, signal): AsyncGenerator<AnswerEvent> {
      const { text: query } = question;
      const outcome = await index.search(searchOf(question));
      signal.throwIfAborted();
      const { passages, coverage } = outcome;
      yield { kind: "search", query, passages };
      const messages = messagesOfAnswers(languageOf(question, index));
      if (coverage < gate || passages.length === 0) {
        yield { kind: "text", text: [messages.unanswered, ...nearest(passages, messages.nearest)].join("\n\n") };
        yield { kind: "end", outcome: "unanswered", usage: noUsage };
        return;
      }
      const words = outcome.words ?? wordsIn(query);
      const weight = words.weightIn;
      /** The place of a passage in the search, as in the answers of a model. */
      const idOf = (passage: Passage): string => String(passages.indexOf(passage) + 1);
      yield { kind: "text", text: messages.quoted };
      await giveWay();
      const chosen = chooseQuoted(outcome, weight);
      for (const [at, passage] of chosen.entries()) {
        const sections = await sectionsOf(index, passage.path);
        signal.throwIfAborted();
        const text = quotation(passage, sections, weight, at === 0 ? firstLength : furtherLength, index);
        const title = `**${escaped(sectionTitle(passage))}** [${idOf(passage)}](${passage.url})`;
        yield { kind: "text", text: `\n\n${title}\n\n${text}` };
      }
      for (const passage of chosen)
        yield { kind: "source", id: idOf(passage), url: passage.url, title: sectionTitle(passage) };
      yield { kind: "end", outcome: "answered", usage: noUsage };
    },
  };
}

/** For an index that does not weigh its words. */
function wordsIn(query: string): AskedWords {
  const textWords = createTextWords();
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return createWeigher(textWords)(words.map((word) => ({ numbers: [textWords.numberOf(word)], weights: [1] })));
}

export const languageOf = ({ text, filter }: Question, { languages }: SiteIndex): string =>
  questionLanguage(text) ?? filter?.language ?? languages[0] ?? "en";

/** The passages that cover most of the question first; about equal ones in the order of the search. */
function chooseQuoted({ passages }: SearchOutcome, weightOf: (...texts: readonly string[]) => number): Passage[] {
  const weighed = passages.map((passage) => {
    const { title, heading, text } = passage;
    return { passage, weight: weightOf(title, heading, text) };
  });
  const best = Math.max(...weighed.map(({ weight }) => weight));
  const step = ({ weight }: { readonly weight: number }): number => Math.round((steps * weight) / best);
  return weighed
    .filter(({ passage, weight }) => passage.text !== "" && weight >= minShare * best)
    .sort((a, b) => step(b) - step(a))
    .slice(0, maxQuotedPassages)
    .map(({ passage }) => passage);
}
const steps = 5;

function quotation(
  passage: Passage,
  sections: readonly PageSectionText[],
  weight: Weight,
  most: number,
  { baseUrl }: SiteIndex,
): string {
  const section = sectionOf(passage, sections);
  if (section === undefined) return escaped(passage.text.slice(0, most)).replaceAll("\n", "\n\n");
  const base = `${baseUrl}${passage.path}.md`;
  return quoteOf(section.blocks, weight, most)
    .map((text) => text.slice(0, longestQuote))
    .map((text) => (/^ {0,3}(?:`{3,}|~{3,})/.test(text) ? text : safeMarkdown(text, base, baseUrl)))
    .join("\n\n");
}

/** Of several sections with the same heading, the one that begins as the passage does. */
function sectionOf({ heading, text }: Passage, sections: readonly PageSectionText[]): PageSectionText | undefined {
  const key = headingKey(heading);
  const candidates = sections.filter((section) => section.key === key && section.blocks.length > 0);
  if (candidates.length < 2) return candidates[0];
  const beginning = headingKey(text.slice(0, 120)).slice(0, 40);
  return (
    candidates.find(({ blocks }) => headingKey(blocks.map((block) => block.text).join(" ")).includes(beginning)) ??
    candidates[0]
  );
}

function nearest(passages: readonly Passage[], label: string): string[] {
  const pages = [...new Map(passages.map((passage) => [passage.path, passage])).values()].slice(0, maxNearest);
  if (pages.length === 0) return [];
  return [label, pages.map(({ url, title }) => `- [${escaped(title)}](${url.replace(/#.*$/, "")})`).join("\n")];
}

const keptPages = 300;

/** The sections of a page, kept for the next questions. */
function createSections() {
  const byIndex = new WeakMap<SiteIndex, Recent<readonly PageSectionText[]>>();
  return async (index: SiteIndex, path: string): Promise<readonly PageSectionText[]> => {
    const recent = byIndex.get(index) ?? createRecent(keptPages);
    byIndex.set(index, recent);
    return recent(path, async () => pageSections((await index.page(path))?.content ?? ""));
  };
}

/** Longest wait for new requests, in milliseconds. */
const longestWaitMs = 100;

/**
 * Waits until no new requests arrive. Then one waiting answer continues in each turn of the event loop, so that many
 * readers see the beginning of their answers before one sees all of its own.
 */
export function createGiveWay(maxWaitMs = longestWaitMs): () => Promise<void> {
  const waiting: { readonly since: number; readonly goOn: () => void }[] = [];
  let hasNew = false;
  const next = (): void => {
    if (!hasNew || performance.now() - waiting[0]!.since >= maxWaitMs) waiting.shift()!.goOn();
    hasNew = false;
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((goOn) => {
      hasNew = true;
      if (waiting.push({ since: performance.now(), goOn }) === 1) setImmediate(next);
    });
}

/** Scripts that identify the language, the more specific first. */
const scripts: readonly (readonly [pattern: RegExp, tag: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Han}/u, "zh"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Cyrillic}/u, "ru"],
];

/** Words of questions, and the languages that have them. */
const languagesOf = new Map<string, string[]>();
for (const [tag, text] of Object.entries({
  en: "how what why where when which can does is are the do should my with to of",
  de: "wie was warum wo wann welche welcher kann ich ist sind der die das ein eine mit und nicht mein meine wird",
  fr: "comment quoi pourquoi où quand quel quelle puis je est sont le la les un une avec et pas mon ma des du faire",
  es: "cómo qué por dónde cuándo cuál puedo es son el los las un una con y mi hacer para se",
  it: "come cosa perché dove quando quale posso è sono il lo gli un una con e mio mia fare per si",
  pt: "como que onde quando qual posso é são o os um uma com e meu minha fazer para não",
  nl: "hoe wat waarom waar wanneer welke kan ik is zijn de het een met en niet mijn",
}))
  for (const word of text.split(" ")) languagesOf.set(word, [...(languagesOf.get(word) ?? []), tag]);

/** The language of a question; undefined if its words do not tell. */
export function questionLanguage(text: string): string | undefined {
  const script = /[^\0-\x7f]/.test(text) && scripts.find(([pattern]) => pattern.test(text));
  if (script) return script[1];
  const counts = new Map<string, number>();
  for (const word of text
    .toLowerCase()
    .match(/\p{L}+/gu)
    ?.slice(0, maxRead) ?? [])
    for (const tag of languagesOf.get(word) ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const [best, next] = [...counts].sort(([, a], [, b]) => b - a);
  return best && best[1] > (next?.[1] ?? 0) ? best[0] : undefined;
}
const maxRead = 200;
