/** Components by the names of other documentation tools, which authors write from habit. */
import type { RootContent } from "mdast";
import { type Location, type Rewrite, warningOf } from "../../../lib/diagnostic/index.js";
import type { JsxElement, PropValue } from "../page-content.js";
import type { PageState } from "../page-state.js";
import names from "./names-of-other-tools.json" with { type: "json" };

/** @returns the component that does the same here; undefined if the name is known or nothing is like it. */
export function ownName(name: string, builtIns: ReadonlySet<string>): string | undefined {
  if (builtIns.has(name)) return undefined;
  if (Object.hasOwn(names, name)) return names[name as "Aside"];
  // Other tools name a part after its whole: `Tabs.Tab`.
  const part = name.slice(name.lastIndexOf(".") + 1);
  return part !== name && builtIns.has(part) ? part : undefined;
}

/** The properties that other tools give to a link and to a tab: `<Link to="…">`, `<TabItem value="mac" label="macOS">`. */
export function ownProps(own: string, props: Record<string, PropValue>): Record<string, PropValue> {
  const others: Readonly<Record<string, readonly string[]>> = {
    a: ["href", "to", "link", "url"],
    Tab: ["title", "label", "value"],
  };
  const [name = "", ...written] = Object.hasOwn(others, own) ? others[own]! : [];
  const value = written.map((each) => props[each]).find((each) => each !== undefined);
  return value === undefined ? props : { [name]: value, ...props };
}

export function reportOtherName(page: PageState, node: JsxElement, own: string, location: Location): void {
  page.report({
    ...warningOf("UNKNOWN_COMPONENT", location),
    what: `<${node.name}> is a name of other tools; it is shown as <${own}>.`,
    fix: `write <${own}>.`,
    rewrites: renamedTag(node, node.name!, own, false),
    cause: node.name!,
  });
}

/** Renames the opening and the closing tag. */
export function renamedTag({ position }: JsxElement, name: string, other: string, certain: boolean): Rewrite[] {
  const { start, end } = position ?? {};
  if (start?.offset === undefined || end?.offset === undefined) return [];
  const closing = { written: `</${name}>`, replacement: `</${other}>`, offset: end.offset - name.length - 3 };
  return [
    { written: `<${name}`, replacement: `<${other}`, offset: start.offset, certain },
    { ...closing, certain, isOptional: true },
  ];
}

/** Gives tabs the titles that other tools list in the whole: `<Tabs items={["npm", "pnpm"]}>`. */
export function titleTabs(children: readonly RootContent[], items: readonly PropValue[]): void {
  const tabs = children.filter((child) => "name" in child && child.name === "Tab") as unknown as JsxElement[];
  tabs.forEach((tab, index) => {
    tab.data = { ...tab.data, props: { title: items[index], ...tab.data?.props } };
  });
}
