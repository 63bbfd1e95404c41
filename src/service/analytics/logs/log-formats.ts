import { isIP } from "node:net";
import { type Visit, visitHeaders } from "../visit-kind.js";
import names from "./json-names.json" with { type: "json" };

/** One request, as a line of a log describes it. */
export interface LogEntry extends Visit {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `X-Forwarded-For`, if the log has it. */
  readonly forwardedFor?: string;
}

/** Reads the lines of one file in order, since a line may say what the columns of the next ones are. */
interface LogParser {
  /** `comment`: a line without a request. Undefined: the line cannot be read. */
  parse(line: string): LogEntry | "comment" | undefined;
}

export type LogFormat = "combined" | "cloudfront" | "json";

/**
 * The common and combined formats of Apache and nginx, also with the host in front (`vhost_combined`) or with
 * X-Forwarded-For at the end (nginx's `main`).
 */
const combinedLog = (): LogParser => ({
  parse(text): LogEntry | "comment" | undefined {
    if (text === "" || text.startsWith("#")) return "comment";
    const found = line.exec(text);
    if (!found) return undefined;
    const [, head = "", time = "", request = "", status, , agent, forwarded] = found;
    const at = parseClfTime(time);
    if (at === undefined) return undefined;
    // A client that sends no HTTP leaves anything here, with status 400.
    const [, method = "", path = ""] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(request) ?? [];
    return {
      at,
      method,
      path,
      status: Number(status),
      address: addressIn(head),
      headers: { "user-agent": shown(agent) },
      ...(shown(forwarded) && { forwardedFor: shown(forwarded) }),
    };
  },
});

const line =
  /^([^["]+) \[([^[\]"]{1,40})\] "((?:[^"\\]|\\.)*)" (\d{3}) (?:\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?(?: "((?:[^"\\]|\\.)*)")?/;

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** A missing value is `-`. nginx writes `\x22` for a quotation mark, Apache `\"`. */
const shown = (value: string | undefined): string | undefined =>
  value === undefined || value === "-"
    ? undefined
    : value.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_, hex: string | undefined, sign: string) =>
        hex === undefined ? sign : String.fromCharCode(Number.parseInt(hex, 16)),
      );

const columnsOf = (names: readonly string[]) => new Map(names.map((name, at) => [name.toLowerCase(), at]));

const firstFields =
  "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)".split(
    " ",
  );

/** CloudFront escapes what has blanks, and the percent sign of that once more. */
const unescaped = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : decoded(decoded(value));

/**
 * One JSON object a line, by the names of nginx (variables), Caddy, Traefik, Cloudflare, CloudFront, Google Cloud, ECS
 * and others: see `json-names.json`.
 */
const jsonLog = (): LogParser => ({
  parse(text): LogEntry | "comment" | undefined {
    if (text.trim() === "") return "comment";
    const record = parsed(text);
    if (record === undefined) return undefined;
    const at = first(record, names.at, parseAnyTime) ?? dateAndTime(record);
    const status = first(record, names.status, (value) =>
      /^\d{1,3}$/.test(String(value)) ? Number(value) : undefined,
    );
    // `request` may be the request line.
    const [, lineMethod, linePath] = /^([A-Z]+) (\S+)/.exec(textOf(record["request"]) ?? "") ?? [];
    const method = first(record, names.method, textOf) ?? lineMethod;
    const path = first(record, names.path, textOf) ?? linePath;
    if (at === undefined || status === undefined || method === undefined || path === undefined) return undefined;
    const forwardedFor = first(record, names.forwardedFor, textOf) ?? headerOf(record, "x-forwarded-for");
    return {
      at,
      method: method.toUpperCase(),
      path: path.replace(/^https?:\/\/[^/]*/i, "") || "/",
      status,
      address: first(record, names.address, textOf),
      headers: {
        ...Object.fromEntries(visitHeaders.map((name) => [name, headerOf(record, name)])),
        "user-agent": first(record, names.agent, textOf) ?? headerOf(record, "user-agent"),
      },
      ...(forwardedFor !== undefined && { forwardedFor }),
    };
  },
});

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

