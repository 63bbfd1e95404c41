import type { Location } from "../../../lib/diagnostic/index.js";
import { folderOf, isHttpAddress } from "../../../lib/url/index.js";
import { type SpecFormat, specFormats } from "../../api-spec.js";
import type { NavContainer, NavEntry, Navigation, NavPage, SiteConfig, SpecRef, SpecRefs } from "../../config/index.js";
import type { Frontmatter } from "../../site.js";
import type { Finder, Found, ReferenceOrigin, SpecScope } from "./find-described.js";
import { isGraphReference, isNamedOfSpec, parseEndpoint, parseGraph, parseNamed } from "./parse-reference.js";

/** The format of a navigation entry. For a workflow it is `asyncapi`, because a channel is written in the same way. */
export const formatOf = (ref: string): Exclude<SpecFormat, "arazzo"> | undefined =>
  isGraphReference(ref) ? "graphql" : parseEndpoint(ref) ? "openapi" : isNamedOfSpec(ref) ? "asyncapi" : undefined;

export const specsIn = (holder: Partial<SpecRefs>): SpecRef[] => specFormats.flatMap((format) => holder[format] ?? []);

/** Every specification that docs.json names, in the order written. */
export const configuredSpecs = ({ api, navigation }: SiteConfig): SpecRef[] =>
  [api, navigation, ...containersIn(navigation)].flatMap(specsIn);

/** The documents of workflows that the navigation names. */
export const workflowRefs = (navigation: Navigation): SpecRef[] =>
  [navigation, ...containersIn(navigation)].flatMap(({ arazzo }) => arazzo ?? []);

/** Specifications that `api` and the visible containers of the navigation name, in the order written. */
export function visibleSpecs(
  { api, navigation }: Pick<SiteConfig, "api" | "navigation">,
  format: SpecFormat,
): readonly SpecRef[] {
  const containers = containersIn(navigation, "children").filter(({ hidden }) => !hidden);
  return [api, navigation, ...containers].flatMap((holder) => holder[format] ?? []);
}

/** All containers at any depth, outer ones first. @param which `children` leaves out those of global lists. */
export function containersIn(
  holder: Pick<NavContainer, "children" | "global">,
  which?: "children",
): readonly NavContainer[] {
  const inside = [...holder.children, ...(which ? [] : (holder.global ?? []))].filter(({ kind }) => kind !== "page");
  return (inside as NavContainer[]).flatMap((container) => [container, ...containersIn(container, which)]);
}

/** The addresses of all specifications that docs.json or a page names. */
export function specAddresses(
  configured: readonly SpecRef[],
  mentions: Iterable<Mention>,
  navigation: Navigation,
): string[] {
  const named = configured.flatMap(({ source, overlays = [] }) => [source, ...overlays]);
  const written = [...mentions].map((mention) => mention.written);
  for (const { ref } of pagesIn(navigation)) written.push(ref);
  for (const ref of written.filter(isHttpAddress))
    named.push((parseGraph(ref) ?? parseEndpoint(ref) ?? parseNamed(ref)).spec ?? "");
  return named.filter(isHttpAddress);
}

/** Whether an entry of the navigation names a part of an API. */
export const listsPartsOfApi = (navigation: Navigation): boolean =>
  [...pagesIn(navigation)].some(({ ref }) => formatOf(ref) !== undefined);

/** Every entry that is a page, in no particular order. */
export function* pagesIn(navigation: Navigation): Generator<NavPage> {
  const stack: NavEntry[] = [...navigation.children, ...navigation.global];
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    if (entry.kind === "page") yield entry;
    else stack.push(...(entry.root ? [entry.root] : []), ...entry.children, ...(entry.global ?? []));
  }
}

/** The front matter keys that name the operation of a page. */
const mentionKeys = [
  { key: "openapi", format: "openapi", find: "endpoint" },
  { key: "openapi-schema", format: "openapi", find: "schema" },
  { key: "asyncapi", format: "asyncapi", find: "channel" },
  { key: "graphql", format: "graphql", find: "graph" },
  { key: "arazzo", format: "arazzo", find: "workflow" },
] as const satisfies readonly { key: string; format: SpecFormat; find: keyof Finder }[];

/** The reference in a page's front matter, as written. */
export interface Mention {
  readonly key: (typeof mentionKeys)[number]["key"];
  readonly format: SpecFormat;
  readonly written: string;
}

export function mentionIn(frontmatter: Frontmatter): Mention | undefined {
  // Check this first, since most pages have no reference.
  if (!Object.keys(frontmatter).some((name) => /^(?:(?:open|async)api|graphql|arazzo)/i.test(name))) return undefined;
  for (const { key, format } of mentionKeys) {
    const value = frontmatter[key];
    if (typeof value === "string" && value.trim() !== "") return { key, format, written: value.trim() };
  }
  return undefined;
}

/** Resolves the reference of a page; undefined if that fails, which is reported. */
export function findMentioned(
  sourcePath: string,
  mention: Mention,
  scope: SpecScope,
  finder: Finder,
  locationOf: () => Location,
): Found | undefined {
  const { find } = mentionKeys.find(({ key }) => key === mention.key)!;
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
