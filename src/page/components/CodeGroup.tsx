import type { Element, ElementContent } from "hast";
import type { Messages } from "../../lib/language/index.js";
import { type ComponentItem, component, type PropsOf } from "./definition.js";
import { classes } from "./shared/markup.js";
import { hasContent, isElement } from "./shared/nodes.js";
import { type TabView, tabPanels } from "./Tabs.js";

/** With `dropdown`, a menu replaces the tabs. It lists languages if each occurs once, otherwise titles. */
const groupProps = { dropdown: "boolean" } as const;

/**
 * Code blocks that are shown one at a time. The HTML has every block under its title; with a script, the titles become
 * tabs or a menu. The client treats it like `Tabs`: `[data-tabs]`, with buttons and panels in the same order. A menu
 * has a `select` instead of the buttons, with its options in that order.
 */
function CodeGroup(props: PropsOf<typeof groupProps>) {
  const items = props.items ?? [];
  const languages = items.map((item) => item.props["language"]);
  const byLanguage = props.dropdown === true && new Set(languages).size === languages.length;
  const tabs = items.map((item, index) => tabOf(item, index, byLanguage, props.messages));
  if (tabs.length === 0) return <>{props.children}</>;
  const menuLabel = byLanguage ? props.messages.language : props.messages.example;
  return (
    <>
      {hasContent(props.children) && props.children}
      <div
        class={classes("code-group", props.className)}
        id={props.id}
        data-tabs=""
        data-tab-sync="title"
        data-dropdown={props.dropdown ? "" : undefined}
      >
        {tabPanels(tabs, tabs[0]!, props.dropdown ? menuLabel : undefined, names)}
      </div>
    </>
  );
}

const names = {
  list: ["tabs-list code-group-tabs", "code-group-tab-bar"],
  button: ["tab-button code-group-tab", "code-group-tab"],
  panel: ["tab-panel code-group-panel", "code-group-tab-content"],
  title: "tab-title code-group-title",
  focusable: false,
} as const;

function tabOf(item: ComponentItem, index: number, byLanguage: boolean, messages: Messages): TabView {
  const { title, language, icon } = item.props as { title?: string; language?: string; icon?: ElementContent };
  const name = (byLanguage ? (language ?? title) : (title ?? language)) ?? `${messages.code} ${index + 1}`;
  const tabIcon = icon && <span class="tab-icon code-block-icon">{icon}</span>;
  return { name, title: name, icon: tabIcon, children: item.children.map(withoutHeader) };
}

const hasClass = ({ properties }: Element, name: string): boolean =>
  String(properties["className"] ?? "")
    .split(" ")
    .includes(name);

/** Removes the header of a block, which the tab replaces. */
function withoutHeader(node: ElementContent): ElementContent {
  if (!isElement(node) || !hasClass(node, "code-block")) return node;
  const children = node.children.filter((child) => !isElement(child) || !hasClass(child, "code-block-header"));
  return children.length === node.children.length ? node : { ...node, tagName: "div", children };
}

export const codeGroup = component({
  props: groupProps,
  items: ["code"],
  distinct: "code",
  container: [],
  render: CodeGroup,
});

/** Examples beside the page on wide screens: code blocks become a group, other content is unchanged. */
const example = (name: string) =>
  component({
    props: groupProps,
    items: ["code"],
    distinct: "code",
    contains: ["code", "CodeBlock"],
    id: { from: [], fixed: name },
    panel: true,
    render: (props) =>
      props.items?.length || hasContent(props.children) ? (
        <div class="api-example" id={props.id} data-component-part={name}>
          <CodeGroup {...props} id={undefined} />
        </div>
      ) : (
        <></>
      ),
  });

export const requestExample = example("request-example");
export const responseExample = example("response-example");
