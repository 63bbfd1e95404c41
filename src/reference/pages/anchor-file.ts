import { hash } from "node:crypto";
import { entriesAt, pointerTo } from "../../lib/json/index.js";
import type { ReferenceFile } from "../forms/playground.js";
import type { AnchorTable } from "./anchor-table.js";
import { listedEntries, type PageContext } from "./page-context.js";

/** The table as a classic script, which the overview loads if its URL has such an anchor; undefined without pages. */
export function anchorFile(context: PageContext): ReferenceFile | undefined {
  const { key: spec, fileOf, tags, spec: api } = context;
  const pages = listedEntries(context).flatMap((entry) => {
    const href = fileOf(entry.target);
    return href === undefined ? [] : [{ entry, href }];
  });
  if (pages.length === 0) return undefined;
  const hrefs = new Map<string, string>();
  for (const { entry, href } of pages) if (entry.tag !== undefined && !hrefs.has(entry.tag)) hrefs.set(entry.tag, href);
  for (const { name, pointer } of tags()) {
    const href = fileOf({ kind: "group", spec, name, pointer });
    if (href !== undefined) hrefs.set(name, href);
  }
  const names = new Map(
    entriesAt(api.document["components"], "schemas").map(([name]) => [pointerTo("components", "schemas", name), name]),
  );
  for (const { name, pointer } of context.objects().values()) names.set(pointer, name);
  const table: AnchorTable = {
    operations: pages.map(({ entry, href }) => [href, entry.operationId ?? "", entry.method ?? "", entry.name]),
    tags: [...hrefs],
    schemas: [...names].flatMap(([pointer, name]) => {
      const href = fileOf({ kind: "model", spec, name, pointer, skip: 0 });
      return href === undefined ? [] : [[name, href] as const];
    }),
  };
  // Escaped, so that the script is safe inside HTML too.
  const text = `offprintAnchors(${JSON.stringify(table).replaceAll("<", "\\u003c")});\n`;
  return { outputPath: `_offprint/anchors/${hash("sha256", text).slice(0, 16)}.js`, text };
}
