import type { DayViews } from "../../jobs/index.js";
import type { Bar } from "../components/chart.js";
import { dayMs, dayOf } from "../format.js";

export interface ViewRange {
  /** The choice of the menu; `custom` for two dates. */
  readonly name: RangeName | "custom";
  /** Days since 1970 of UTC; both included. */
  readonly first: number;
  readonly last: number;
}

const days = { "7d": 7, "30d": 30, "90d": 90, "12m": 365 } as const;
type RangeName = keyof typeof days;

export const rangeTexts: readonly (readonly [RangeName, string])[] = [
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["12m", "12 months"],
];

/** Longer ranges would draw a bar for each of thousands of months. */
const maxRangeDays = 20 * 366;

/** Reads `range`, or `from` and `to`; the last 30 days if they are missing or invalid. */
export function readRange(query: URLSearchParams, now: number): ViewRange {
  const today = Math.floor(now / dayMs);
  const [from, to] = [dayOf(query.get("from")), dayOf(query.get("to"))];
  if (from !== undefined && to !== undefined && from <= to && to - from < maxRangeDays)
    return { name: "custom", first: from, last: to };
  const name = rangeTexts.find(([choice]) => choice === query.get("range"))?.[0] ?? "30d";
  return { name, first: today - days[name] + 1, last: today };
}

/** The range of the same length before. */
export const rangeBefore = ({ first, last }: ViewRange): { readonly first: number; readonly last: number } => ({
  first: first - (last - first + 1),
  last: first - 1,
});

/** Bars stay wide enough to point at. */
const maxBars = 93;
const maxWeeks = 106;

/** Bars of people and AI agents, one for each day, week or month of the range; `last` is included. */
export function viewBars(views: readonly DayViews[], first: number, last: number, locale: string): readonly Bar[] {
  const days = last - first + 1;
  const unit = days <= maxBars ? "day" : days <= maxWeeks * 7 ? "week" : "month";
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    month: "short",
    ...(unit === "month" ? { year: "numeric" } : { day: "numeric" }),
  });
  const startOf = (day: number): number => {
    if (unit === "day") return day;
    if (unit === "week") return day - ((day - first) % 7);
    const date = new Date(day * dayMs);
    return Math.max(first, Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / dayMs);
  };
  const sums = new Map<number, [number, number]>();
  for (let day = first; day <= last; day++) sums.set(startOf(day), [0, 0]);
  for (const { day, human, ai } of views) {
    const values = sums.get(startOf(day));
    if (!values) continue;
    values[0] += human;
    values[1] += ai;
  }
  return [...sums].map(([day, values]) => ({ label: format.format(day * dayMs), values }));
}
