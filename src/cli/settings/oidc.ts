import { readFileSync } from "node:fs";
import type { OidcOptions } from "../../service/console/index.js";
import { type Role, roles } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import { UsageError } from "../environment.js";
import { defaultOrganization, plainUrl } from "../options.js";
import { commandLine } from "../with-store.js";
import { count, read } from "./api.js";

/** The single sign-on that the environment names. Undefined: none. @throws {UsageError} if a variable is invalid. */
export async function oidcOptions(
  { accounts }: Pick<Store, "accounts">,
  env: NodeJS.ProcessEnv,
  only: boolean,
): Promise<OidcOptions | undefined> {
  const issuer = plainUrl(
    "OFFPRINT_OIDC_ISSUER is the address of an identity provider, such as https://id.example.com",
    read(env, "OFFPRINT_OIDC_ISSUER"),
  );
  const clientId = read(env, "OFFPRINT_OIDC_CLIENT_ID");
  const secretFile = read(env, "OFFPRINT_OIDC_SECRET_FILE");
  if (issuer === undefined) {
    if (only) throw new UsageError("--console-login oidc needs OFFPRINT_OIDC_ISSUER, the identity provider.");
    return undefined;
  }
  if (clientId === undefined || secretFile === undefined)
    throw new UsageError("OFFPRINT_OIDC_ISSUER needs OFFPRINT_OIDC_CLIENT_ID and OFFPRINT_OIDC_SECRET_FILE.");
  const { organizationId } = await accounts.organization(
    read(env, "OFFPRINT_OIDC_ORGANIZATION") ?? defaultOrganization,
    undefined,
    commandLine(),
  );
  return {
    issuer,
    clientId,
    clientSecret: secretIn(secretFile),
    domains: listOf(read(env, "OFFPRINT_OIDC_DOMAINS")).map((domain) => domain.toLowerCase()),
    groups: Object.fromEntries(listOf(read(env, "OFFPRINT_OIDC_GROUPS")).map(groupOf)),
    groupsClaim: read(env, "OFFPRINT_OIDC_GROUPS_CLAIM") ?? "groups",
    organizationId,
    recheckMs: (count(env, "OFFPRINT_OIDC_RECHECK_MINUTES") ?? 60) * 60_000,
    only,
  };
}

const listOf = (written = ""): readonly string[] =>
  written
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

function groupOf(written: string): readonly [string, Role] {
  const at = written.lastIndexOf("=");
  const role = roles.find((each) => each === written.slice(at + 1).trim());
  if (at < 1 || !role)
    throw new UsageError(`OFFPRINT_OIDC_GROUPS names groups and roles, such as writers=editor, not "${written}".`);
  return [written.slice(0, at).trim(), role];
}

function secretIn(path: string): string {
  try {
    const secret = readFileSync(path, "utf8").trim();
    if (secret !== "") return secret;
  } catch (error) {
    throw new UsageError(`OFFPRINT_OIDC_SECRET_FILE cannot be read: ${(error as Error).message}`);
  }
  throw new UsageError("OFFPRINT_OIDC_SECRET_FILE is empty.");
}
