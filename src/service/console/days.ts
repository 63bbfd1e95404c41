/** Days since 1970 of UTC, and their dates. */
const dayMs = 86_400_000;

export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** The day of a date such as `2026-06-30`. Undefined: there is no such date. */
export function dayOf(date: string | null): number | undefined {
  if (date === null || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const day = Date.parse(date) / dayMs;
  return Number.isNaN(day) || dateOf(day) !== date ? undefined : day;
}
