/**
 * Parses an English date as midnight UTC: `2026-03-01`, `March 1, 2026`, `1 Mar 2026`, `March 2026` (its first day).
 * Undefined for anything else.
 */
export function parseEnglishDate(label: string): Date | undefined {
  const text = label.trim().replace(/(\d)(?:st|nd|rd|th)\b/i, "$1");
  const iso = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3] ?? 1));
  const monthFirst = /^([a-z]{3,9})\.? (?:(\d{1,2}),? )?(\d{4})$/i.exec(text);
  if (monthFirst) return dayOf(Number(monthFirst[3]), monthOf(monthFirst[1]!), Number(monthFirst[2] ?? 1));
  const dayFirst = /^(\d{1,2}) ([a-z]{3,9})\.?,? (\d{4})$/i.exec(text);
  return dayFirst ? dayOf(Number(dayFirst[3]), monthOf(dayFirst[2]!), Number(dayFirst[1])) : undefined;
}

const months = "january february march april may june july august september october november december".split(" ");

/** The index of a month by its name or at least three first letters (`Sept` too); -1 if it is not a month. */
const monthOf = (name: string): number => months.findIndex((month) => month.startsWith(name.toLowerCase()));

function dayOf(year: number, month: number, day: number): Date | undefined {
  const date = new Date(Date.UTC(year, month, day));
  const isReal = month >= 0 && year >= 1900 && date.getUTCMonth() === month && date.getUTCDate() === day;
  return isReal ? date : undefined;
}
