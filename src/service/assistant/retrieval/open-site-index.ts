import {
  createIndexOpener,
  cutWords,
  type ExpandedTerm,
  expandTerm,
  findHits,
  findWord,
  type Hit,
  type IndexFiles,
  isCommonWord,
  type PagePart,
  type QueryTerm,
  synonymsIn,
} from "../../../bundle/search/index.js";
import { headingKey, markdownSections } from "../../../lib/markdown-sections.js";
import { createRecent } from "../../../lib/memo.js";
import { decodePercent } from "../../../lib/url/index.js";
import type { Passage, SearchOutcome, SearchRequest, SiteIndex } from "../answer.js";
import { languageSigns, likelyLanguages, questionLanguage } from "../question.js";
import { type AskedWords, createTextWords, createWeigher } from "./asked-words.js";
import { judge } from "./certainty.js";
import { chooseScopes, spokenIn } from "./choose-scopes.js";
import { contentOf, type IndexRecord, readFacts, readRecords, readSearchFile, type SiteFacts } from "./index-object.js";
import { createPageAddresses, type PageAddresses, passageText } from "./passages.js";
import { type QuestionTerms, readQuestion } from "./question-terms.js";

export interface OpenedIndex {
  readonly index: SiteIndex;
  /** Estimate of the memory that it takes. */
  readonly bytes: number;
}

/** Characters of a question that are compared with titles and texts as a phrase. */
const phraseLength = 300;

/** Sizes of the caches: matches of words, outcomes of questions, and sections of pages. */
const maxTerms = 2000;
const maxOutcomes = 300;
const maxPages = 100;

/** The best section of the reader's page comes at this place at the latest, found or not: a model may read no more. */
const placeOfCurrent = 5;

/** The first text of a page is the best unless a section has this much more of what is asked for. */
const moreThanFirst = 1.3;

/** Memory of a file that is parsed, with its caches, as a multiple of its bytes. */
const parsedFactor = 3.5;

/**
 * Opens an index that `writeIndex` made. Its files are unpacked one after the other, so that other requests are served
 * in between.
 *
 * @throws {Error} if the object is damaged.
 */
export async function openSiteIndex(object: Buffer, fallbackUrl: string): Promise<OpenedIndex> {
  const search = new Map<string, readonly unknown[]>();
  const pages = new Map<string, IndexRecord>();
  let facts: SiteFacts | undefined;
  let bytes = object.length;
  for (const record of readRecords(object)) {
    if (record.path.endsWith(".md")) {
      pages.set(record.path, record);
      continue;
    }
    const content = await contentOf(record);
    if (record.path === "") {
      facts = readFacts(JSON.parse(content), fallbackUrl);
      continue;
    }
    const { name, data } = readSearchFile(content);
    search.set(name, data);
    bytes += parsedFactor * content.length;
  }
  if (facts === undefined) throw new Error("The index has no facts of its site.");
  const open = createIndexOpener(
    async (path, name) => {
      const data = search.get(name);
      if (data === undefined) throw new Error(`The index has no ${path}.`);
      return data;
    },
    // All files are in memory already.
    Number.POSITIVE_INFINITY,
  );
  const count = (search.get("")?.[0] as readonly string[] | undefined)?.length ?? 0;
  const indexes: IndexFiles[] = [];
  for (let id = 0; id < count; id++) indexes.push(await open(String(id)));
  if (indexes.length === 0) throw new Error("The index has no search.");
  const addresses = await createPageAddresses(indexes, facts);
  return { index: siteIndexOf(facts, indexes, addresses, pages), bytes };
}

