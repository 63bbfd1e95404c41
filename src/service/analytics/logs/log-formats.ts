import { isIP } from "node:net";
import { type Fields, fieldsOf, valueOfJson } from "../../../lib/json/index.js";
import { decodePercent } from "../../../lib/url/index.js";
import { type Visit, visitHeaders } from "../visit-kind.js";
import jsonNames from "./json-names.json" with { type: "json" };

/** One request, as a line of a log describes it. */
export interface LogEntry extends Visit {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `X-Forwarded-For`, if the log has it. */
  readonly forwardedFor?: string;
}

/**
 * Parses the lines of one file, in their order: a comment may name the columns of the next lines.
 *
 * @returns `comment` for a line without a request; undefined for an invalid line.
 */
export type LogParser = (line: string) => LogEntry | "comment" | undefined;

export type LogFormat = "combined" | "cloudfront" | "json";

const combinedLine =
  /^([^["]+) \[([^[\]"]{1,40})\] "((?:[^"\\]|\\.)*)" (\d{3}) (?:\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?(?: "((?:[^"\\]|\\.)*)")?/;

/** The common and combined formats, also with the host in front or with X-Forwarded-For at the end. */
function parseCombined(line: string): LogEntry | "comment" | undefined {
  if (line === "" || line.startsWith("#")) return "comment";
  const [all, head = "", time = "", request = "", status, , agent, forwarded] = combinedLine.exec(line) ?? [];
  const at = parseClfTime(time);
  if (all === undefined || at === undefined) return undefined;
  // A request that is not HTTP is logged as it was sent, with status 400.
  const [, method = "", path = ""] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(request) ?? [];
  return {
    at,
    method,
    path,
    status: Number(status),
    address: addressIn(head),
    headers: { "user-agent": unquoted(agent) },
    forwardedFor: unquoted(forwarded),
  };
}

/** The client is the first address of the words before the time, or a name if the server looks up names. */
function addressIn(head: string): string | undefined {
  const words = head.split(" ", 3);
  return words.find((word) => isIP(word) !== 0) ?? words[0];
}

/** A missing value is `-`. nginx writes `\x22` for a quotation mark, Apache `\"`. */
const unquoted = (value: string | undefined): string | undefined =>
  value === undefined || value === "-"
    ? undefined
    : value.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_, hex: string | undefined, sign: string) =>
        hex === undefined ? sign : String.fromCharCode(Number.parseInt(hex, 16)),
      );

const standardColumns =
  "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)";

/** Standard logs of CloudFront, and other logs in the extended format of W3C whose columns have these names. */
function cloudfrontParser(): LogParser {
  let columns = columnsIn(standardColumns);
  return (line) => {
    if (line.startsWith("#Fields:")) columns = columnsIn(line.slice("#Fields:".length).trim());
    if (line === "" || line.startsWith("#")) return "comment";
    const values = line.split(line.includes("\t") ? "\t" : " ");
    const value = (column: string): string | undefined => {
      const text = values[columns.get(column) ?? -1];
      return text === "-" ? undefined : text;
    };
    const at = Date.parse(`${value("date")}T${value("time")}Z`);
    const [method, path, status] = [value("cs-method"), value("cs-uri-stem"), value("sc-status")];
    if (!Number.isFinite(at) || method === undefined || path === undefined || !/^\d{1,3}$/.test(status ?? ""))
      return undefined;
    return {
      at,
      method,
      path,
      status: Number(status),
      address: value("c-ip"),
      headers: { "user-agent": unescaped(value("cs(user-agent)")), accept: unescaped(value("cs(accept)")) },
      forwardedFor: unescaped(value("x-forwarded-for")),
    };
  };
}

const columnsIn = (names: string) => new Map(names.split(/\s+/).map((name, index) => [name.toLowerCase(), index]));

/** CloudFront escapes a value with blanks, and escapes the percent signs once more. */
const unescaped = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : decodePercent(decodePercent(value));

