import { answerMessages, messagesOfAnswers, nearestLocale } from "../../lib/language/index.js";
import { headingKey } from "../../lib/markdown-sections.js";
import { createRecent, rememberedFor } from "../../lib/memo.js";
import {
  type AnswerEvent,
  type Answerer,
  noUsage,
  type Passage,
  type Question,
  type SiteIndex,
  searchOf,
  sectionTitle,
} from "./answer.js";
import { questionKind, questionLanguage } from "./question.js";
import {
  cutSentence,
  escaped,
  type PageSectionText,
  pageSections,
  partsNamed,
  quoteOf,
  safeMarkdown,
  shortQuoteOf,
  stepsOf,
  type Weight,
} from "./quote-page.js";
import { type AskedWords, createTextWords, createWeigher } from "./retrieval/asked-words.js";

const maxNearest = 3;
const maxRelated = 3;

/** Characters of the quotation of an answer. */
const quotationLength = 900;

/** Quotations are cut at this length: one row of a table may be longer. */
const longestQuote = 3000;

/**
 * Answers without a language model, in the words of the documentation. A section that answers the question surely is
 * quoted. Else the sections that may help are listed as the search ranks them, each with its best sentence. If the
 * documentation does not seem to answer the question, the answer says so and names the nearest pages.
 */
export function createExtractiveAnswerer(): Answerer {
  const sectionsOf = createSections();
  const giveWay = createGiveWay();
  return {
    model: "none",
    async *answer(question, index, signal): AsyncGenerator<AnswerEvent> {
      if (yield* replyToSmallTalk(question, index)) return;
      const { text: query } = question;
      const outcome = await index.search(searchOf(question));
      signal.throwIfAborted();
      const { passages, certainty } = outcome;
      yield { kind: "search", query, passages };
      const messages = messagesOfAnswers(outcome.language ?? languageOf(question, index));
      if (certainty === "nothing" || passages.length === 0) {
        yield { kind: "text", text: [messages.unanswered, ...nearest(passages, messages.nearest)].join("\n\n") };
        yield { kind: "end", outcome: "unanswered", usage: noUsage };
        return;
      }
      const weight = (outcome.words ?? wordsIn(query)).weightIn;
      const isSure = certainty === "sure";
      yield { kind: "text", text: isSure ? messages.quoted : messages.unsure };
      await giveWay();
      // The section of the reader's page is there for a model, also if the search did not find it.
      const shown = isSure ? passages.slice(0, 1) : passages.filter(({ score }) => score > 0);
      for (const [at, passage] of shown.entries()) {
        const sections = await sectionsOf(index, passage.path);
        signal.throwIfAborted();
        const title = `**${escaped(sectionTitle(passage))}** [${at + 1}](${passage.url})`;
        const text = quotation(question.text, passage, sections, weight, index, !isSure);
        yield { kind: "text", text: `\n\n${[title, ...text].join("\n\n")}` };
      }
      const related = isSure ? relatedTo(passages) : [];
      if (related.length > 0) yield { kind: "text", text: `\n\n${messages.related}\n\n${related.join("\n")}` };
      for (const [at, passage] of shown.entries())
        yield { kind: "source", id: String(at + 1), url: passage.url, title: sectionTitle(passage) };
      yield { kind: "end", outcome: isSure ? "answered" : "unsure", usage: noUsage };
    },
  };
}

/** For an index that does not weigh its words. */
function wordsIn(query: string): AskedWords {
  const textWords = createTextWords();
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return createWeigher(textWords)(words.map((word) => ({ numbers: [textWords.numberOf(word)], weights: [1] })));
}

/** Answers a greeting or thanks. Returns false for a question. */
export function* replyToSmallTalk(question: Question, index: SiteIndex): Generator<AnswerEvent, boolean> {
  const talk = smallTalkIn(question.text, nearestLocale(languageOf(question, index)));
  if (talk === undefined) return false;
  yield { kind: "text", text: messagesOfAnswers(talk.locale)[talk.reply] };
  yield { kind: "end", outcome: "answered", usage: noUsage };
  return true;
}

export const languageOf = ({ text, filter }: Question, { languages }: SiteIndex): string =>
  questionLanguage(text) ?? filter?.language ?? languages[0] ?? "en";

