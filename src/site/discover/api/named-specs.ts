import type { Location } from "../../../lib/diagnostic/index.js";
import { folderOf, isHttpAddress } from "../../../lib/url/index.js";
import type {
  ApiConfig,
  NavContainer,
  NavEntry,
  Navigation,
  NavPage,
  SiteConfig,
  SpecRef,
} from "../../config/index.js";
import type { Frontmatter } from "../../site.js";
import { fieldOf } from "../page-facts.js";
import type { Finder, Found, ReferenceOrigin, SpecScope } from "./find-described.js";
import { isGraphReference, isNamedOfSpec, parseEndpoint, parseGraph, parseNamed } from "./parse-reference.js";
import type { SpecFormat } from "./spec-catalog.js";

/** The format of a navigation entry. For a workflow it is `asyncapi`, because a channel is written in the same way. */
export const formatOf = (ref: string): Exclude<SpecFormat, "arazzo"> | undefined =>
  isGraphReference(ref) ? "graphql" : parseEndpoint(ref) ? "openapi" : isNamedOfSpec(ref) ? "asyncapi" : undefined;

/** Every specification that docs.json names, in the order written. */
export const configuredSpecs = ({ api, navigation }: SiteConfig): SpecRef[] => [
  ...api.openapi,
  ...api.asyncapi,
  ...api.graphql,
  ...api.arazzo,
  ...navigation.openapi,
  ...navigation.asyncapi,
  ...navigation.graphql,
  ...navigation.arazzo,
  ...containersIn(navigation).flatMap(({ openapi, asyncapi, graphql, arazzo }) =>
    [openapi, asyncapi, graphql, arazzo].flatMap((refs) => refs ?? []),
  ),
];

/** The documents of workflows that the navigation names. */
export const workflowRefs = (navigation: Navigation): SpecRef[] => [
  ...navigation.arazzo,
  ...containersIn(navigation).flatMap(({ arazzo }) => arazzo ?? []),
];

function containersIn(holder: Pick<NavContainer, "children" | "global">): NavContainer[] {
  const own = [...holder.children, ...(holder.global ?? [])].filter((child) => child.kind !== "page");
  return own.flatMap((child) => [child, ...containersIn(child)]);
}

/** The addresses of all specifications that docs.json or a page names. */
export function addressesIn(
  configured: readonly SpecRef[],
  mentions: Iterable<Mention>,
  navigation: Navigation,
): string[] {
  const named = configured.flatMap((ref) => [ref.source, ...(ref.overlays ?? [])]);
  const add = (written: string): void => {
    if (isHttpAddress(written))
      named.push((parseGraph(written) ?? parseEndpoint(written) ?? parseNamed(written)).spec ?? "");
  };
  for (const { written } of mentions) add(written);
  for (const { ref } of pagesIn(navigation)) add(ref);
  return named.filter(isHttpAddress);
}

/** True if an entry of the navigation names a part of an API. */
export function listsOfApi(navigation: Navigation): boolean {
  for (const { ref } of pagesIn(navigation)) if (formatOf(ref) !== undefined) return true;
  return false;
}

/** Every entry that is a page, in no particular order. */
function* pagesIn(navigation: Navigation): Generator<NavPage> {
  const stack: NavEntry[] = [...navigation.children, ...navigation.global];
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    if (entry.kind === "page") yield entry;
    else stack.push(...(entry.root ? [entry.root] : []), ...entry.children, ...(entry.global ?? []));
  }
}

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

/** Specifications that `api` and the visible containers of the navigation name, in the order written. */
export function findSpecRefs(
  api: ApiConfig,
  navigation: Navigation,
  kind: "openapi" | "asyncapi" | "arazzo",
): readonly SpecRef[] {
  const found = [...api[kind], ...navigation[kind]];
  const stack: NavEntry[] = navigation.children.toReversed();
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    if (entry.kind === "page") continue;
    if (!entry.hidden) found.push(...(entry[kind] ?? []));
    stack.push(...entry.children.toReversed());
  }
  return found;
}