/** Parses one JSON object a line, with the names of many servers and clouds: see `json-names.json`. */
function parseJsonLine(line: string): LogEntry | "comment" | undefined {
  if (line.trim() === "") return "comment";
  const record = fieldsOf(valueOfJson(line));
  const at = firstValue(record, jsonNames.at, parseAnyTime) ?? dateAndTime(record);
  const status = firstValue(record, jsonNames.status, (value) =>
    /^\d{1,3}$/.test(String(value)) ? Number(value) : undefined,
  );
  // `request` may be the request line.
  const [, lineMethod, linePath] = /^([A-Z]+) (\S+)/.exec(singleText(record["request"]) ?? "") ?? [];
  const method = firstValue(record, jsonNames.method, singleText) ?? lineMethod;
  const path = firstValue(record, jsonNames.path, singleText) ?? linePath;
  if (at === undefined || status === undefined || method === undefined || path === undefined) return undefined;
  return {
    at,
    method: method.toUpperCase(),
    path: path.replace(/^https?:\/\/[^/]*/i, "") || "/",
    status,
    address: firstValue(record, jsonNames.address, singleText),
    headers: {
      ...Object.fromEntries(visitHeaders.map((name) => [name, headerIn(record, name)])),
      "user-agent": firstValue(record, jsonNames.agent, singleText) ?? headerIn(record, "user-agent"),
    },
    forwardedFor: firstValue(record, jsonNames.forwardedFor, singleText) ?? headerIn(record, "x-forwarded-for"),
  };
}

/** The first value that `read` accepts; `a.b` is a field of that name, or the field b of a. */
function firstValue<T>(
  record: Fields,
  paths: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const path of paths) {
    const value = read(Object.hasOwn(record, path) ? record[path] : valueAt(record, path));
    if (value !== undefined) return value;
  }
  return undefined;
}

const valueAt = (record: Fields, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => {
    const fields = fieldsOf(value);
    return Object.hasOwn(fields, name) ? fields[name] : undefined;
  }, record);

/** Some logs have several values of a header as a list. */
function singleText(value: unknown): string | undefined {
  const single: unknown = Array.isArray(value) ? value[0] : value;
  return typeof single === "string" && single !== "" && single !== "-" ? single : undefined;
}

/** The value of `http_sec_gpc` (nginx), of `request_Sec-Gpc` (Traefik), or in an object of headers. */
function headerIn(record: Fields, name: string): string | undefined {
  const title = name.replace(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase());
  const objects = [fieldsOf(valueAt(record, "request.headers")), fieldsOf(record["headers"])];
  return (
    singleText(record[`http_${name.replaceAll("-", "_")}`]) ??
    singleText(record[`request_${title}`]) ??
    objects.map((headers) => singleText(headers[title] ?? headers[name])).find((value) => value !== undefined)
  );
}

/** In two fields, as CloudFront writes them. */
function dateAndTime({ date, time }: Fields): number | undefined {
  const at = typeof date === "string" && typeof time === "string" ? Date.parse(`${date}T${time}Z`) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

/** `10/Oct/2025:13:55:36 +0200`, in milliseconds since 1970. */
function parseClfTime(text: string): number | undefined {
  const [, day, month, year, timeAndZone] =
    /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2} [+-]\d{4})$/.exec(text) ?? [];
  const ms = Date.parse(`${day} ${month} ${year} ${timeAndZone}`);
  return Number.isFinite(ms) ? ms : undefined;
}

/** A time of a JSON log: text, or a number of seconds, milliseconds, microseconds or nanoseconds since 1970. */
function parseAnyTime(value: unknown): number | undefined {
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

const parsers: Readonly<Record<LogFormat, () => LogParser>> = {
  combined: () => parseCombined,
  cloudfront: cloudfrontParser,
  json: () => parseJsonLine,
};

export const logParser = (format: LogFormat): LogParser => parsers[format]();
