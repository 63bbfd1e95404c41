import { nameOf } from "../../../lib/url/index.js";
import { cutWords } from "../words.js";
import {
  type CutPart,
  cutPart,
  type FoundPart,
  foundPart,
  isOperation,
  joinedOf,
  noVariants,
  phraseOf,
  spaced,
} from "./found-part.js";
import type { IndexFiles } from "./index-files.js";
import type { RootWeights } from "./score-entries.js";
import { hasHan, isCommonWord, rootOf, simplified } from "./vocabulary.js";

/** An entry that may be shown. */
export interface Candidate {
  readonly index: IndexFiles;
  /** Index among the parts of its page. */
  readonly part: number;
  readonly score: number;
  /** Its number in the index. Entries with equal scores are sorted by it. */
  readonly entry: number;
  /** The lower, the nearer to the reader. */
  readonly distance: number;
  /** Whether its text is compared with the query; else only what the tables say of its page. */
  readonly isRead: boolean;
}

/** An entry to be shown. The marker is empty for sections. */
export interface Hit extends Pick<FoundPart, "href" | "title" | "marker" | "trail" | "text" | "code" | "isPage"> {
  readonly score: number;
  readonly distance: number;
  /** Reads the text of a hit that only has the title of its page. The order of the hits stays as it is. */
  readonly read?: () => Promise<Hit>;
}

/**
 * Factors for matches of the whole query: a page's title, a heading, a heading of several words, within either,
 * within the text.
 */
const isPageTitle = 3;
const isHeading = 1.7;
const isLongHeading = 2.4;
const inTitle = 1.25;
const inText = 1.3;

