import { messagesOfAnswers } from "../../lib/language/index.js";
import { createRecent, type Recent } from "../../lib/memo.js";
import type { AnswerEvent, Answerer, Passage, Question, SearchOutcome, SiteIndex } from "./answer.js";
import { createGiveWay } from "./extractive/give-way.js";
import { headingKey, type PageSectionText, pageSections } from "./extractive/page-sections.js";
import { questionLanguage } from "./extractive/question-language.js";
import { quoteOf, type Weight } from "./extractive/quote.js";
import { escaped, safeMarkdown } from "./extractive/safe-markdown.js";
import { type AskedWords, createWeigher } from "./retrieval/asked-words.js";
import { gate } from "./retrieval/gate.js";
import { queryOf } from "./retrieval/query-of.js";
import { createTextWords } from "./retrieval/text-words.js";

const mostQuoted = 3;
const mostNearest = 3;
/** Characters of the first quotation, and of each further one. */
const firstLength = 900;
const furtherLength = 500;
/** A further passage has at least this share of what the best one has of the question. */
const leastShare = 0.75;
/** No quotation is longer: one row of a table may be. */
const longestQuote = 3000;

const noUsage = { promptTokens: 0, completionTokens: 0 };

/**
 * Answers without a language model: quotes the passages that say most about the question, each with its link; or says that
 * none does, and names the nearest pages.
 */
export function createExtractiveAnswerer(): Answerer {
  const sectionsOf = createSections();
  const giveWay = createGiveWay();
  return {
    model: "none",
    async *answer(question, index, signal): AsyncGenerator<AnswerEvent> {
      const query = queryOf(question);
      const { filter, currentPath, passageCount: count } = question;
      const outcome = await index.search({ query, question: question.text, count, filter, currentPath });
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
        yield {
          kind: "text",
          text: `\n\n**${escaped(nameOf(passage))}** [${idOf(passage)}](${passage.url})\n\n${text}`,
        };
      }
      for (const passage of chosen)
        yield { kind: "source", id: idOf(passage), url: passage.url, title: nameOf(passage) };
      yield { kind: "end", outcome: "answered", usage: noUsage };
    },
  };
}

/** Of an index that does not weigh its words. */
function wordsIn(query: string): AskedWords {
  const textWords = createTextWords();
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return createWeigher(textWords)(words.map((word) => ({ numbers: [textWords.numberOf(word)], weights: [1] })));
}

const languageOf = ({ text, filter }: Question, { languages }: SiteIndex): string =>
  questionLanguage(text) ?? filter?.language ?? languages[0] ?? "en";

/** Those with most of the question first; about equal ones in the order of the search. */
function chooseQuoted({ passages }: SearchOutcome, weightOf: (...texts: readonly string[]) => number): Passage[] {
  const weighed = passages.map((passage) => {
    const { title, heading, text } = passage;
    return { passage, weight: weightOf(title, heading, text) };
  });
  const best = Math.max(...weighed.map(({ weight }) => weight));
  const step = ({ weight }: { readonly weight: number }): number => Math.round((steps * weight) / best);
  return weighed
    .filter(({ passage, weight }) => passage.text !== "" && weight >= leastShare * best)
    .sort((a, b) => step(b) - step(a))
    .slice(0, mostQuoted)
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
  const own = sections.filter((section) => section.key === key && section.blocks.length > 0);
  if (own.length < 2) return own[0];
  const beginning = headingKey(text.slice(0, 120)).slice(0, 40);
  return (
    own.find(({ blocks }) => headingKey(blocks.map((block) => block.text).join(" ")).includes(beginning)) ?? own[0]
  );
}

function nearest(passages: readonly Passage[], label: string): string[] {
  const pages = [...new Map(passages.map((passage) => [passage.path, passage])).values()].slice(0, mostNearest);
  if (pages.length === 0) return [];
  return [label, pages.map(({ url, title }) => `- [${escaped(title)}](${url.replace(/#.*$/, "")})`).join("\n")];
}

const nameOf = ({ title, heading }: Passage): string =>
  heading === "" || heading === title ? title : `${title} › ${heading}`;

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
