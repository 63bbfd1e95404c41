// Which pages a browser opens: the start page, those with the most components, tables, frames and live parts, and others by chance.
import type { MatchedPage } from "./check-pages.ts";

const countOf = ({ source }: MatchedPage, names: RegExp): number => {
  let sum = 0;
  for (const [name, count] of source.tags) if (names.test(name)) sum += count;
  return sum;
};

const features: readonly ((page: MatchedPage) => number)[] = [
  (page) => countOf(page, /^[A-Z]/),
  ({ source }) => source.written.match(/^[ \t]*\|.*\|[ \t]*$/gm)?.length ?? 0,
  (page) => countOf(page, /^(?:iframe|video|embed|object)$/i),
  (page) => new Set([...page.source.tags.keys()].filter((name) => /^[A-Z]/.test(name))).size,
  ({ source }) => source.written.match(/style=|mask|className=/g)?.length ?? 0,
  ({ source }) => (typeof source.frontMatter["openapi"] === "string" ? 1 : 0),
  ({ source }) => source.written.match(/^```/gm)?.length ?? 0,
];

/** @param seed an integer; the same seed gives the same pages. */
export function samplePages(pages: readonly MatchedPage[], count: number, seed: number): MatchedPage[] {
  const chosen = new Set<MatchedPage>();
  const start = pages.find(({ isInNavigation }) => isInNavigation) ?? pages[0];
  if (start !== undefined) chosen.add(start);
  for (const feature of features) {
    if (chosen.size >= count) break;
    const [most] = pages.map((page) => ({ page, uses: feature(page) })).sort((a, b) => b.uses - a.uses);
    if (most !== undefined && most.uses > 0) chosen.add(most.page);
  }
  let state = seed >>> 0;
  for (let tries = 0; chosen.size < Math.min(count, pages.length) && tries < count * 20; tries++) {
    // A linear congruential generator is random enough for a choice.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    chosen.add(pages[state % pages.length]!);
  }
  return [...chosen];
}
