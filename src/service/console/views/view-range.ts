import { dayOf } from "../days.js";

const dayMs = 86_400_000;

export interface ViewRange {
  /** The choice of the menu; `custom` for two dates. */
  readonly name: RangeName | "custom";
  /** Days since 1970 of UTC; both included. */
  readonly first: number;
  readonly last: number;
}

const days = { "7d": 7, "30d": 30, "90d": 90, "12m": 365 } as const;
export type RangeName = keyof typeof days;

export const rangeTexts: readonly (readonly [RangeName, string])[] = [
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["12m", "12 months"],
];

/** Longer ranges would draw a bar for each of thousands of months. */
const maxDays = 20 * 366;

/** Reads `range`, or `from` and `to`. What makes no sense gives the last 30 days. */
export function readRange(query: URLSearchParams, now: number): ViewRange {
  const today = Math.floor(now / dayMs);
  const [from, to] = [dayOf(query.get("from")), dayOf(query.get("to"))];
  if (from !== undefined && to !== undefined && from <= to && to - from < maxDays)
    return { name: "custom", first: from, last: to };
  const written = query.get("range") ?? "";
  const name = rangeTexts.find(([each]) => each === written)?.[0] ?? "30d";
  return { name, first: today - days[name] + 1, last: today };
}

/** The range of the same length before. */
export const rangeBefore = ({ first, last }: ViewRange): { readonly first: number; readonly last: number } => ({
  first: first - (last - first + 1),
  last: first - 1,
});