const parsers: Readonly<Record<LogFormat, () => LogParser>> = {
  combined: combinedLog,
  cloudfront: cloudfrontLog,
  json: jsonLog,
};

export const logParser = (format: LogFormat): LogParser => parsers[format]();

/** The client is the first address of the words before the time, or a name if the server looks up names. */
function addressIn(head: string): string | undefined {
  const words = head.split(" ", 3);
  return words.find((word) => isIP(word) !== 0) ?? words[0];
}

/** Standard logs of CloudFront, and other logs in the extended format of W3C whose columns have these names. */
function cloudfrontLog(): LogParser {
  let columns = columnsOf(firstFields);
  return {
    parse(text): LogEntry | "comment" | undefined {
      if (text === "") return "comment";
      if (text.startsWith("#")) {
        if (text.startsWith("#Fields:")) columns = columnsOf(text.slice("#Fields:".length).trim().split(/\s+/));
        return "comment";
      }
      const values = text.split(text.includes("\t") ? "\t" : " ");
      const value = (name: string): string | undefined => {
        const at = columns.get(name);
        const written = at === undefined ? undefined : values[at];
        return written === undefined || written === "-" ? undefined : written;
      };
      const at = Date.parse(`${value("date")}T${value("time")}Z`);
      const [method, path, status] = [value("cs-method"), value("cs-uri-stem"), value("sc-status")];
      if (!Number.isFinite(at) || method === undefined || path === undefined || !/^\d{1,3}$/.test(status ?? ""))
        return undefined;
      const forwarded = value("x-forwarded-for");
      return {
        at,
        method,
        path,
        status: Number(status),
        address: value("c-ip"),
        headers: { "user-agent": unescaped(value("cs(user-agent)")), accept: unescaped(value("cs(accept)")) },
        ...(forwarded !== undefined && { forwardedFor: unescaped(forwarded) }),
      };
    },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The first value that can be read; `a.b` is a field of that name, or the field b of a. */
function first<T>(record: Fields, paths: readonly string[], read: (value: unknown) => T | undefined): T | undefined {
  for (const path of paths) {
    const found = read(Object.hasOwn(record, path) ? record[path] : valueAt(record, path));
    if (found !== undefined) return found;
  }
  return undefined;
}

function valueAt(record: Fields, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split(".")) {
    const fields = fieldsOf(value);
    if (!fields || !Object.hasOwn(fields, name)) return undefined;
    value = fields[name];
  }
  return value;
}

/** Some logs have several values of a header as a list. */
function textOf(value: unknown): string | undefined {
  const single: unknown = Array.isArray(value) ? value[0] : value;
  return typeof single === "string" && single !== "" && single !== "-" ? single : undefined;
}

/** Of `http_sec_gpc` (nginx), `request_Sec-Gpc` (Traefik), or an object of headers. */
function headerOf(record: Fields, name: string): string | undefined {
  const title = name.replace(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase());
  const objects = [fieldsOf(valueAt(record, "request.headers")), fieldsOf(record["headers"])];
  return (
    textOf(record[`http_${name.replaceAll("-", "_")}`]) ??
    textOf(record[`request_${title}`]) ??
    objects.map((headers) => textOf(headers?.[title] ?? headers?.[name])).find((value) => value !== undefined)
  );
}

/** CloudFront writes them apart. */
function dateAndTime({ date, time }: Fields): number | undefined {
  const at = typeof date === "string" && typeof time === "string" ? Date.parse(`${date}T${time}Z`) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

/** `10/Oct/2025:13:55:36 +0200`, in milliseconds since 1970. */
function parseClfTime(text: string): number | undefined {
  const found = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/.exec(text);
  if (!found) return undefined;
  const [, day, month, year, hours, minutes, seconds, sign, zoneHours, zoneMinutes] = found;
  const at = months.indexOf(month!);
  if (at < 0) return undefined;
  const zoneMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000 * (sign === "-" ? -1 : 1);
  return Date.UTC(Number(year), at, Number(day), Number(hours), Number(minutes), Number(seconds)) - zoneMs;
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
