import type { Passage } from "../../answer.js";

/** What the answer may lead to: the sections of the passages that the model was given. */
export interface Citations {
  /** The link of a passage by its number, from 1. Undefined: there is none. */
  linkTo(number: number): string | undefined;
  /** The address for a link that the model wrote itself. Undefined: the text stays without a link. */
  addressOf(written: string): string | undefined;
  /** Numbers of the cited passages, in the order of the text. */
  readonly cited: ReadonlySet<number>;
}

export function createCitations(passages: readonly Passage[], baseUrl: string): Citations {
  const cited = new Set<number>();
  const pages = new Set(passages.map(({ url }) => pageOf(url)));
  const isShown = (href: string, written: string): boolean =>
    pages.has(pageOf(href)) || (!written.startsWith("/") && passages.some(({ text }) => text.includes(written)));
  return {
    cited,
    linkTo(number) {
      const passage = passages[number - 1];
      const href = passage && hrefOf(passage.url);
      if (href === undefined) return undefined;
      cited.add(number);
      return `[${number}](${href})`;
    },
    addressOf(written) {
      const href = hrefOf(/^\/(?!\/)/.test(written) ? baseUrl + written : written);
      const base = hrefOf(baseUrl)?.replace(/\/$/, "");
      if (href === undefined || base === undefined) return undefined;
      const isOfSite = href.startsWith(base) && /^(?:$|[/?#])/.test(href.slice(base.length));
      // A query could carry something away, or name a place to go on to.
      return isOfSite && !href.includes("?") && isShown(href, written) ? href : undefined;
    },
  };
}

/** As it may be written in Markdown, in a table too. */
function hrefOf(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { href, username, password } = new URL(url);
  if (username !== "" || password !== "") return undefined;
  return href.replace(/[()[\]<>|\\`"'\s*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

const pageOf = (url: string): string => url.replace(/#.*$/s, "").replace(/\/$/, "");
