import { isAddressRange } from "../../lib/http/index.js";
import { createKey, rotateKey, TooManyKeysError } from "../../service/create-key.js";
import type { ApiKey } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import type { Input } from "../command.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";
import { accountOf, groupsOf, oneOf, overlapOf } from "../options.js";
import { formatTable, jsonLines } from "../print/terminal.js";
import { commandLineActor, emptyListText, existingOrganization, reportOthers, storeCommand } from "../with-store.js";
import type texts from "./texts/key.json";

export const commands = {
  "key create": storeCommand(parseCreate, create),
  "key list": storeCommand(parseList, list),
  "key rotate": storeCommand(parseRotate, rotate),
  "key revoke": storeCommand(parseOne, revoke),
};

function parseCreate({ values }: Input<typeof texts, "key create">) {
  const kind = oneOf("--kind", values.kind ?? "admin", ["admin", "assistant"]);
  if (kind === "assistant" && values.scope !== undefined)
    throw new UsageError("Assistant keys have no scopes: leave --scope out.");
  if (kind === "admin" && values.origin !== undefined)
    throw new UsageError("--origin is only for assistant keys: admin keys must stay on servers.");
  const groups = groupsOf("--groups", values.groups);
  if (kind === "admin" && groups)
    throw new UsageError("--groups is only for assistant keys: admin keys do not belong to groups of readers.");
  return {
    ...accountOf(values),
    kind,
    name: values.name ?? kind,
    scopes: kind === "assistant" ? [] : [oneOf("--scope", values.scope ?? "write", ["read", "write"])],
    allowedAddresses: parseAddresses(values.allow),
    ...(values.origin !== undefined && { allowedOrigins: parseOrigins(values.origin) }),
    ...(groups && { groups }),
    expiresAt: parseExpiry(values.expires ?? "90d"),
  };
}

function parseList({ values }: Input<typeof texts, "key list">) {
  return { ...accountOf(values), json: values.json ?? false };
}

function parseOne({ argument, values }: Input<typeof texts, "key revoke">) {
  return { ...accountOf(values), keyId: argument };
}

function parseRotate(input: Input<typeof texts, "key rotate">) {
  return { ...parseOne(input), overlapMs: overlapOf(input.values.overlap) };
}

function parseAddresses(written: string | undefined): string[] {
  const ranges = written?.split(",").map((range) => range.trim()) ?? [];
  for (const range of ranges) {
    if (!isAddressRange(range))
      throw new UsageError(`--allow takes IP addresses and ranges such as 203.0.113.7,2001:db8::/32, not "${range}".`);
    if (/\/0+$/.test(range)) throw new UsageError(`--allow ${range} allows every address: leave --allow out instead.`);
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

const shownProjects = 10;
const dayMs = 24 * 60 * 60_000;

function parseExpiry(written: string): Date | undefined {
  if (written === "never") return undefined;
  const now = Date.now();
  const days = /^(\d{1,5})d$/.exec(written)?.[1];
  const isDate = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(written);
  const at = days !== undefined ? now + Number(days) * dayMs : isDate ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(`--expires takes a number of days (30d), a date (2030-12-31) or never, not "${written}".`);
  if (at <= now) throw new UsageError(`--expires ${written} is in the past.`);
  return new Date(at);
}

async function create(
  args: ReturnType<typeof parseCreate>,
  { accounts }: Store,
  environment: Environment,
): Promise<void> {
  const by = commandLineActor();
  const { organizationId } = await accounts.organization(args.organization, undefined, by);
  printKey(await createKey(accounts, { organizationId, ...args }, by).catch(refuseTooMany), environment);
  const projects = await accounts.projects(organizationId);
  for (const { domain, projectId, identifier } of projects.slice(0, shownProjects))
    environment.stderr.write(`Project of ${domain}: ${projectId}, identifier ${identifier}.\n`);
  if (projects.length > shownProjects) environment.stderr.write("More projects: offprint site list\n");
}

async function rotate(args: ReturnType<typeof parseRotate>, store: Store, environment: Environment): Promise<void> {
  const { organizationId, name } = await existingOrganization(store, args.organization);
  const rotated = rotateKey(store.accounts, organizationId, args.keyId, args.overlapMs, commandLineActor());
  const created = await rotated.catch(refuseTooMany);
  if (!created) throw new RefusedError(`the organization "${name}" has no such valid key. See: offprint key list`);
  printKey(created, environment);
}

function refuseTooMany(error: unknown): never {
  throw error instanceof TooManyKeysError ? new RefusedError(error.message) : error;
}

function printKey({ key, secret }: Awaited<ReturnType<typeof createKey>>, { stdout, stderr }: Environment): void {
  const until = key.expiresAt ? `It expires on ${key.expiresAt.toISOString().slice(0, 10)}.` : "It never expires.";
  stderr.write(`Key ${key.keyId}. ${until} Save it now: it is not shown again.\n`);
  stdout.write(`${secret}\n`);
}

async function revoke(args: ReturnType<typeof parseOne>, store: Store, environment: Environment): Promise<void> {
  const { organizationId, name } = await existingOrganization(store, args.organization);
  if (!(await store.accounts.revokeKey(organizationId, args.keyId, commandLineActor())))
    throw new RefusedError(`the organization "${name}" has no key ${args.keyId}. See: offprint key list`);
  environment.stdout.write(`${args.keyId} was revoked.\n`);
}

async function list(args: ReturnType<typeof parseList>, store: Store, environment: Environment): Promise<void> {
  const { stdout, stderr } = environment;
  const { accounts } = store;
  const { organizationId, name } = await existingOrganization(store, args.organization);
  const keys = await accounts.keys(organizationId);
  await reportOthers(store, name, "keys", async (id) => (await accounts.keys(id)).length, environment);
  const heading = ["ID", "NAME", "KIND", "ENDS IN", "SCOPES", "FROM", "LAST USED", "STATE"];
  if (args.json) stdout.write(jsonLines(keys));
  else if (keys.length === 0) stderr.write(emptyListText("keys", args.data, environment));
  else stdout.write(formatTable([heading, ...keys.map(rowOf)]));
}

const rowOf = (key: ApiKey): string[] => [
  key.keyId,
  key.name,
  key.kind,
  key.lastFour,
  key.scopes.join(" "),
  key.allowedAddresses.join(" ") || "anywhere",
  key.lastUsedAt?.toISOString().slice(0, 10) ?? "never",
  stateOf(key),
];

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt.getTime() <= Date.now()) return "expired";
  return expiresAt ? `until ${expiresAt.toISOString().slice(0, 10)}` : "active";
}
