import { type Role, roles } from "../../jobs/index.js";
import type { OidcOptions } from "./options.js";

/** What the provider says of somebody who has logged in there. */
export interface Claims {
  readonly sub: string;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
  readonly [claim: string]: unknown;
}

export type Entry =
  /** `role` undefined: only an invite, or an account that exists, lets the person enter. */
  { readonly email: string; readonly name: string; readonly role: Role | undefined } | { readonly problem: string };

/** Who may enter, and as what. */
export function entryOf(claims: Claims, { domains, groups, groupsClaim }: OidcOptions): Entry {
  const { email, email_verified: isVerified, name } = claims;
  if (typeof email !== "string" || !/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email))
    return { problem: "Your account there has no email address." };
  if (isVerified !== true) return { problem: "The email address of your account there is not verified." };
  const role = roleIn(claims[groupsClaim], groups) ?? (isIn(domains, email) ? "reader" : undefined);
  if (role === undefined && (domains.length > 0 || Object.keys(groups).length > 0))
    return { problem: "Your account there is not among those that may open this console." };
  return { email, name: typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, 100) : email, role };
}

function roleIn(claim: unknown, groups: OidcOptions["groups"]): Role | undefined {
  const names = Array.isArray(claim) ? claim : [claim];
  const found = names.flatMap((name) =>
    typeof name === "string" && Object.hasOwn(groups, name) ? [groups[name]] : [],
  );
  return roles.find((role) => found.includes(role));
}

const isIn = (domains: readonly string[], email: string): boolean =>
  domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase());