/** Factors for pages that answer few questions, unless the query asks for their kind. Pages are known by their addresses and groups. */
const kinds = [
  {
    factor: 0.5,
    pages: /\b(?:changelogs?|release-?notes?|releases|whats-new|blog|roadmap)\b/,
    asked: /chang|releas|version|new|blog|roadmap/i,
  },
  {
    factor: 0.6,
    pages: /\b(?:legacy|deprecated|archived?|v0)\b/,
    asked: /legacy|deprecated|archive|old|v0|migrat|upgrad/i,
  },
  { factor: 0.85, pages: /\breference\b/, asked: /\b(?:reference|api)\b|[a-z][A-Z]|[_/(]/ },
] as const;
/** Of two pages that match as well, the one nearer to the root is the more general: a share less for each folder. */
const ofFolder = 0.02;

/** Factor for marks as typed: `--strict`, `/api/v1`. */
const asTyped = 1.6;

/** Factor for the page of the operation at a path as typed: `POST /users`, `/users`. */
const ofEndpoint = 20;

/** Factors if a question has all words of the page's title, of the heading. */
const ofSubject = 1.5;
const ofSubsection = 1.2;

/** Factors for the second and third result of one page, and of a sentence: other pages should be seen too. */
const ofSamePage = [1, 0.5, 0.35];
const ofSamePageInSentence = [1, 0.2, 0.1];

/** Factor for pages of API operations, unless the query names one: guides answer most questions. */
const ofOperation = 0.6;
const namesOperation = (query: string): boolean =>
  /\b(?:api|rest|http)\b|[/_]/i.test(query) ||
  /[a-z][A-Z]|\b(?:GET|POST|PUT|PATCH|DELETE)\b/.test(query) ||
  (!isSentence(query) && /\b(?:endpoints?|requests?|get|post|put|patch|delete|list)\b/i.test(query));
/** In a sentence, words such as "get", "put" and "requests" have their usual sense. */
const isSentence = (query: string): boolean => query.trim().split(/\s+/).length > 4;

/** The best candidates by their texts, best first. @param isQuestion a sentence, which may name a title. */
export async function orderHits(
  candidates: readonly Candidate[],
  query: string,
  maxCount: number,
  isQuestion = false,
  weights?: RootWeights,
): Promise<Hit[]> {
  const parts = await Promise.all(candidates.map((each) => (each.isRead ? each.index.part(each.entry) : unread(each))));
  const variants = hasHan(query) ? await Promise.all(candidates.map(({ index }) => index.variants())) : [];
  const asked = createAsked(query, isQuestion);
  const pairs = weights ? pairsIn(query) : [];
  const ranked: RankedPart[] = [];
  const nears: number[] = [];
  for (const [at, candidate] of candidates.entries()) {
    const { index, part: number, score, isRead } = candidate;
    const pause = index.pause();
    if (pause) await pause;
    const part = foundPart(parts[at]!.page, parts[at]!.part, isRead ? number : 0);
    const known = variants[at] ?? noVariants;
    const phrase = known.size === 0 ? asked.phrase : createPhrase(simplified(query, known));
    const cut = known.size === 0 ? part.cut : cutPart(part.title, part.text, known);
    const factor = factorOf(asked, part) * phraseFactor(phrase, asked.joined, part, cut);
    const near = weights && isRead ? nearness(weights, part) * pairFactor(pairs, part) : 1;
    if (isRead) nears.push(near);
    ranked.push({ part, score: score * factor * near * subjectFactor(asked, part), candidate });
  }
  const usual = median(nears);
  const best = spread(
    dropDuplicates(
      ranked
        .map((each) => (each.candidate.isRead ? each : { ...each, score: usual * each.score }))
        .sort((a, b) => b.score - a.score),
    ),
    weights ? ofSamePageInSentence : ofSamePage,
  ).slice(0, maxCount);
  return best.map(hitOf);
}

/** What is known of the page of a candidate, without texts. */
async function unread({ index, entry }: Candidate): ReturnType<IndexFiles["part"]> {
  const { names } = await index.tables();
  const [href = "", title = "", marker = "", ...trail] = (names[index.pageOf[entry]!] ?? "").split("\t");
  return { page: [href, title, trail, marker], part: ["", "", ""] };
}

function hitOf({ part, score, candidate }: RankedPart): Hit {
  const { href, title, marker, trail, text, code, isPage } = part;
  const { index, entry, part: number, distance, isRead } = candidate;
  const hit = { href, title, marker: isPage ? marker : "", trail, text, code, isPage, score, distance };
  if (isRead) return hit;
  const read = async (): Promise<Hit> => {
    const whole = await index.part(entry);
    return hitOf({ part: foundPart(whole.page, whole.part, number), score, candidate: { ...candidate, isRead: true } });
  };
  return { ...hit, read };
}

/** The median; 1 for no numbers. */
const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 1;

/** Lowers the further results of a page, and of pages with its title and file name: copies for other products. */
function spread(ranked: readonly RankedPart[], factors: readonly number[]): RankedPart[] {
  const ofPage = new Map<string, number>();
  const lowered = ranked.map((each) => {
    const { page, subject } = each.part;
    const name = `${subject} ${nameOf(page)}`;
    const count = ofPage.get(name) ?? 0;
    ofPage.set(name, count + 1);
    return { each, score: each.score * (factors[count] ?? factors.at(-1)!) };
  });
  return lowered.sort((a, b) => b.score - a.score).map(({ each }) => each);
}

/** The query as it is compared with titles and texts. */
interface Asked {
  readonly phrase: Phrase;
  /** Of a question: what its words share with related ones. */
  readonly roots: ReadonlySet<string> | undefined;
  readonly joined: string | undefined;
  /** The part of the query with marks between or before the letters, in lower case. */
  readonly typed: string | undefined;
  /** The end of an endpoint that the query is, in lower case. */
  readonly endpoint: { readonly method: string; readonly path: string } | undefined;
  readonly namesOperation: boolean;
  /** The kinds of pages that the query does not ask for. */
  readonly otherKinds: readonly (typeof kinds)[number][];
}

interface Phrase {
  readonly words: readonly string[];
  /** With a blank around each word. */
  readonly text: string;
  /** The last word may be unfinished. */
  readonly unfinished: string;
  /** The beginnings of its words, if there are several. */
  readonly beginnings: readonly string[] | undefined;
}

function createAsked(query: string, isQuestion: boolean): Asked {
  const typed = query.trim().toLowerCase();
  const phrase = createPhrase(query);
  return {
    phrase,
    roots: isQuestion ? new Set(phrase.words.map(rootOf)) : undefined,
    joined: joinedOf(query),
    typed: /[^\p{L}\p{M}\p{N}\s?!,]/u.test(typed) ? typed : undefined,
    endpoint: endpointIn(typed),
    namesOperation: namesOperation(query),
    otherKinds: kinds.filter(({ asked }) => !asked.test(query)),
  };
}

function endpointIn(typed: string): Asked["endpoint"] {
  const [, method = "", path] = /^(?:(get|head|post|put|patch|delete) )?(\/[^\s/](?:\S*[^\s/])?)\/?$/.exec(typed) ?? [];
  return path === undefined ? undefined : { method, path };
}

/** @param endpoint see `FoundPart`. */
const isEndpoint = ({ method, path }: NonNullable<Asked["endpoint"]>, endpoint: string): boolean =>
  endpoint.toLowerCase().startsWith(method) && `${endpoint.toLowerCase()} `.includes(`${path} `);

function createPhrase(query: string): Phrase {
  const words = phraseOf(query);
  const text = spaced(words);
  const beginnings = words.length > 1 ? words.map((word) => word.slice(0, 3)) : undefined;
  return { words, text, unfinished: text.slice(0, -1), beginnings };
}

function factorOf(asked: Asked, { title, text, code, marker, endpoint, place }: FoundPart): number {
  const { typed } = asked;
  const ofPath = asked.endpoint && isEndpoint(asked.endpoint, endpoint) ? ofEndpoint : 1;
  const isTyped = typed !== undefined && [title, text, code].some((each) => each.toLowerCase().includes(typed));
  const kind = Math.min(1, ...asked.otherKinds.map(({ pages, factor }) => (pages.test(place) ? factor : 1)));
  const ofKind = isOperation(marker) && !asked.namesOperation ? Math.min(kind, ofOperation) : kind;
  return ofKind * (1 - ofFolder * Math.min(6, place.split("/").length - 1)) * (isTyped ? asTyped : 1) * ofPath;
}

/** Words of a text that are near each other, and next to each other but for one. */
const nearWords = 15;
const nextWords = 2;
/**
 * How much counts for a sentence, as powers of e: the share of it that near words have; each two of its words that are next
 * to each other, up to a number of them; the share of it in the address of the page and the groups around it; and the text
 * before the first heading. The length counts as a power. Fitted to judged questions of 15 sites, each site by the
 * questions of the others.
 */
const ofNear = 2.2;
const ofNext = 0.15;
const maxNext = 6;
const ofPlace = 0.8;
const ofPair = 0.15;
const maxPairs = 4;
const ofPageText = 0.25;
const ofLength = -0.17;

/** A factor that is higher the more of a sentence a few words of a section have, and the shorter it is. */
function nearness({ weights, all }: RootWeights, { isPage, around, roots }: FoundPart): number {
  const { count, places: placesOf } = roots();
  const places: { readonly at: number; readonly term: number; readonly weight: number }[] = [];
  for (const [root, asked] of weights) for (const at of placesOf.get(root) ?? []) places.push({ at, ...asked });
  places.sort((a, b) => a.at - b.at);
  let best = 0;
  const next = new Set<string>();
  for (const [from, { at: start, term: first }] of places.entries()) {
    for (let i = from + 1; i < places.length && places[i]!.at <= start + nextWords; i++) {
      const { term } = places[i]!;
      if (term !== first) next.add(`${Math.min(first, term)} ${Math.max(first, term)}`);
    }
    const found = new Map<number, number>();
    let sum = 0;
    for (let i = from; i < places.length && places[i]!.at < start + nearWords; i++) {
      const { term, weight } = places[i]!;
      const before = found.get(term) ?? 0;
      if (weight > before) sum += weight - before;
      found.set(term, Math.max(weight, before));
    }
    best = Math.max(best, sum);
  }
  const inPlace = new Map<number, number>();
  for (const root of around()) {
    const { term = -1, weight = 0 } = weights.get(root) ?? {};
    inPlace.set(term, Math.max(weight, inPlace.get(term) ?? 0));
  }
  const ofAround = [...inPlace.values()].reduce((sum, weight) => sum + weight, 0);
  return (
    Math.exp(
      (ofNear * best + ofPlace * ofAround) / all + ofNext * Math.min(maxNext, next.size) + ofPageText * Number(isPage),
    ) *
    (1 + count) ** ofLength
  );
}

/** Each two neighbours among the words of a sentence, but for two words of questions: "sign up" and "go back", too. */
function pairsIn(query: string): string[] {
  const words: string[] = [];
  cutWords(query, (word, parts) => parts === 0 && words.push(word));
  return words.slice(1).flatMap((word, at) => {
    const before = words[at]!;
    return isCommonWord(before) && isCommonWord(word) ? [] : [` ${before} ${word}`];
  });
}

function pairFactor(pairs: readonly string[], { title, text }: FoundPart): number {
  const all = ` ${title} ${text}`.toLowerCase();
  return Math.exp(ofPair * Math.min(maxPairs, pairs.filter((pair) => all.includes(pair)).length));
}

function subjectFactor({ roots }: Asked, { subject, subsection }: FoundPart): number {
  if (roots === undefined) return 1;
  const isAsked = (words: readonly string[], least: number): boolean =>
    words.length >= least && words.every((word) => roots.has(word));
  // Many headings are one word, such as "Options".
  return (isAsked(subject, 1) ? ofSubject : 1) * (isAsked(subsection, 2) ? ofSubsection : 1);
}

function phraseFactor(
  { words, text, unfinished, beginnings }: Phrase,
  joined: string | undefined,
  { isPage }: FoundPart,
  cut: CutPart,
): number {
  const ofWhole = isPage ? isPageTitle : words.length > 1 ? isLongHeading : isHeading;
  if (cut.title === text || (joined !== undefined && cut.joined === joined)) return ofWhole;
  // The more of a title the phrase is, the better.
  if (cut.title.includes(unfinished))
    return words.length < 3 ? inTitle : inTitle + ((ofWhole - inTitle) * unfinished.length) / cut.title.length;
  return beginnings && mayHave(cut.lower(), beginnings) && cut.text().includes(unfinished) ? inText : 1;
}

/** False if the text lacks the beginning of a word of the phrase: much faster than to cut the text into words. */
const mayHave = (lower: string | undefined, beginnings: readonly string[]): boolean =>
  lower === undefined || beginnings.every((beginning) => lower.includes(beginning));

interface RankedPart {
  readonly part: FoundPart;
  readonly score: number;
  readonly candidate: Candidate;
}

/** Share of common words from which two texts are the same. */
const alike = 0.8;

/** What several pages repeat tells little about any of them: the factor from this number of pages on. */
const manyDuplicates = 3;
const ofMany = 0.6;

/**
 * Keeps one of the results that say the same: the fields of a page that share a name, a page listed in several products or
 * versions, and copies of a page, but not operations with different paths. The nearest takes the place of the best.
 *
 * @param ranked best first.
 */
function dropDuplicates(ranked: readonly RankedPart[]): RankedPart[] {
  const distinct: { nearest: RankedPart; readonly score: number; readonly pages: Set<string> }[] = [];
  for (const each of ranked) {
    const { part, score, candidate } = each;
    const known = distinct.find(({ nearest }) => isDuplicate(part, nearest.part));
    if (known && candidate.distance < known.nearest.candidate.distance) known.nearest = each;
    if (known) known.pages.add(part.page);
    else distinct.push({ nearest: each, score, pages: new Set([part.page]) });
  }
  return distinct
    .map(({ nearest, score, pages }) => ({
      ...nearest,
      score: pages.size < manyDuplicates ? score : ofMany * score,
    }))
    .sort((a, b) => b.score - a.score);
}

function isDuplicate(one: FoundPart, other: FoundPart): boolean {
  if (one.title !== other.title || one.endpoint !== other.endpoint) return false;
  if (one.page === other.page) return true;
  const words = one.words();
  const otherWords = other.words();
  // Without text, the name of the page decides.
  if (words.size === 0 && otherWords.size === 0) return nameOf(one.page) === nameOf(other.page);
  let common = 0;
  // An iterator would make an object for each word.
  words.forEach((word) => {
    if (otherWords.has(word)) common++;
  });
  return common >= alike * Math.max(words.size, otherWords.size);
}