function siteIndexOf(
  facts: SiteFacts,
  indexes: readonly IndexFiles[],
  addresses: PageAddresses,
  pages: ReadonlyMap<string, IndexRecord>,
): SiteIndex {
  const { siteName, baseUrl } = facts;
  const scopes = facts.scopes.length === indexes.length ? facts.scopes : [];
  const textWords = createTextWords();
  const weigh = createWeigher(textWords);
  const terms = createRecent<ExpandedTerm>(maxTerms);
  const outcomes = createRecent<SearchOutcome>(maxOutcomes);
  const sectionsByPage = createRecent<readonly Passage[]>(maxPages);
  const unique = (key: "version" | "language"): string[] => [...new Set(scopes.flatMap((scope) => scope[key] ?? []))];

  const languages = unique("language");

  const passageOf = (hit: Hit, words: AskedWords): Passage | undefined => {
    const address = addresses.of(hit.href);
    if (address === undefined) return undefined;
    const text = passageText(hit.text, hit.code, words, textWords);
    const { title, trail, score, isPage } = hit;
    return isPage
      ? { ...address, title, heading: "", trail, text, score }
      : { ...address, title: trail.at(-1) ?? "", heading: title, trail: trail.slice(0, -1), text, score };
  };

  /**
   * The section of a page with most of what is asked for. What the title of the page has tells no section from another,
   * so the first text must be clearly surpassed by words that the title lacks.
   */
  const bestOfPage = async (path: string, question: QuestionTerms): Promise<Passage | undefined> => {
    const place = addresses.placeOf(path);
    if (place === undefined) return undefined;
    const [href, title, trail, , ...parts] = await indexes[place.index]!.page(place.page);
    const ofTitle = question.words.weightIn(title);
    let best = 0;
    let highest = -1;
    for (const [at, [, heading, text, code = ""]] of parts.entries()) {
      // A word of the heading counts twice.
      const { weightIn } = question.words;
      const weight = weightIn(title, heading, text, code) + weightIn(title, at === 0 ? "" : heading) - 2 * ofTitle;
      const least = best === 0 && at > 0 ? moreThanFirst * highest : highest;
      if (weight > least && (text !== "" || code !== "")) [best, highest] = [at, weight];
    }
    const part = parts[best];
    if (part === undefined) return undefined;
    const [id, heading, sectionText, code = ""] = part;
    const address = addresses.of(id === "" ? href : `${href}#${encodeURIComponent(id)}`);
    const text = passageText(sectionText, code, question.words, textWords);
    return address && { ...address, title, heading: best === 0 ? "" : heading, trail, text, score: 0 };
  };

  /** A page that was found by its title has a section that says more. */
  const withBestSection = async (passage: Passage, question: QuestionTerms): Promise<Passage> => {
    const best = passage.heading === "" ? await bestOfPage(passage.path, question) : undefined;
    return best ? { ...best, score: passage.score } : passage;
  };

  /**
   * The language of a question, by the words that tell it and by those that the pages of a language have: a title such as
   * "Mitglied einladen" has no word of the grammar.
   */
  const languageOf = async (text: string): Promise<string | undefined> => {
    const likely = likelyLanguages(text);
    const told = likely.length === 1 ? likely[0] : undefined;
    // Spanish or Italian: neither is English.
    if (languages.length < 2) return likely.includes("en") ? told : likely[0];
    const signs = languageSigns(text);
    if (told !== undefined && signs.get(told)! > 1) return told;
    const words = new Set<string>();
    cutWords(text, (word) => word.length > 2 && words.add(word));
    const counts = languages.map(async (language) => {
      const index = indexes[chooseScopes(scopes, { filter: { language } })[0]!]!;
      const found = await Promise.all([...words].map((word) => findWord(index, word)));
      return found.filter((terms) => terms.length > 0).length + (signs.get(language.split("-")[0]!) ?? 0);
    });
    const ofLanguages = await Promise.all(counts);
    const most = Math.max(...ofLanguages);
    return most === 0 ? told : languages[ofLanguages.indexOf(most)];
  };

  const search = async (request: SearchRequest): Promise<SearchOutcome> => {
    const { query, about, count, filter, currentPath } = request;
    const place = currentPath === undefined ? undefined : addresses.placeOf(currentPath);
    const isOpen = (filter?.language ?? (place && scopes[place.index]?.language)) === undefined;
    const spoken = isOpen ? await languageOf(query) : questionLanguage(query);
    const hasSpoken =
      spoken === undefined || languages.length === 0 ? undefined : spokenIn(languages, spoken) !== undefined;
    const numbers = chooseScopes(scopes, { filter, current: place?.index, spoken });
    const chosen = numbers.map((at) => indexes[at]!);
    const scope = numbers.join();
    const entries = chosen.reduce((sum, { entryCount }) => sum + entryCount, 0);
    const synonyms = await synonymsIn(chosen);
    const expand = (term: QueryTerm): Promise<ExpandedTerm> =>
      terms(`${scope} ${keyOf(term)}`, () => expandTerm(chosen, term, synonyms));
    // A blank at the end: the last word is complete.
    const read = (text: string): Promise<QuestionTerms> =>
      readQuestion(`${text} `, { entries, spoken, hasSpoken, synonyms, expand }, textWords, weigh);
    const own = await read(query);
    const other = about && (await read(about.text));
    const otherLeads = other !== undefined && (about?.share === "all" || !findsWords(own)) && findsWords(other);
    const [question, second] = otherLeads ? [other, own] : [own, other];
    const share = otherLeads ? shareOfQuery : Number(about?.share);
    const beside =
      second &&
      (await Promise.all(
        lighterTerms(question, second, share).map(([term, factor]) =>
          terms(`${scope} ${factor} ${keyOf(term.query)}`, async () => weakened(term, factor)),
        ),
      ));
    const product = place === undefined ? 0 : indexes[place.index]!.productOf[place.page]!;
    const searched = [...question.terms, ...(beside ?? [])];
    const hits = await findHits(chosen, searched, query.slice(0, phraseLength), product, 2 * count, true);
    const found = hits.flatMap((hit) => passageOf(hit, question.words) ?? []);
    const passages = await Promise.all(
      otherPagesFirst(found)
        .slice(0, count)
        .map((passage) => withBestSection(passage, question)),
    );
    const judged = judge(passages, own.asked === 0 ? question : own);
    const ofPath = currentPath === undefined ? undefined : await bestOfPage(currentPath, question);
    const isOfPath = ({ url }: Passage): boolean => url === ofPath?.url;
    const isEarly = ofPath === undefined || passages.slice(0, placeOfCurrent).some(isOfPath);
    const others = passages.filter((passage) => !isOfPath(passage));
    const all = isEarly ? passages : others.toSpliced(Math.min(count, placeOfCurrent) - 1, 0, ofPath).slice(0, count);
    return { passages: all, ...judged, words: question.words, language: spoken };
  };

  const page = async (path: string) => {
    const found = addresses.markdownOf(path, pages);
    const record = found === undefined ? undefined : pages.get(found);
    return record && { path: addresses.normal(path), content: await contentOf(record) };
  };
  const sectionsAt = async ({ index, page: number }: { index: number; page: number }): Promise<readonly Passage[]> => {
    const [href, title, trail, , ...parts] = await indexes[index]!.page(number);
    const texts = markdownOfParts(parts, (await page(decodePercent(href)))?.content);
    return parts.flatMap(([id, heading], at) => {
      const address = addresses.of(id === "" ? href : `${href}#${encodeURIComponent(id)}`);
      return address
        ? [{ ...address, title, heading: at === 0 ? "" : heading, trail, text: texts[at]!, score: 0 }]
        : [];
    });
  };

  return {
    siteName,
    baseUrl,
    versions: unique("version"),
    languages,
    pages: addresses.pages,

    // An index never changes, and a new export has another one: an equal request has an equal outcome.
    search: (request) => {
      const { query, about, count, filter, currentPath } = request;
      const key = JSON.stringify([query, about, count, filter?.version, filter?.language, currentPath]);
      return outcomes(key, () => search(request));
    },

    page,
    readSections: async (path) => {
      const place = addresses.placeOf(path);
      return place && sectionsByPage(`${place.index} ${place.page}`, () => sectionsAt(place));
    },

    async sections(path) {
      const place = addresses.placeOf(path);
      if (place === undefined) return undefined;
      const [, , , , ...parts] = await indexes[place.index]!.page(place.page);
      return parts.map(([anchor, heading]) => ({ anchor, heading }));
    },
  };
}

