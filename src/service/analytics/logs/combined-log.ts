import { isIP } from "node:net";
import type { LogEntry, LogParser } from "./log-entry.js";
import { parseClfTime } from "./log-time.js";

const line =
  /^([^["]+) \[([^[\]"]{1,40})\] "((?:[^"\\]|\\.)*)" (\d{3}) (?:\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?(?: "((?:[^"\\]|\\.)*)")?/;

/**
 * The common and combined formats of Apache and nginx, also with the host in front (`vhost_combined`) or with
 * X-Forwarded-For at the end (nginx's `main`).
 */
export const combinedLog = (): LogParser => ({
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

/** The client is the first address of the words before the time, or a name if the server looks up names. */
function addressIn(head: string): string | undefined {
  const words = head.split(" ", 3);
  return words.find((word) => isIP(word) !== 0) ?? words[0];
}

/** A missing value is `-`. nginx writes `\x22` for a quotation mark, Apache `\"`. */
const shown = (value: string | undefined): string | undefined =>
  value === undefined || value === "-"
    ? undefined
    : value.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_, hex: string | undefined, sign: string) =>
        hex === undefined ? sign : String.fromCharCode(Number.parseInt(hex, 16)),
      );
