const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `10/Oct/2025:13:55:36 +0200`, in milliseconds since 1970. */
export function parseClfTime(text: string): number | undefined {
  const found = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/.exec(text);
  if (!found) return undefined;
  const [, day, month, year, hours, minutes, seconds, sign, zoneHours, zoneMinutes] = found;
  const at = months.indexOf(month!);
  if (at < 0) return undefined;
  const zoneMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000 * (sign === "-" ? -1 : 1);
  return Date.UTC(Number(year), at, Number(day), Number(hours), Number(minutes), Number(seconds)) - zoneMs;
}

/** A time of a JSON log: text, or a number of seconds, milliseconds, microseconds or nanoseconds since 1970. */
export function parseAnyTime(value: unknown): number | undefined {
  if (typeof value === "string" && !/^\d+(\.\d+)?$/.test(value)) {
    if (value.length > 64) return undefined;
    const ms = parseClfTime(value) ?? Date.parse(value);
    return Number.isFinite(ms) ? ms : undefined;
  }
  const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  if (!(number > 0)) return undefined;
  // In the years 1973 to 5138 each unit has its own number of digits.
  return number < 1e11 ? number * 1e3 : number < 1e14 ? number : number < 1e17 ? number / 1e3 : number / 1e6;
}
