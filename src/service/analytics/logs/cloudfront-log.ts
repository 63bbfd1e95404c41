import type { LogEntry, LogParser } from "./log-entry.js";

const firstFields =
  "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)".split(
    " ",
  );

/** Standard logs of CloudFront, and other logs in the extended format of W3C whose columns have these names. */
export function cloudfrontLog(): LogParser {
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

const columnsOf = (names: readonly string[]) => new Map(names.map((name, at) => [name.toLowerCase(), at]));

/** CloudFront escapes what has blanks, and the percent sign of that once more. */
const unescaped = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : decoded(decoded(value));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
