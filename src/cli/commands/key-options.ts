import { isIP } from "node:net";
import type { Scope } from "../../service/jobs/index.js";
import { UsageError } from "../environment.js";
import {
  type Account,
  accountOf,
  accountOptions,
  groupsOf,
  type Input,
  type listOptions,
  oneOf,
  overlapOf,
  type rotateOptions,
} from "../options.js";
import texts from "../options.json" with { type: "json" };

export type KeyArguments = Account &
  (
    | {
        readonly action: "create";
        readonly kind: "admin" | "assistant";
        readonly name: string;
        readonly scopes: readonly Scope[];
        readonly allowedAddresses: readonly string[];
        readonly allowedOrigins?: readonly string[];
        readonly groups?: readonly string[];
        readonly expiresAt?: Date;
      }
    | { readonly action: "list"; readonly json: boolean }
    | { readonly action: "revoke"; readonly keyId: string }
    | { readonly action: "rotate"; readonly keyId: string; readonly overlapMs: number }
  );

export const createKeyOptions = { ...texts.createKey, ...accountOptions };

/** @param now milliseconds since 1970. */
export function parseCreateKey(
  { values }: Input<typeof createKeyOptions>,
  _env: NodeJS.ProcessEnv,
  now = Date.now(),
): KeyArguments {
  const kind = oneOf("--kind", values.kind ?? "admin", ["admin", "assistant"] as const);
  if (kind === "assistant" && values.scope !== undefined)
    throw new UsageError("An assistant key has no scopes: leave --scope out.");
  if (kind === "admin" && values.origin !== undefined)
    throw new UsageError("--origin is for assistant keys: an admin key is a secret of servers.");
  const groups = groupsOf("--groups", values.groups);
  if (kind === "admin" && groups)
    throw new UsageError("--groups is for assistant keys: an admin key belongs to no group of readers.");
  return {
    ...accountOf(values),
    action: "create",
    kind,
    name: values.name ?? kind,
    scopes: kind === "assistant" ? [] : [oneOf("--scope", values.scope ?? "write", ["read", "write"] as const)],
    allowedAddresses: parseAddresses(values.allow),
    ...(values.origin === undefined ? {} : { allowedOrigins: parseOrigins(values.origin) }),
    ...(groups && { groups }),
    expiresAt: parseExpiry(values.expires ?? "90d", now),
  };
}

export const parseListKeys = ({ values }: Input<typeof listOptions>): KeyArguments => ({
  ...accountOf(values),
  action: "list",
  json: values.json ?? false,
});

export const parseRevokeKey = ({ argument, values }: Input<typeof accountOptions>): KeyArguments => ({
  ...accountOf(values),
  action: "revoke",
  keyId: argument,
});

export const parseRotateKey = ({ argument, values }: Input<typeof rotateOptions>): KeyArguments => ({
  ...accountOf(values),
  action: "rotate",
  keyId: argument,
  overlapMs: overlapOf(values.overlap),
});

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
      throw new UsageError(`--allow ${range} allows every address: leave --allow out instead.`);
  }
  return ranges;
}

function parseOrigins(written: string): string[] {
  const origins = written.split(",").map((origin) => origin.trim());
  for (const origin of origins)
    if (origin !== "null" && !(URL.canParse(origin) && /^https?:/.test(origin) && new URL(origin).origin === origin))
      throw new UsageError(
        `--origin takes origins without a path, such as https://docs.example.com, and null for files, not "${origin}".`,
      );
  return origins;
}

const dayMs = 24 * 60 * 60_000;

function parseExpiry(written: string, now: number): Date | undefined {
  if (written === "never") return undefined;
  const days = /^(\d{1,5})d$/.exec(written)?.[1];
  const at = days === undefined ? parseDate(written) : now + Number(days) * dayMs;
  if (at === undefined)
    throw new UsageError(`--expires is a number of days (30d), a date (2030-12-31) or never, not "${written}".`);
  if (at <= now) throw new UsageError(`--expires ${written} is in the past.`);
  return new Date(at);
}

function parseDate(written: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(written)) return undefined;
  const at = Date.parse(written);
  return Number.isNaN(at) ? undefined : at;
}
