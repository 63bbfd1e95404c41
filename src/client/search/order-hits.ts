import { cutWords } from "../../bundle/search/words.js";
import type { IndexFiles } from "./index-files.js";

/** An entry that may be shown. */
export interface Candidate {
  readonly index: IndexFiles;
  readonly page: number;
  /** Place among the parts of its page. */
  readonly part: number;
  readonly score: number;
  /** Of entries that are equally good the lower comes first. */
  readonly order: number;
}

/** An entry to be shown. */
export interface Hit {
  /** From the bundle's root. */
  readonly href: string;
  readonly title: string;
  /** What the pill beside the title says; empty for none. */
  readonly marker: string;
  /** Names of what it stands in, outermost first. */
  readonly trail: readonly string[];
  readonly text: string;
  readonly code: string;
  readonly isPage: boolean;
  readonly score: number;
}

/** What is written as it was asked for counts more: the whole title, words in the same order. */
const exactTitle = 1.7;
const inTitle = 1.25;
const inText = 1.3;

/** Loads what candidates say, and puts the best first. */
export async function orderHits(candidates: readonly Candidate[], query: string, most: number): Promise<Hit[]> {
  const phrase = phraseOf(query);
  const hits = await Promise.all(
    candidates.map(async ({ index, page, part, score }): Promise<Hit> => {
      const [href, title, trail, marker, ...parts] = await index.page(page);
      const [id, heading, text, code = ""] = parts[part]!;
      const own = part === 0 ? title : heading;
      const likeness = likenessOf(phrase, phraseOf(own), () => phraseOf(text));
      return {
        href: id === "" ? href : `${href}#${encodeURIComponent(id)}`,
        title: own,
        marker: part === 0 ? marker : "",
        trail: part === 0 ? trail : [...trail, title],
        text,
        code,
        isPage: part === 0,
        score: score * likeness,
      };
    }),
  );
  // Fields of one page may have the same name.
  const seen = new Set<string>();
  const isNew = ({ href, title }: Hit): boolean => {
    const key = `${href.split("#")[0]} ${title}`;
    return !seen.has(key) && Boolean(seen.add(key));
  };
  return hits
    .sort((a, b) => b.score - a.score)
    .filter(isNew)
    .slice(0, most);
}

/** The plain words of a text, each between blanks. */
function phraseOf(text: string): string {
  const words: string[] = [];
  cutWords(text, (word, parts) => parts === 0 && words.push(word));
  return ` ${words.join(" ")} `;
}

function likenessOf(phrase: string, title: string, text: () => string): number {
  if (phrase === title) return exactTitle;
  // The last word may not be finished.
  const begun = phrase.slice(0, -1);
  if (title.includes(begun)) return inTitle;
  const isPhrase = phrase.indexOf(" ", 1) < phrase.length - 1;
  return isPhrase && text().includes(begun) ? inText : 1;
}
