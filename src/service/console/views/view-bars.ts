import type { DayViews } from "../../jobs/index.js";
import type { Bar } from "../parts/chart.js";

const dayMs = 86_400_000;
/** Bars stay wide enough to point at. */
const maxDays = 93;
const maxWeeks = 106;

/** Bars of people and AI agents, one for each day, week or month of the range; `last` is included. */
export function viewBars(views: readonly DayViews[], first: number, last: number, locale: string): readonly Bar[] {
  const days = last - first + 1;
  const unit = days <= maxDays ? "day" : days <= maxWeeks * 7 ? "week" : "month";
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
