import type { Location } from "../../../lib/diagnostic/index.js";
import { nameOf } from "../../../lib/url/index.js";
import type { NavEntry, NavPage, SpecRef } from "../../config/index.js";
import { labelOf } from "./find-described.js";
import type { GeneratedPages } from "./generated-pages.js";
import type { SpecCatalog, SpecFormat } from "./spec-catalog.js";

interface Fill {
  readonly refs: readonly SpecRef[];
  readonly format: SpecFormat;
  readonly location: Location;
  readonly label: string;
  readonly catalog: SpecCatalog;
  readonly pages: GeneratedPages;
  readonly entries: Map<NavPage, string>;
}

/**
 * Makes a group for each tag, within those of its parents, in the order of their first use. Entries without a tag go into a group named after the API,
 * or, if no entry has a tag, into no group.
 */
export function fillFrom({ refs, format, location, label, catalog, pages, entries }: Fill): NavEntry[] {
  const filled: NavEntry[] = [];
  const groups = new Map<string, NavEntry[]>();
  /** The entries of the group that these labels lead to. */
  const groupAt = (labels: readonly string[]): NavEntry[] => {
    if (labels.length === 0) return filled;
    const key = JSON.stringify(labels);
    const known = groups.get(key);
    if (known) return known;
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
  const specs = refs.map((ref) => ({ ref, spec: catalog.open(ref, format) }));
  const isTagged = specs.some(({ spec }) => spec?.entries.some((entry) => entry.tag !== undefined && !entry.excluded));
  for (const { ref, spec } of specs) {
    if (!spec && catalog.isUnavailable(ref)) {
      const about = label || nameOf(new URL(ref.source).pathname);
      filled.push(pageFor(about, pages.placeholderOf(ref.source, about, ref.directory)));
    }
    for (const entry of spec?.entries ?? []) {
      if (entry.excluded) continue;
      catalog.use(spec!);
      const page = pageFor(labelOf(entry), pages.pageOf(spec!, entry, ref.directory, false));
      const tag = entry.tagLabel ?? (isTagged ? spec!.title : undefined);
      groupAt(tag === undefined ? [] : [...entry.tagParents, tag]).push(page);
    }
  }
  return filled;
}