/** @param isShort only the best sentence of the section */
function quotation(
  question: string,
  passage: Passage,
  sections: readonly PageSectionText[],
  weight: Weight,
  index: SiteIndex,
  isShort: boolean,
): string[] {
  const section = sectionOf(passage, sections);
  if (section === undefined) {
    const text = plainPart(passage.text, isShort ? sentenceLength : quotationLength);
    return isShort && text === "" ? [] : [text];
  }
  const kind = questionKind(question);
  const quotes = isShort
    ? shortQuoteOf(section.blocks, weight, kind, question)
    : quoteOf(section.blocks, weight, quotationLength, kind, question).map((text) => text.slice(0, longestQuote));
  const steps = kind === "steps" && !isShort && section.key === "" ? stepsOf(sections, weight) : undefined;
  if (steps !== undefined)
    quotes.push(`**${steps.heading}**`, ...quoteOf(steps.blocks, weight, quotationLength, kind, question));
  return quotes.map((text) => shownMarkdown(text, passage, index));
}
const sentenceLength = 200;

const plainPart = (text: string, length: number): string =>
  escaped(text.length <= length ? text : `${cutSentence(text, length)} …`).replaceAll("\n", "\n\n");

const shownMarkdown = (text: string, { path }: Passage, { baseUrl }: SiteIndex): string =>
  /^ {0,3}(?:`{3,}|~{3,})/.test(text) ? text : safeMarkdown(text, `${baseUrl}${path}.md`, baseUrl);

/** Links to the further passages, as what to read next. */
function relatedTo([quoted, ...others]: readonly Passage[]): string[] {
  return others
    .filter(({ score, url }) => score > 0 && url !== quoted?.url)
    .slice(0, maxRelated)
    .map((passage) => `- [${escaped(sectionTitle(passage))}](${passage.url})`);
}

/** The section of a passage, or its part of one. Of several with the same heading, the one that begins as the passage does. */
function sectionOf({ heading, text }: Passage, sections: readonly PageSectionText[]): PageSectionText | undefined {
  const key = headingKey(heading);
  const headed = sections.filter((section) => section.key === key && section.blocks.length > 0);
  const candidates = headed.length > 0 ? headed : partsNamed(heading, sections);
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
  return [label, pages.map((passage) => `- [${escaped(sectionTitle(passage))}](${passage.url})`).join("\n")];
}

const keptPages = 300;

/** The sections of a page, kept for the next questions. */
function createSections() {
  const pagesOf = rememberedFor((_: SiteIndex) => createRecent<readonly PageSectionText[]>(keptPages));
  return (index: SiteIndex, path: string): Promise<readonly PageSectionText[]> =>
    pagesOf(index)(path, async () => pageSections((await index.page(path))?.content ?? ""));
}

/** Longest wait for new requests, in milliseconds. */
const longestWaitMs = 100;

/** Waits until no requests arrive, then continues one answer a turn, so that many readers see a beginning. */
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

/** The message that answers a greeting or thanks, and the locale of its words. */
interface SmallTalk {
  readonly reply: "greeting" | "welcome";
  readonly locale: string;
}

const maxSmallTalkLength = 60;
let phrases: ReadonlyMap<string, SmallTalk> | undefined;

/** Undefined unless the message only greets or thanks. @param preferred locale of shared phrases. */
export function smallTalkIn(text: string, preferred: string): SmallTalk | undefined {
  if (text.length > maxSmallTalkLength) return undefined;
  phrases ??= readPhrases();
  const said = plain(text);
  return phrases.get(`${preferred} ${said}`) ?? phrases.get(said);
}

/** By phrase, alone and after its locale. English has those that several have. */
function readPhrases(): ReadonlyMap<string, SmallTalk> {
  const found = new Map<string, SmallTalk>();
  for (const [locale, { greetings, thanks }] of answerMessages()) {
    const lists = [
      ["greeting", greetings],
      ["welcome", thanks],
    ] as const;
    for (const [reply, list] of lists)
      for (const phrase of list.split("|").map(plain)) {
        found.set(`${locale} ${phrase}`, { reply, locale });
        if (locale === "en" || !found.has(phrase)) found.set(phrase, { reply, locale });
      }
  }
  return found;
}

/** Lower case without accents, marks and emoji. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u064b-\u0652]/g, "")
    .normalize("NFC")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
