import { quoted } from "../../../lib/diagnostic/index.js";
import { type DayRange, dayMs, dayOf } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";

const largestOffset = 2 ** 31;

/** The parameters of a request. Each may be given once. The faults of all are collected. */
export class AnalyticsQuery {
  readonly #parameters: Readonly<Record<string, readonly string[]>>;
  readonly #faults: string[] = [];

  constructor(parameters: Readonly<Record<string, readonly string[]>>) {
    this.#parameters = parameters;
  }

  /** The days from `dateFrom` to the one before `dateTo`. */
  range(): DayRange {
    const from = this.#day("dateFrom", dayIn);
    const to = this.#day("dateTo", dayBefore);
    if (from !== undefined && to !== undefined) {
      if (from > to)
        this.#faults.push('"dateFrom" is after "dateTo". The range starts at "dateFrom" and ends before "dateTo".');
      else if (from === to && this.text("dateFrom") !== this.text("dateTo"))
        this.#faults.push(
          `The range contains no whole day. Views are counted by UTC days, from "dateFrom" until before "dateTo". For that day, send dateFrom=${dateOf(from)}&dateTo=${dateOf(from + 1)}.`,
        );
    }
    return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  }

  integer(name: string, from: number, to: number, absent: number): number {
    const text = this.text(name);
    if (text === undefined) return absent;
    if (/^\d{1,10}$/.test(text) && Number(text) >= from && Number(text) <= to) return Number(text);
    this.#faults.push(`"${name}" is ${quoted(text)}, but must be a whole number from ${from} to ${to}.`);
    return absent;
  }

  offset(): number {
    return this.integer("offset", 0, largestOffset, 0);
  }

  /** Whether the parameter is `value`. The only other valid value is `usual`. */
  is(name: string, value: string, usual: string): boolean {
    const text = this.text(name);
    if (text !== undefined && text !== value && text !== usual)
      this.#faults.push(`"${name}" is ${quoted(text)}, but must be "${usual}" or "${value}".`);
    return text === value;
  }

  /** The parameter, which is one of `values`; undefined if it is absent. */
  oneOf(name: string, values: readonly string[]): string | undefined {
    return this.list(name, values)?.[0];
  }

  /** The values of the parameter between its commas, each one of `values`; undefined if it is absent. */
  list(name: string, values: readonly string[]): readonly string[] | undefined {
    const text = this.text(name);
    const entries = text?.split(",").map((entry) => entry.trim());
    if (entries?.some((entry) => !values.includes(entry)))
      this.#faults.push(`"${name}" is ${quoted(text!)}, but must be one of ${values.join(", ")}.`);
    return entries;
  }

  /** The parameter as `read` understands it; undefined if it is absent. */
  cursor<T>(name: string, read: (text: string) => T | undefined): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = read(text);
    if (value === undefined) this.#faults.push(`"${name}" must be the nextCursor of the previous page.`);
    return value;
  }

  text(name: string): string | undefined {
    const values = this.#parameters[name] ?? [];
    if (values.length > 1) this.#faults.push(`"${name}" was sent ${values.length} times. Send it once.`);
    return values[0];
  }

  /** @throws {ApiError} 400 that names all faults. */
  check(): void {
    if (this.#faults.length === 0) return;
    const faults = [...new Set(this.#faults)];
    throw new ApiError(
      400,
      faults.join(" "),
      {},
      {},
      faults.map((message) => ({ message })),
    );
  }

  #day(name: string, read: (text: string) => number | undefined): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const day = read(text);
    if (day === undefined)
      this.#faults.push(`"${name}" is ${quoted(text)}, but must be a date such as 2026-06-01 or 2026-06-01T12:00:00Z.`);
    return day;
  }
}

const dateForm = /^(\d{4}-\d\d-\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:Z|([+ -])(\d\d)(?::?(\d\d))?)?)?$/i;

/** The days of a response as it shows them; null without a limit. */
export const shownRange = ({ from, to }: DayRange) => ({
  dateFrom: from === undefined ? null : dateOf(from),
  dateTo: to === undefined ? null : dateOf(to),
});

const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** Programs write the end of a day as its last minute, second or millisecond. */
const lastMinuteMs = 60_000;

/** The first day that is not before `text`: the next one if that is the end of a day. Undefined as for `dayIn`. */
export function dayBefore(text: string): number | undefined {
  const time = timeIn(text);
  return time === undefined ? undefined : dayOf(time + (isEndOfDay(time) ? lastMinuteMs : 0));
}

const isEndOfDay = (time: number): boolean => time - dayOf(time) * dayMs >= dayMs - lastMinuteMs;

/** The UTC day of a date or time of ISO 8601; undefined if invalid. A blank before the offset is an unencoded `+`. */
export function dayIn(text: string): number | undefined {
  const time = timeIn(text);
  return time === undefined ? undefined : dayOf(time);
}

/** In milliseconds since 1970. */
function timeIn(text: string): number | undefined {
  const [, date, hour = "0", minute = "0", second = "0", sign, offsetHour = "0", offsetMinute = "0"] =
    dateForm.exec(text) ?? [];
  if (date === undefined) return undefined;
  const start = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== date) return undefined;
  const [h, m, s, oh, om] = [hour, minute, second, offsetHour, offsetMinute].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (h > 23 || m > 59 || s > 59 || oh > 23 || om > 59) return undefined;
  const offset = (sign === "-" ? -1 : 1) * (oh * 60 + om);
  return start + (h * 60 + m - offset) * 60_000 + s * 1000;
}
