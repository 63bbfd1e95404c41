import {
  createIndexOpener,
  type ExpandedTerm,
  expandTerm,
  findHits,
  type Hit,
  type IndexFiles,
  type QueryTerm,
} from "../../../bundle/search/index.js";
import { createRecent } from "../../../lib/memo.js";
import type { Passage, SearchOutcome, SearchRequest, SiteFilter, SiteIndex } from "../answer.js";
import { type AskedWords, createTextWords, createWeigher } from "./asked-words.js";
import {
  contentOf,
  type FactScope,
  type IndexRecord,
  readFacts,
  readRecords,
  readSearchFile,
  type SiteFacts,
} from "./index-object.js";
import { createPageAddresses, type PageAddresses, passageText } from "./passages.js";
import { type QuestionTerms, readQuestion } from "./question-terms.js";

export interface OpenedIndex {
  readonly index: SiteIndex;
  /** Estimate of the memory that it takes. */
  readonly bytes: number;
}

/** Further passages of the same page tell the reader little. */
const maxOfPage = 2;

/** Characters of a question that are compared with titles and texts as a phrase. */
const phraseLength = 300;

/** Sizes of the caches: matches of words, and outcomes of questions. */
const maxTerms = 2000;
const maxOutcomes = 300;

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
  const open = createIndexOpener(async (path, name) => {
    const data = search.get(name);
    if (data === undefined) throw new Error(`The index has no ${path}.`);
    return data;
  }, Number.POSITIVE_INFINITY);
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
  const unique = (key: "version" | "language"): string[] => [...new Set(scopes.flatMap((scope) => scope[key] ?? []))];

  const passageOf = (hit: Hit, words: AskedWords): Passage | undefined => {
    const address = addresses.of(hit.href);
    if (address === undefined) return undefined;
    const text = passageText(hit.text, hit.code, words, textWords);
    const { title, trail, score, isPage } = hit;
    return isPage
      ? { ...address, title, heading: "", trail, text, score }
      : { ...address, title: trail.at(-1) ?? "", heading: title, trail: trail.slice(0, -1), text, score };
  };

  /** The section of the reader's page with most of what is asked for; its first text if none has any. */
  const bestOfPage = async (path: string, question: QuestionTerms): Promise<Passage | undefined> => {
    const place = addresses.placeOf(path);
    if (place === undefined) return undefined;
    const [href, title, trail, , ...parts] = await indexes[place.index]!.page(place.page);
    let best = 0;
    let highest = -1;
    for (const [at, [, heading, text, code = ""]] of parts.entries()) {
      const weight = question.words.weightIn(heading, text, code);
      if (weight > highest && (text !== "" || code !== "")) [best, highest] = [at, weight];
    }
    const part = parts[best];
    if (part === undefined) return undefined;
    const [id, heading, sectionText, code = ""] = part;
    const address = addresses.of(id === "" ? href : `${href}#${encodeURIComponent(id)}`);
    const text = passageText(sectionText, code, question.words, textWords);
    return address && { ...address, title, heading: best === 0 ? "" : heading, trail, text, score: 0 };
  };

  const search = async (request: SearchRequest): Promise<SearchOutcome> => {
    const { query, question: asked = query, count, filter, currentPath } = request;
    const place = currentPath === undefined ? undefined : addresses.placeOf(currentPath);
    const numbers = chooseScopes(scopes, filter, place?.index);
    const chosen = numbers.map((at) => indexes[at]!);
    const scope = numbers.join();
    const entries = chosen.reduce((sum, { entryCount }) => sum + entryCount, 0);
    // A blank at the end: the last word is complete.
    const read = (text: string): Promise<QuestionTerms> =>
      readQuestion(
        `${text} `,
        entries,
        (term) => terms(`${scope} ${keyOf(term)}`, () => expandTerm(chosen, term)),
        textWords,
        weigh,
      );
    const question = await read(query);
    const own = asked === query ? question : await read(asked);
    const product = place === undefined ? 0 : indexes[place.index]!.productOf[place.page]!;
    const hits = await findHits(chosen, question.terms, query.slice(0, phraseLength), product, 2 * count, true);
    const passages: Passage[] = [];
    const ofPage = new Map<string, number>();
    for (const hit of hits) {
      if (passages.length === count) break;
      const passage = passageOf(hit, question.words);
      if (passage === undefined) continue;
      const seen = ofPage.get(passage.path) ?? 0;
      ofPage.set(passage.path, seen + 1);
      if (seen < maxOfPage) passages.push(passage);
    }
    const coverage = coverageOf(passages, own.asked === 0 ? question : own);
    const ofPath = currentPath === undefined ? undefined : await bestOfPage(currentPath, question);
    const isThere = ofPath === undefined || passages.some(({ url }) => url === ofPath.url);
    const all = isThere ? passages : [...passages.slice(0, count - 1), ofPath];
    return { passages: all, coverage, words: question.words };
  };

  return {
    siteName,
    baseUrl,
    versions: unique("version"),
    languages: unique("language"),
    pages: addresses.pages,

    // An index never changes, and a new export has another one: an equal request has an equal outcome.
    search: (request) => {
      const { query, question, count, filter, currentPath } = request;
      const key = JSON.stringify([query, question, count, filter?.version, filter?.language, currentPath]);
      return outcomes(key, () => search(request));
    },

    async page(path) {
      const found = addresses.markdownOf(path, pages);
      const record = found === undefined ? undefined : pages.get(found);
      return record && { path: addresses.normal(path), content: await contentOf(record) };
    },

    async sections(path) {
      const place = addresses.placeOf(path);
      if (place === undefined) return [];
      const [, , , , ...parts] = await indexes[place.index]!.page(place.page);
      return parts.map(([id, heading]) => ({ id, heading }));
    },
  };
}