/** Whether the site has a word of it, apart from those of all questions. */
const findsWords = ({ terms }: QuestionTerms): boolean =>
  terms.some(({ query, rarity }) => rarity > 0 && !query.optional && !isCommonWord(query.word));

const maxBeside = 8;
/** Of a query whose subject finds the sections. */
const shareOfQuery = 0.3;

/** The rarest words of a text that the question does not have itself, each with the factor of its weight. */
function lighterTerms(
  { terms }: QuestionTerms,
  subject: QuestionTerms,
  share: number,
): (readonly [term: ExpandedTerm, factor: number])[] {
  const own = new Set(terms.map(({ query }) => query.word));
  const others = subject.terms
    .filter(({ query, rarity }) => rarity > 0 && !query.common && !own.has(query.word))
    .sort((a, b) => b.rarity - a.rarity)
    .slice(0, maxBeside);
  const sum = (each: readonly ExpandedTerm[]): number => each.reduce((total, { rarity }) => total + rarity, 0);
  // In steps, so that the same words are used again.
  const factor = Math.ceil(Math.min(1, (share * sum(terms)) / sum(others)) * 20) / 20;
  return others.map((term) => [term, factor]);
}

/** A section without the word loses nothing. */
const weakened = (term: ExpandedTerm, factor: number): ExpandedTerm => ({
  ...term,
  query: { ...term.query, optional: true },
  rarity: factor * term.rarity,
});

