import type { Element, ElementContent } from "hast";
import type { Messages } from "../../lib/language/index.js";
import { type ComponentItem, component, type PropsOf } from "./definition.js";
import { classes } from "./shared/markup.js";
import { hasContent, isElement } from "./shared/nodes.js";

/** A menu instead of tabs: of languages if each occurs once, else of titles. */
const groupProps = { dropdown: "boolean" } as const;

/**
 * Code blocks that are shown one at a time. The HTML has every block under its title; with a script, the titles become
 * tabs or a menu. The client treats it like `Tabs`: `[data-tabs]`, with buttons and panels in the same order. A menu has
 * a `select` instead of the buttons, with its options in that order.
 */
function CodeGroup(props: PropsOf<typeof groupProps>) {
  const items = props.items ?? [];
  const languages = items.map((item) => item.props["language"]);
  const byLanguage = props.dropdown === true && new Set(languages).size === languages.length;
  const tabs = items.map((item, index) => tabOf(item, index, byLanguage, props.messages));
  if (tabs.length === 0) return <>{props.children}</>;
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
        {props.dropdown ? (
          <Menu tabs={tabs} label={byLanguage ? props.messages.language : props.messages.example} />
        ) : (
          <TabList tabs={tabs} />
        )}
        {tabs.map((tab, index) => (
          <div
            role={props.dropdown ? "group" : "tabpanel"}
            class="tab-panel code-group-panel"
            aria-label={tab.name}
            data-active={index === 0 ? "" : undefined}
            data-component-part="code-group-tab-content"
          >
            <p class="tab-title code-group-title">{tab.name}</p>
            {tab.children}
          </div>
        ))}
      </div>
    </>
  );
}

function TabList({ tabs }: { readonly tabs: readonly CodeTab[] }) {
  return (
    <div class="tabs-list code-group-tabs" role="tablist" data-component-part="code-group-tab-bar">
      {tabs.map((tab, index) => (
        <button
          type="button"
          role="tab"
          class="tab-button code-group-tab"
          aria-selected={index === 0 ? "true" : "false"}
          tabindex={index === 0 ? 0 : -1}
          data-active={index === 0 ? "" : undefined}
          data-tab-title={tab.name}
          data-component-part="code-group-tab"
        >
          {tab.icon && <span class="tab-icon code-block-icon">{tab.icon}</span>}
          {tab.name}
        </button>
      ))}
    </div>
  );
}

function Menu({ tabs, label }: { readonly tabs: readonly CodeTab[]; readonly label: string }) {
  return (
    <div class="tabs-list code-group-tabs" data-component-part="code-group-tab-bar">
      <select class="code-group-select" aria-label={label}>
        {tabs.map((tab) => (
          <option data-tab-title={tab.name}>{tab.name}</option>
        ))}
      </select>
    </div>
  );
}

interface CodeTab {
  readonly name: string;
  readonly icon?: ElementContent;
  readonly children: ElementContent[];
}

function tabOf(item: ComponentItem, index: number, byLanguage: boolean, messages: Messages): CodeTab {
  const { title, language, icon } = item.props as { title?: string; language?: string; icon?: ElementContent };
  const name = (byLanguage ? (language ?? title) : (title ?? language)) ?? `${messages.code} ${index + 1}`;
  return { name, icon, children: item.children.map(withoutHeader) };
}

const hasClass = ({ properties }: Element, name: string): boolean =>
  String(properties["className"] ?? "")
    .split(" ")
    .includes(name);

/** The tab replaces the block's own header. */
function withoutHeader(node: ElementContent): ElementContent {
  if (!isElement(node) || !hasClass(node, "code-block")) return node;
  const children = node.children.filter((child) => !isElement(child) || !hasClass(child, "code-block-header"));
  return children.length === node.children.length ? node : { ...node, tagName: "div", children };
}

export const codeGroup = component({ props: groupProps, items: ["code"], render: CodeGroup });

/** Examples next to the page on wide screens: code blocks as a group, other content unchanged. */
const example = (name: string) =>
  component({
    props: groupProps,
    items: ["code"],
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
