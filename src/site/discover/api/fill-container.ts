import type { Location } from "../../../lib/diagnostic/index.js";
import { textAt } from "../../../lib/json/index.js";
import type { Messages } from "../../../lib/language/index.js";
import { nameOf } from "../../../lib/url/index.js";
import type { SpecFormat } from "../../api-spec.js";
import type { NavEntry, NavPage, SpecRef } from "../../config/index.js";
import { objectBoost, type SpecEntry, type SpecTag } from "../../specs/index.js";
import { labelOf } from "./find-described.js";
import type { GeneratedPages, Topic } from "./generated-pages.js";
import type { CatalogSpec, SpecCatalog } from "./spec-catalog.js";

interface Fill {
  readonly refs: readonly SpecRef[];
  readonly format: SpecFormat;
  readonly location: Location;
  readonly label: string;
  readonly messages: Messages;
  readonly catalog: SpecCatalog;
  readonly pages: GeneratedPages;
  readonly entries: Map<NavPage, string>;
  /** The page file about a topic, and whether the navigation lists it. */
  readonly fileAbout: (api: Topic["api"]) => { readonly id: string; readonly isListed: boolean } | undefined;
  /** Whether the navigation, or a page file in it, names an entry. */
  readonly isNamed: (entry: SpecEntry) => boolean;
}

/** The overview pages of specifications whose operations the navigation lists by hand. */
export const overviewsOf = (fill: Fill): NavEntry[] =>
  fill.refs.flatMap((ref) => {
    const spec = fill.catalog.open(ref, fill.format);
    if (spec) fill.catalog.use(spec);
    return spec ? overviewOf(fill, spec, ref) : [];
  });

/** An entry for the page about a whole specification, if there is anything to show. */
function overviewOf(fill: Fill, spec: CatalogSpec, { directory, overview }: SpecRef): NavPage[] {
  if (!spec.hasOverview || overview === false) return [];
  const api = { kind: "overview", spec: spec.key } as const;
  const title = spec.title ?? fill.messages.overview;
  const sidebarTitle = fill.refs.length === 1 ? fill.messages.overview : undefined;
  return topicPage(fill, { spec, directory, api, title, sidebarTitle, description: spec.description });
}

/** The objects of operations that the navigation lists by hand. */
export const objectsOf = (fill: Fill): NavEntry[] =>
  fill.refs.flatMap((ref) => {
    const spec = fill.catalog.open(ref, fill.format);
    const named = spec?.entries.filter(fill.isNamed) ?? [];
    if (spec === undefined || named.length === 0) return [];
    fill.catalog.use(spec);
    const children: NavEntry[] = [];
    // Put all objects into one group, since the author has grouped the operations by hand.
    const objects = spec.objectsOf(named).map(({ tag: _, ...object }) => object);
    addObjects(fill, spec, ref, objects, () => children);
    return children;
  });

/** An entry for the page about a topic; none if the navigation lists a page file about it. */
function topicPage({ location, pages, entries, fileAbout }: Fill, topic: Topic): NavPage[] {
  const page: NavPage = { kind: "page", ref: topic.title, location };
  const file = fileAbout(topic.api);
  if (file?.isListed) return [];
  if (file) {
    entries.set(page, file.id);
    return [page];
  }
  return pages.topic(topic, (id) => entries.set(page, id)) ? [page] : [];
}

/**
 * Makes a group for each tag, inside the groups of its parents, in the order of `x-tagGroups`, then of their first use.
 * Entries without a tag are in a group with the name of the API, or in no group if no entry has a tag; there, operations are
 * grouped by the resources of their paths. The overview of the API comes first, and the description of a tag first in its
 * group. The objects of a tag come last in its group; objects that tags share come at the end.
 */
export function fillFrom(fill: Fill): NavEntry[] {
  const { refs, format, location, label, messages, catalog, pages, entries } = fill;
  const filled: NavEntry[] = [];
  const groups = new Map<string, NavEntry[]>();
  /** The entries of the group with these labels, outermost first. */
  const groupAt = (labels: readonly string[]): NavEntry[] => {
    if (labels.length === 0) return filled;
    const key = JSON.stringify(labels);
    const group = groups.get(key);
    if (group) return group;
    const children: NavEntry[] = [];
    groupAt(labels.slice(0, -1)).push({ kind: "group", label: labels.at(-1)!, children, location });
    groups.set(key, children);
    return children;
  };
  const pageFor = (ref: string, id: string): NavPage => {
    const page: NavPage = { kind: "page", ref, location };
    entries.set(page, id);
    return page;
  };
  /** Adds the overview, and pages for tags without operations, before the groups. */
  const introduce = (spec: CatalogSpec, ref: SpecRef, isShown: (labels: readonly string[]) => boolean) => {
    filled.push(...overviewOf(fill, spec, ref));
    const used = new Set(spec.entries.map((entry) => entry.tag));
    for (const tag of spec.tags.toSorted((a, b) => Number(a.isOrdered) - Number(b.isOrdered))) {
      if (isShown(labelsOf(tag))) {
        if (tag.isOrdered) groupAt(labelsOf(tag));
      } else if (!used.has(tag.name)) {
        const page = tagPage(spec, ref.directory, tag);
        if (page.length > 0) groupAt(tag.parents).push(...page);
      }
    }
  };
  const tagPage = (
    spec: CatalogSpec,
    directory: string | undefined,
    tag: SpecTag,
    sidebarTitle?: string,
  ): NavPage[] => {
    const { name, label, pointer, kind, description, externalDocs } = tag;
    if (!["nav", "trait"].includes(kind) || (description ?? textAt(externalDocs, "url")) === undefined) return [];
    const api = { kind: "group", spec: spec.key, name, pointer } as const;
    return topicPage(fill, { spec, directory, api, title: label, sidebarTitle, description });
  };
  const specs = refs.map((ref) => ({ ref, spec: catalog.open(ref, format) }));
  const isTagged = specs.some(({ spec }) => spec?.entries.some((entry) => entry.tag !== undefined && !entry.excluded));
  for (const { ref, spec } of specs) {
    if (!spec && catalog.isUnavailable(ref)) {
      const about = label || nameOf(new URL(ref.source).pathname);
      filled.push(pageFor(about, pages.placeholderOf(ref.source, about, ref.directory)));
    }
    if (!spec) continue;
    const isShown = shownGroups(spec);
    if (isShown([])) introduce(spec, ref, isShown);
    const resources = resourceGroups(spec.entries);
    for (const entry of spec.entries) {
      if (entry.excluded) continue;
      catalog.use(spec);
      const page = pageFor(labelOf(entry), pages.pageOf(spec, entry, ref.directory, false));
      const tag = entry.tagLabel ?? (isTagged ? spec.title : undefined);
      groupAt([...entry.tagParents, ...(tag === undefined ? [] : [tag]), ...(resources.get(entry) ?? [])]).push(page);
    }
    for (const tag of spec.tags)
      if (isShown(labelsOf(tag)))
        groupAt(labelsOf(tag)).unshift(...tagPage(spec, ref.directory, tag, messages.overview));
    if (isShown([]))
      addObjects(fill, spec, ref, spec.objects, (labels) => (isShown(labels) ? groupAt(labels) : filled));
  }
  return filled;
}

