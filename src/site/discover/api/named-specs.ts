import { isHttpAddress } from "../../../lib/url/index.js";
import type { NavContainer, NavEntry, Navigation, NavPage, SiteConfig, SpecRef } from "../../config/index.js";
import type { Mention } from "./page-targets.js";
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
