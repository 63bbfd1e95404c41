import type { Messages } from "../../../lib/language/index.js";
import { createMemo } from "../../../lib/memo.js";
import type { Division } from "../../../site/site.js";
import { createTemplate, fillTemplate, htmlOf, type Template } from "../html.js";
import { anyPrefix, withPrefix } from "../settings-links.js";
import { type NavTree, navTreeOf, sliceAround } from "./nav-tree.js";
import { type SidebarContext, type SidebarOptions, sidebarEntries } from "./sidebar-entries.js";

/** Pages show all of a sidebar with up to this many entries, and the entries around the page of a larger one. */
export const wholeSidebarEntries = 150;
/** The navigation trees of all divisions, and their HTML. */
export type Sidebars = ReturnType<typeof createSidebars>;

/**
 * Renders the entries of a division's sidebar for one page. What pages share is rendered once: a whole sidebar a division
 * and depth, a partial one a block of neighbours. The latest ones are cached.
 */
export function createSidebars(options: SidebarOptions) {
  const trees = createMemo<NavTree>();
  const texts = createMemo<string>(128);
  const templates = createMemo<Template>(128);

  const treeOf = (division: Division): NavTree => trees(division.id, () => navTreeOf(division));

  const html = (division: Division, prefix: string, page: number, messages: Messages): string => {
    const tree = treeOf(division);
    const around = tree.groupsOf.get(page) ?? [];
    const slice = tree.count > wholeSidebarEntries ? sliceAround(tree, around, page) : undefined;
    const key = `${division.id} ${slice?.key ?? ""}`;
    const template = templates(`${prefix} ${key}`, () => {
      const context: SidebarContext = { ...options, prefix: anyPrefix, messages, slice };
      return createTemplate(
        withPrefix(
          texts(key, () => htmlOf(sidebarEntries(context, tree.nodes))),
          prefix,
        ),
      );
    });
    return fillTemplate(template, [`p${page}`, ...around.map((group) => `g${group.id}`)]);
  };
  return { html, treeOf };
}
