import { fieldsOf } from "../../../lib/json/index.js";
import { isHttpAddress, parseHttpUrl } from "../../../lib/url/index.js";

/** What an index says about its site. */
export interface SiteFacts {
  readonly siteName: string;
  /** Without trailing slash. */
  readonly baseUrl: string;
  readonly trailingSlash: boolean;
  /** What each index of the search has the pages of, in their order; empty: there is one index, of all pages. */
  readonly scopes: readonly FactScope[];
}
export interface FactScope {
  /** BCP 47 tag. */
  readonly language?: string;
  readonly version?: string;
  readonly isDefault: boolean;
}

const maxScopes = 1000;
const maxTextLength = 1000;

/**
 * Reads the facts from a manifest, or from what was made of one; neither is trusted.
 *
 * @param fallbackUrl of a site whose manifest has no valid address.
 */
export function readFacts(manifest: unknown, fallbackUrl: string): SiteFacts {
  const { siteName, address, searchScopes } = fieldsOf(manifest);
  const { baseUrl, trailingSlash } = fieldsOf(address);
  const scopes = Array.isArray(searchScopes) ? (searchScopes as unknown[]).slice(0, maxScopes) : [];
  return {
    siteName: textOf(siteName) ?? "",
    baseUrl: baseOf(baseUrl) ?? fallbackUrl,
    trailingSlash: trailingSlash === true,
    scopes: scopes.map((scope) => {
      const { language, version, isDefault } = fieldsOf(scope);
      return { language: textOf(language), version: textOf(version), isDefault: isDefault === true };
    }),
  };
}

/** In the form of a manifest. */
export const printFacts = ({ siteName, baseUrl, trailingSlash, scopes }: SiteFacts): string =>
  JSON.stringify({ siteName, address: { baseUrl, trailingSlash }, searchScopes: scopes });

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.length <= maxTextLength ? value : undefined;

function baseOf(value: unknown): string | undefined {
  const text = textOf(value);
  const url = text !== undefined && isHttpAddress(text) ? parseHttpUrl(text) : undefined;
  return url && (url.origin + url.pathname).replace(/\/$/, "");
}
