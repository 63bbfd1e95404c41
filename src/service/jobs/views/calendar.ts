import type { DayRange } from "./view-counts.js";
export const dayMs = 24 * 60 * 60_000;

/** The day of a time, in days since 1970 in UTC. */
export const dayOf = (time: number): number => Math.floor(time / dayMs);

/** Months since the year 0. */
export function monthOf(day: number): number {
  const date = new Date(day * dayMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export const firstDayOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / dayMs;

/** Rows of the days or months from `from` to before `to`. */
export interface RangePart {
  readonly table: "months" | "days";
  /** Whether the rows are added or subtracted. */
  readonly sign: 1 | -1;
  readonly from: number;
  readonly to: number;
}

/** Before and after every day and month; both databases can store them as integers. */
const first = -1_000_000;
const last = 1_000_000;

/** The first day of a range, and the first one after it. */
export const daysOf = ({ from = first, to = last }: DayRange): [from: number, to: number] => [from, Math.min(to, last)];

/**
 * The fewest rows that add up to a range: whole months, and the days of the months at its edges. If more than half of
 * such a month is in the range, the month is added and its other days are subtracted.
 *
 * @param firstFullMonth the first month whose days are all stored.
 */
export function partsOf(
  { from = first, to = last }: DayRange,
  today: number,
  firstFullMonth: number,
): readonly RangePart[] {
  // There are no views after today.
  const end = to > today ? last : to;
  if (from >= end) return [];
  const fromMonth = from === first ? first : monthOf(from);
  const endMonth = end === last ? last : monthOf(end);
  const days = (sign: 1 | -1, start: number, stop: number): RangePart => ({
    table: "days",
    sign,
    from: start,
    to: stop,
  });
  if (fromMonth === endMonth) return [days(1, from, end)];

  const parts: RangePart[] = [];
  let wholeFrom = fromMonth;
  let wholeTo = endMonth;
  if (fromMonth !== first) {
    const start = firstDayOf(fromMonth);
    const stop = firstDayOf(fromMonth + 1);
    if (fromMonth >= firstFullMonth && from - start < stop - from) {
      if (from > start) parts.push(days(-1, start, from));
    } else {
      wholeFrom += 1;
      parts.push(days(1, from, stop));
    }
  }
  if (endMonth !== last) {
    const start = firstDayOf(endMonth);
    const stop = firstDayOf(endMonth + 1);
    if (endMonth >= firstFullMonth && stop - end < end - start) {
      wholeTo += 1;
      parts.push(days(-1, end, stop));
    } else if (end > start) parts.push(days(1, start, end));
  }
  if (wholeFrom < wholeTo) parts.push({ table: "months", sign: 1, from: wholeFrom, to: wholeTo });
  return parts;
}
