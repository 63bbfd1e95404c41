import { createHash } from "node:crypto";
import type { Division, Site } from "../../site/site.js";
import type { Links } from "./links.js";
import { labelOf, type NavNode, type NavTree } from "./nav-tree.js";

/** A large sidebar as data, in a classic script that the client loads when a reader opens a group. */
export interface NavScript {
  readonly outputPath: string;
  readonly text: string;
}

/**
 * `offprintNav(<nodes>)`. Each node is one of `[0, label, href, marker or 0?, tag?]`, `[1, label, nodes, groupNumber,
 * href?]`, `[2, label, href]`; hrefs start at the bundle's root.
 * The file name holds a hash of the text, so the same navigation has the same file.
 */
export function navScriptOf(site: Site, links: Links, division: Division, tree: NavTree): NavScript {
  const nodes = tree.nodes.map((node) => compact(site, links, node));
  // Escape "<", so that the text is safe in any context.
  const text = `offprintNav(${JSON.stringify(nodes).replaceAll("<", "\\u003c")});\n`;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return { outputPath: `_offprint/nav/${division.id}.${hash}.js`, text };
}

type CompactNode = readonly unknown[];

function compact(site: Site, links: Links, node: NavNode): CompactNode {
  if (node.type === "link") return [2, node.label, links.written("", node.href).href];
  if (node.type === "group") {
    const { label, nodes, id, root } = node;
    const path = root === undefined ? [] : [links.page("", root)];
    return [1, label, nodes.map((child) => compact(site, links, child)), id, ...path];
  }
  const plan = site.pages[node.page]!;
  const { marker } = plan;
  const { tag } = plan.frontmatter;
  const more = typeof tag === "string" ? [marker ?? 0, tag] : marker ? [marker] : [];
  return [0, labelOf(plan), links.page("", node.page), ...more];
}
