import type { DayRange } from "./view-store.js";

export const dayMs = 24 * 60 * 60_000;

export const dayOf = (time: number): number => Math.floor(time / dayMs);

/** Months since the year 0. */
export function monthOf(day: number): number {
  const date = new Date(day * dayMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The first day of a month. */
export const firstDayOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / dayMs;

/** Rows that are added or taken away: `from` included, `to` excluded. */
export interface Part {
  readonly table: "months" | "days";
  readonly sign: 1 | -1;
  readonly from: number;
  readonly to: number;
}

/** Before and after every day and month, and an integer of either database. */
const first = -1_000_000;
const last = 1_000_000;

/** The first day of a range, and the first one after it. */
export const daysOf = ({ from = first, to = last }: DayRange): [from: number, to: number] => [from, Math.min(to, last)];

/**
 * The fewest rows that add up to a range: whole months, and the days of the months at its edges. Where less than half of
 * such a month is outside, it is the month without those days.
 *
 * @param keptMonth the first month whose days are all stored.
 */
export function partsOf({ from = first, to = last }: DayRange, today: number, keptMonth: number): readonly Part[] {
  // There are no views after today.
  const end = to > today ? last : to;
  if (from >= end) return [];
  const fromMonth = from === first ? first : monthOf(from);
  const endMonth = end === last ? last : monthOf(end);
  const days = (sign: 1 | -1, start: number, stop: number): Part => ({ table: "days", sign, from: start, to: stop });
  if (fromMonth === endMonth) return [days(1, from, end)];

  const parts: Part[] = [];
  let wholeFrom = fromMonth;
  let wholeTo = endMonth;
  if (fromMonth !== first) {
    const start = firstDayOf(fromMonth);
    const stop = firstDayOf(fromMonth + 1);
    if (fromMonth >= keptMonth && from - start < stop - from) {
      if (from > start) parts.push(days(-1, start, from));
    } else {
      wholeFrom += 1;
      parts.push(days(1, from, stop));
    }
  }
  if (endMonth !== last) {
    const start = firstDayOf(endMonth);
    const stop = firstDayOf(endMonth + 1);
    if (endMonth >= keptMonth && stop - end < end - start) {
      wholeTo += 1;
      parts.push(days(-1, end, stop));
    } else if (end > start) parts.push(days(1, start, end));
  }
  if (wholeFrom < wholeTo) parts.push({ table: "months", sign: 1, from: wholeFrom, to: wholeTo });
  return parts;
}
