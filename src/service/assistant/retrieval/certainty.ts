import { cutWords, type ExpandedTerm, isCommonWord, isPacked, isPair } from "../../../bundle/search/index.js";
import type { Certainty, Passage, SearchOutcome } from "../answer.js";
import type { QuestionTerms } from "./question-terms.js";

/** Passages that are looked at. */
const maxCompared = 5;

/**
 * What each sign counts for the first passage: how much of the question it has, and how much of it its titles have; the
 * score of the third one beside its own; the share of the others that are in the same folder; and a name in the question,
 * such as `getUserById`, that the site has. Fitted to judged questions of 13 sites and to questions of other sites, of
 * which less than 1 % are answered surely.
 */
const signs = { titles: 0.2, third: -0.65, agreement: 0.15, name: 0.15 } as const;
/** Pairs of characters also match by chance, so their share of a question is never as high as that of words. */
const leastSure = { words: 0.74, pairs: 0.45 } as const;

/** Titles with this share of a question, of which this share is asked for, are its subject: the signs do not matter. */
const subject = { titles: 0.9, asked: { words: 0.5, pairs: 0.75 } } as const;

/** The more words of a question are rare on the site, the more of them a passage must have. */
const strangeness = { words: { from: 0.7, factor: 2.45 }, pairs: { from: 0.72, factor: 2.45 } } as const;

/** How much of a question the passages have, and what follows from it. @param passages best first. */
export function judge(
  passages: readonly Passage[],
  question: QuestionTerms,
): Pick<SearchOutcome, "certainty" | "coverage"> {
  const { asked, words } = question;
  if (asked === 0 || passages.length === 0) return { certainty: "nothing", coverage: 0 };
  const shares = passages
    .slice(0, maxCompared)
    .map(({ title, heading, trail, text }) => words.weightIn(title, heading, ...trail, text) / asked);
  return { certainty: certaintyOf(passages, shares, question), coverage: Math.min(1, Math.max(...shares)) };
}

function certaintyOf(passages: readonly Passage[], shares: readonly number[], question: QuestionTerms): Certainty {
  const { asked, words, strange, isForeign, terms } = question;
  const [first, , third] = passages as readonly [Passage, ...Passage[]];
  const script = terms.some(({ query }) => isPair(query.word)) ? "pairs" : "words";
  const { from, factor } = strangeness[script];
  const inTitle = askedShare(first.heading || first.title, question);
  const content = terms.filter(({ query }) => !query.common && !query.optional);
  // "How do I begin?" means "Quickstart", although it only has a synonym of it.
  const meansTitle = content.length === 1 && inTitle === 1;
  if (Math.max(...shares) < factor * (strange - from)) return meansTitle ? "unsure" : "nothing";
  // Only names and identifiers were searched for, or the site lacks most of the words.
  if (isForeign || 2 * content.filter(({ rarity }) => rarity === 0).length > content.length) return "unsure";
  if (content.some((term) => isInPartsOnly(term, first))) return "unsure";
  const titles = words.weightIn(first.title, first.heading) / asked;
  if (titles >= subject.titles && inTitle >= subject.asked[script]) return "sure";
  const sum =
    shares[0]! +
    signs.titles * titles +
    (terms.some(({ isKnownName }) => isKnownName) ? signs.name : 0) +
    signs.third * (third === undefined ? 0 : third.score / first.score) +
    (signs.agreement *
      (passages.slice(0, maxCompared).filter(({ path }) => folderOf(path) === folderOf(first.path)).length - 1)) /
      (maxCompared - 1);
  return sum > leastSure[script] ? "sure" : "unsure";
}

/** Whether a passage may have the pairs of "ローミング" without having the word. */
const isInPartsOnly = ({ query: { word, parts }, whole }: ExpandedTerm, { title, heading, text }: Passage): boolean =>
  isPacked(word) &&
  parts.length > 0 &&
  whole.every((terms) => terms.length === 0) &&
  ![title, heading, text].some((each) => each.includes(word.replace(/ー$/, "")));

/** Share of the words of a title that the question asks for. */
function askedShare(title: string, { words }: QuestionTerms): number {
  let all = 0;
  let asked = 0;
  cutWords(title, (word) => {
    if (isCommonWord(word)) return;
    all++;
    if (words.weightIn(word) > 0) asked++;
  });
  return all === 0 ? 0 : asked / all;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));
