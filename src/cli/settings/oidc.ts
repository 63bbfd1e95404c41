import type { OidcOptions } from "../../service/console/route.js";
import { type Role, roles } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import { UsageError } from "../environment.js";
import { defaultOrganization, plainUrl } from "../options.js";
import { commandLineActor } from "../with-store.js";
import { count, list, read, secretFile } from "./variables.js";

/** Undefined without an identity provider. @throws {UsageError} if a variable is invalid. */
export async function oidcOptions(
  { accounts }: Pick<Store, "accounts">,
  env: NodeJS.ProcessEnv,
  only: boolean,
): Promise<OidcOptions | undefined> {
  const issuer = plainUrl(
    "OFFPRINT_OIDC_ISSUER must be the URL of an identity provider, such as https://id.example.com",
    read(env, "OFFPRINT_OIDC_ISSUER"),
  );
  const clientId = read(env, "OFFPRINT_OIDC_CLIENT_ID");
  if (issuer === undefined) {
    if (only)
      throw new UsageError("--console-login oidc needs OFFPRINT_OIDC_ISSUER, the URL of the identity provider.");
    return undefined;
  }
  const clientSecret = secretFile(env, "OFFPRINT_OIDC_SECRET_FILE");
  if (clientId === undefined || clientSecret === undefined)
    throw new UsageError("OFFPRINT_OIDC_ISSUER needs OFFPRINT_OIDC_CLIENT_ID and OFFPRINT_OIDC_SECRET_FILE.");
  const { organizationId } = await accounts.organization(
    read(env, "OFFPRINT_OIDC_ORGANIZATION") ?? defaultOrganization,
    undefined,
    commandLineActor(),
  );
  return {
    issuer,
    clientId,
    clientSecret,
    domains: list(env, "OFFPRINT_OIDC_DOMAINS").map((domain) => domain.toLowerCase()),
    groups: Object.fromEntries(list(env, "OFFPRINT_OIDC_GROUPS").map(parseGroupRole)),
    groupsClaim: read(env, "OFFPRINT_OIDC_GROUPS_CLAIM") ?? "groups",
    organizationId,
    recheckMs: (count(env, "OFFPRINT_OIDC_RECHECK_MINUTES") ?? 60) * 60_000,
    only,
  };
}

function parseGroupRole(written: string): readonly [string, Role] {
  const at = written.lastIndexOf("=");
  const role = roles.find((candidate) => candidate === written.slice(at + 1).trim());
  if (at < 1 || !role)
    throw new UsageError(`OFFPRINT_OIDC_GROUPS maps groups to roles, such as writers=editor; "${written}" is invalid.`);
  return [written.slice(0, at).trim(), role];
}