/** The best section of each page, in their order, before further sections of the same pages. */
function otherPagesFirst(passages: readonly Passage[]): Passage[] {
  const seen = new Set<string>();
  const isFirst = passages.map(({ path }) => !seen.has(path) && seen.add(path));
  return [true, false].flatMap((first) => passages.filter((_, at) => Boolean(isFirst[at]) === first));
}

/** Words have no blanks. */
const keyOf = ({ word, parts, open, optional, common }: QueryTerm): string =>
  `${Number(open)}${Number(optional)}${Number(common)} ${word} ${parts.join(" ")}`;

/** Begins the note to agents in the Markdown version of each page. */
const instructions = /^> \*\*Agent instructions\*\*.*(?:\n>.*)*\n*/m;

/**
 * The Markdown of each part of a page, in the order of the parts: tables are tables, code is fenced, steps are lists.
 * A heading of the Markdown that is no part belongs to the part before. A part without a heading in the Markdown, such
 * as a folded one, has the text of the search.
 *
 * @param parts the first one is the text before the first heading. @param markdown undefined: the page has none.
 */
export function markdownOfParts(parts: readonly PagePart[], markdown: string | undefined): string[] {
  const plain = ([, , text, code = ""]: PagePart): string => [text, code].filter((each) => each !== "").join("\n\n");
  if (markdown === undefined) return parts.map(plain);
  const written = markdownSections(markdown);
  // The first heading is the title of the page.
  let at = written[1] === undefined ? 1 : 2;
  const texts = [written.slice(0, at)];
  for (const [, name] of parts.slice(1)) {
    const key = headingKey(name);
    let found = at;
    while (found < written.length && written[found]!.key !== key) found++;
    if (found === written.length) {
      texts.push([]);
      continue;
    }
    texts.findLast((each) => each.length > 0)!.push(...written.slice(at, found));
    texts.push([written[found]!]);
    at = found + 1;
  }
  texts.findLast((each) => each.length > 0)!.push(...written.slice(at));
  return texts.map((sections, part) => {
    const text = sections.map((section) => section.text).join("\n");
    return (part === 0 ? text.replace(instructions, "") : text).trim() || plain(parts[part]!);
  });
}