/** Adds closed groups of objects: objects of a tag to the tag's entries, all others to one group, whose page lists them. */
function addObjects(
  fill: Fill,
  spec: CatalogSpec,
  { directory }: SpecRef,
  objects: CatalogSpec["objects"],
  groupAt: (labels: readonly string[]) => NavEntry[],
): void {
  const { entries, key, title: apiTitle } = spec;
  if (objects.length === 0) return;
  const { messages, location } = fill;
  const labelsByTag = new Map(
    entries.flatMap(({ tag, tagLabel, tagParents }) =>
      tag === undefined || tagLabel === undefined ? [] : [[tag, [...tagParents, tagLabel]] as const],
    ),
  );
  const label = messages.objects;
  const pagesOf = (objects: CatalogSpec["objects"]): NavPage[] =>
    objects.flatMap(({ pointer, title, description }) => {
      const api = { kind: "model", spec: key, name: title, pointer, skip: 0 } as const;
      return topicPage(fill, { spec, directory, api, title, description });
    });
  const group = (children: readonly NavEntry[], root?: NavPage): NavEntry => ({
    kind: "group",
    label,
    children,
    location,
    folded: true,
    boost: objectBoost,
    ...(root && { root }),
  });
  const indexTitle = fill.refs.length > 1 && apiTitle !== undefined ? `${apiTitle}: ${label}` : label;
  const [index] = topicPage(fill, { spec, directory, api: { kind: "objects", spec: key }, title: indexTitle });
  const byLabels = Map.groupBy(objects, ({ tag }) => labelsByTag.get(tag ?? ""));
  for (const [labels, ofTag] of byLabels) if (labels) groupAt(labels).push(group(pagesOf(ofTag)));
  const shared = pagesOf(byLabels.get(undefined) ?? []);
  if (shared.length > 0) groupAt([]).push(group(shared, index));
  else if (index) groupAt([]).push(index);
}

const labelsOf = ({ parents, label }: SpecTag): string[] => [...parents, label];

/** Returns whether a group, or the whole specification, has an operation that the navigation shows. */
function shownGroups({ entries }: CatalogSpec): (labels: readonly string[]) => boolean {
  const shown = new Set<string>();
  for (const { excluded, hidden, tagParents, tagLabel } of entries) {
    if (excluded || hidden) continue;
    const labels = tagLabel === undefined ? [] : [...tagParents, tagLabel];
    for (let count = labels.length; count >= 0; count--) shown.add(JSON.stringify(labels.slice(0, count)));
  }
  return (labels) => shown.has(JSON.stringify(labels));
}

/** If there are more operations on one resource, they are grouped by its subresources. */
const maxRows = 12;
const maxLevels = 3;

/**
 * The labels of the groups around each operation without a tag, outermost first: the resources in its path. There are no
 * groups if each operation would be alone in one, or if all operations are on the same resource.
 */
function resourceGroups(entries: readonly SpecEntry[]): ReadonlyMap<SpecEntry, readonly string[]> {
  const groups = new Map<SpecEntry, readonly string[]>();
  const divide = (members: readonly SpecEntry[], depth: number, around: readonly string[]): void => {
    const byResource = Map.groupBy(members, ({ resources }) => resources![depth]);
    const isDivided = [...byResource.values()].some(({ length }) => length > 1);
    // At the top, rows beside groups are hard to find, so a single operation gets a group, too.
    const minLength = around.length === 0 && isDivided ? 1 : 2;
    for (const [resource, inner] of byResource) {
      const isAll = inner.length === members.length;
      if (resource === undefined || inner.length < minLength) for (const entry of inner) groups.set(entry, around);
      else {
        const labels = isAll ? around : [...around, resource];
        const isDeeper = isAll || (inner.length > maxRows && labels.length < maxLevels);
        if (isDeeper) divide(inner, depth + 1, labels);
        else for (const entry of inner) groups.set(entry, labels);
      }
    }
  };
  const untagged = entries.filter(({ resources, excluded }) => resources !== undefined && !excluded);
  divide(untagged, 0, []);
  return groups;
}
