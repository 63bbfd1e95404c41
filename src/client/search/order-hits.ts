import { cutWords } from "../../bundle/search/words.js";
import type { IndexFiles } from "./index-files.js";

/** An entry that may be shown. */
export interface Candidate {
  readonly index: IndexFiles;
  readonly page: number;
  /** Index among the parts of its page. */
  readonly part: number;
  readonly score: number;
  /** Entries with equal scores are sorted by this. */
  readonly order: number;
}

/** An entry to be shown. */
export interface Hit {
  /** Relative to the bundle's root. */
  readonly href: string;
  readonly title: string;
  /** Text of the pill next to the title; empty for none. */
  readonly marker: string;
  /** Names of the groups around it, outermost first. */
  readonly trail: readonly string[];
  readonly text: string;
  readonly code: string;
  readonly isPage: boolean;
  readonly score: number;
}

/** Factors for matches of the whole query: the exact title, within the title, within the text. */
const exactTitle = 1.7;
const inTitle = 1.25;
const inText = 1.3;

/** Loads the texts of the candidates and returns the best, best first. */
export async function orderHits(candidates: readonly Candidate[], query: string, maxCount: number): Promise<Hit[]> {
  const phrase = phraseOf(query);
  const hits = await Promise.all(
    candidates.map(async ({ index, page, part, score }): Promise<Hit> => {
      const [href, title, trail, marker, ...parts] = await index.page(page);
      const [id, heading, text, code = ""] = parts[part]!;
      const own = part === 0 ? title : heading;
      const factor = phraseFactor(phrase, phraseOf(own), () => phraseOf(text));
      return {
        href: id === "" ? href : `${href}#${encodeURIComponent(id)}`,
        title: own,
        marker: part === 0 ? marker : "",
        trail: part === 0 ? trail : [...trail, title],
        text,
        code,
        isPage: part === 0,
        score: score * factor,
      };
    }),
  );
  // Fields of a page may share a name.
  const seen = new Set<string>();
  const isNew = ({ href, title }: Hit): boolean => {
    const key = `${href.split("#")[0]} ${title}`;
    return !seen.has(key) && Boolean(seen.add(key));
  };
  return hits
    .sort((a, b) => b.score - a.score)
    .filter(isNew)
    .slice(0, maxCount);
}

/** The words of a text, with a space before and after each. */
function phraseOf(text: string): string {
  const words: string[] = [];
  cutWords(text, (word, parts) => parts === 0 && words.push(word));
  return ` ${words.join(" ")} `;
}

function phraseFactor(phrase: string, title: string, text: () => string): number {
  if (phrase === title) return exactTitle;
  // The last word may be unfinished.
  const unfinished = phrase.slice(0, -1);
  if (title.includes(unfinished)) return inTitle;
  const isPhrase = phrase.indexOf(" ", 1) < phrase.length - 1;
  return isPhrase && text().includes(unfinished) ? inText : 1;
}
