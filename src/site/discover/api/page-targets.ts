import type { Location } from "../../../lib/diagnostic/index.js";
import { folderOf } from "../../../lib/url/index.js";
import type { Frontmatter } from "../../site.js";
import { fieldOf } from "../page-facts.js";
import type { Finder, Found, ReferenceOrigin, SpecScope } from "./find-described.js";
import type { SpecFormat } from "./spec-catalog.js";

/** The front matter keys that name the operation of a page. */
const keys = [
  { key: "openapi", format: "openapi", find: "endpoint" },
  { key: "openapi-schema", format: "openapi", find: "schema" },
  { key: "asyncapi", format: "asyncapi", find: "channel" },
  { key: "graphql", format: "graphql", find: "graph" },
  { key: "arazzo", format: "arazzo", find: "workflow" },
] as const satisfies readonly { key: string; format: SpecFormat; find: keyof Finder }[];

/** The reference in a page's front matter, as written. */
export interface Mention {
  readonly key: (typeof keys)[number]["key"];
  readonly format: SpecFormat;
  readonly written: string;
}

export function mentionOf(frontmatter: Frontmatter): Mention | undefined {
  // Most pages have none.
  if (!Object.keys(frontmatter).some((name) => mayBeKey.test(name))) return undefined;
  for (const { key, format } of keys) {
    const value = fieldOf(frontmatter, key);
    if (typeof value === "string" && value.trim() !== "") return { key, format, written: value.trim() };
  }
  return undefined;
}
const mayBeKey = /^(?:(?:open|async)api|graphql|arazzo)/i;

/** Resolves the reference of a page; undefined if that fails, which is reported. */
export function describedBy(
  sourcePath: string,
  mention: Mention,
  scope: SpecScope,
  finder: Finder,
  locationOf: () => Location,
): Found | undefined {
  const { find } = keys.find(({ key }) => key === mention.key)!;
  const from: ReferenceOrigin = {
    says: `The page's "${mention.key}" is`,
    folder: folderOf(sourcePath),
    get location() {
      return locationOf();
    },
    scope,
  };
  return finder[find](mention.written, from);
}
