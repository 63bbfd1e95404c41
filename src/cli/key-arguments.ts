import { isIP } from "node:net";
import type { Scope } from "../service/jobs/index.js";
import { meant, oneOf, readWords } from "./read-words.js";
import { defaultOrganization } from "./site-arguments.js";
import { UsageError } from "./usage-error.js";

interface Common {
  readonly data?: string;
  readonly organization: string;
}
export type KeyArguments = Common &
  (
    | {
        readonly action: "create";
        readonly kind: "admin" | "assistant";
        readonly name: string;
        readonly scopes: readonly Scope[];
        readonly allowedAddresses: readonly string[];
        readonly expiresAt?: Date;
      }
    | { readonly action: "list"; readonly json: boolean }
    | { readonly action: "revoke"; readonly keyId: string }
  );

const options = {
  data: { type: "string" },
  organization: { type: "string" },
  name: { type: "string" },
  kind: { type: "string" },
  scope: { type: "string" },
  allow: { type: "string" },
  expires: { type: "string" },
  json: { type: "boolean" },
} as const;
const createOnly = ["name", "kind", "scope", "allow", "expires"] as const;
const actions = ["create", "list", "revoke"];

/**
 * @param now milliseconds since 1970.
 * @throws {UsageError} that says what was typed and what was wanted.
 */
export function parseKeyArguments(words: readonly string[], now: number): KeyArguments {
  const { values, positionals } = readWords(words, options);
  const [action, keyId, ...rest] = positionals;
  if (action === undefined) throw new UsageError('"offprint key" needs one of create, list, revoke.');
  if (!actions.includes(action)) throw new UsageError(`There is no "offprint key ${action}".${meant(action, actions)}`);
  const common = { data: values.data, organization: values.organization ?? defaultOrganization };
  if (action !== "create")
    for (const name of createOnly)
      if (values[name] !== undefined) throw new UsageError(`--${name} belongs to "offprint key create".`);
  if (values.json && action !== "list") throw new UsageError('--json belongs to "offprint key list".');
  const tooMany = action === "revoke" ? rest[0] : keyId;
  if (tooMany !== undefined) throw new UsageError(`"offprint key ${action}" cannot use "${tooMany}".`);
  if (action === "list") return { ...common, action, json: values.json ?? false };
  if (action === "revoke") {
    if (keyId === undefined) throw new UsageError('"offprint key revoke" needs the id that "offprint key list" shows.');
    return { ...common, action, keyId };
  }
  const kind = oneOf("--kind", values.kind ?? "admin", ["admin", "assistant"] as const);
  if (kind === "assistant" && values.scope !== undefined)
    throw new UsageError("An assistant key has no scopes, so --scope means nothing to it.");
  return {
    ...common,
    action: "create",
    kind,
    name: values.name ?? kind,
    scopes: kind === "assistant" ? [] : [oneOf("--scope", values.scope ?? "write", ["read", "write"] as const)],
    allowedAddresses: parseAddresses(values.allow),
    expiresAt: parseExpiry(values.expires ?? "90d", now),
  };
}

function parseAddresses(written: string | undefined): string[] {
  const ranges = (written ?? "").split(",").map((range) => range.trim());
  if (written === undefined) return [];
  for (const range of ranges) {
    const [address = "", prefix, ...more] = range.split("/");
    const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6];
    const isWhole = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
    if (longest < 0 || !isWhole || more.length > 0)
      throw new UsageError(`--allow takes addresses and ranges such as 203.0.113.7,2001:db8::/32, not "${range}".`);
    if (Number(prefix ?? longest) === 0)
      throw new UsageError(`--allow ${range} is every address there is: leave --allow out for that.`);
  }
  return ranges;
}

const dayMs = 24 * 60 * 60_000;

function parseExpiry(written: string, now: number): Date | undefined {
  if (written === "never") return undefined;
  const days = /^(\d{1,5})d$/.exec(written)?.[1];
  const at = days === undefined ? parseDate(written) : now + Number(days) * dayMs;
  if (at === undefined)
    throw new UsageError(`--expires is a number of days (30d), a date (2030-12-31) or never, not "${written}".`);
  if (at <= now) throw new UsageError(`--expires ${written} has passed already.`);
  return new Date(at);
}

function parseDate(written: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(written)) return undefined;
  const at = Date.parse(written);
  return Number.isNaN(at) ? undefined : at;
}
