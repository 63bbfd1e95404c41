import { visitHeaders } from "../kind.js";
import names from "./json-names.json" with { type: "json" };
import type { LogEntry, LogParser } from "./log-entry.js";
import { parseAnyTime } from "./log-time.js";

/**
 * One JSON object a line, by the names of nginx (variables), Caddy, Traefik, Cloudflare, CloudFront, Google Cloud, ECS
 * and others: see `json-names.json`.
 */
export const jsonLog = (): LogParser => ({
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

type Fields = Readonly<Record<string, unknown>>;

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

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