/** Words have no blanks. */
const keyOf = ({ word, parts, open, optional, common }: QueryTerm): string =>
  `${Number(open)}${Number(optional)}${Number(common)} ${word} ${parts.join(" ")}`;

/** Passages that are looked at for the gate. */
const mostCovering = 5;

function coverageOf(passages: readonly Passage[], { asked, words }: QuestionTerms): number {
  if (asked === 0) return 0;
  const weights = passages
    .slice(0, mostCovering)
    .map(({ title, heading, trail, text }) => words.weightIn(title, heading, ...trail, text));
  return Math.min(1, Math.max(0, ...weights) / asked);
}

/**
 * The indexes to search: those of the wanted language and version, and those without. What the filter leaves open is as
 * on the reader's page, else the default of the site. The nearest come first.
 *
 * @param current index of the reader's page.
 */
export function chooseScopes(scopes: readonly FactScope[], filter: SiteFilter = {}, current?: number): number[] {
  if (scopes.length < 2) return [0];
  const origin = current === undefined ? undefined : scopes[current];
  const usual = scopes.find(({ isDefault }) => isDefault);
  const language = filter.language ?? origin?.language ?? usual?.language;
  const version = filter.version ?? origin?.version ?? versionIn(scopes, language);
  const distance = (scope: FactScope): number =>
    Number(scope.language !== language) + Number(scope.version !== version);
  return [...scopes.keys()]
    .filter((at) => {
      const scope = scopes[at]!;
      return [undefined, language].includes(scope.language) && [undefined, version].includes(scope.version);
    })
    .sort((a, b) => distance(scopes[a]!) - distance(scopes[b]!));
}

/** The default version, or the first of a language that does not have it. */
function versionIn(scopes: readonly FactScope[], language: string | undefined): string | undefined {
  const ofLanguage = scopes.filter(
    (scope) => [undefined, language].includes(scope.language) && scope.version !== undefined,
  );
  const usual = scopes.find(({ isDefault, version }) => isDefault && version !== undefined)?.version;
  return (ofLanguage.find(({ version }) => version === usual) ?? ofLanguage[0])?.version;
}
