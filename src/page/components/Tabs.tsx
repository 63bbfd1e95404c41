import type { ElementContent } from "hast";
import type { JsxChild, JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { fill, type Messages } from "../../lib/language/index.js";
import { type ComponentItem, component, type PropsOf } from "./definition.js";
import { classes, Part } from "./shared/markup.js";
import { asPhrasing, hasContent, labelOf } from "./shared/nodes.js";

const tabProps = { title: "label", icon: "icon", disabled: "boolean" } as const;

/** A tab outside `Tabs`: a titled part of the text. Inside, `Tabs` renders its tabs itself. */
export const tab = component({
  parent: "Tabs",
  props: tabProps,
  id: { from: ["title"] },
  required: ["title"],
  container: [],
  render: (props) => (
    <div class={classes("tab-alone", props.className)} id={props.id}>
      {hasContent(props.title) && <div class="tab-alone-title">{props.title}</div>}
      {props.children}
    </div>
  ),
});

/**
 * Panels that are shown one at a time. The HTML has every panel under its title. Only with a script (`html.js`), the
 * titles and the panels without `data-active` are hidden and the buttons are shown.
 *
 * For the client: `[data-tabs]` contains buttons `[role=tab]` that name their panel by `aria-controls` or, without ids,
 * are in the same order as the panels. To select one, move `aria-selected="true"`, `tabindex="0"` and `data-active` to
 * the button, and `data-active` to its panel. A tab with `aria-disabled` cannot be selected. With `data-tab-sync`,
 * other groups, code groups included, select the button with the same `data-tab-title` too. A menu has a `select`
 * instead of the buttons, with its options in the order of the panels.
 */
export const tabs = component({
  props: {
    /** From 0. */
    defaultTabIndex: "number",
    sync: "boolean",
    borderBottom: "boolean",
    /** Whether a menu replaces the tabs. */
    dropdown: "boolean",
  },
  items: ["Tab"],
  index: "defaultTabIndex",
  distinct: "Tab",
  container: [],
  render(props) {
    const tabs = (props.items ?? []).map((item, index) => tabOf(item, index, props.messages));
    if (tabs.length === 0) return <>{props.children}</>;
    const chosen = tabs[props.defaultTabIndex ?? 0];
    const active = chosen && !chosen.disabled ? chosen : (tabs.find((tab) => !tab.disabled) ?? tabs[0]!);
    return (
      <>
        {hasContent(props.children) && props.children}
        <div
          class={classes("tabs", props.className)}
          id={props.id}
          data-tabs=""
          data-tab-sync={props.sync === false ? undefined : "title"}
          data-border-bottom={props.borderBottom ? "" : undefined}
        >
          {tabPanels(tabs, active, props.dropdown ? props.messages.options : undefined, names)}
        </div>
      </>
    );
  },
});

export interface TabView {
  readonly name: string;
  readonly title: JsxChild;
  readonly id?: string | undefined;
  readonly buttonId?: string | undefined;
  readonly icon?: JsxChild;
  readonly disabled?: boolean;
  readonly className?: string | undefined;
  readonly children: ElementContent[];
}

/** The class names of tabs, and the hooks by which style sheets of sites select them. */
interface TabNames {
  readonly list: readonly [className: string, hook: string];
  readonly button: readonly [className: string, hook: string];
  readonly panel: readonly [className: string, hook: string];
  readonly title: string;
  /** Whether a reader can scroll a panel by keyboard. */
  readonly focusable: boolean;
}
const names: TabNames = {
  list: ["tabs-list", "tabs-list"],
  button: ["tab-button", "tab-button"],
  panel: ["tab-panel", "tab-content"],
  title: "tab-title",
  focusable: true,
};

/** The buttons or a menu, then the panels. @param menuLabel present for a menu. */
export function tabPanels(
  tabs: readonly TabView[],
  active: TabView,
  menuLabel: string | undefined,
  names: TabNames,
): JsxNode[] {
  const isMenu = menuLabel !== undefined;
  return [
    isMenu ? menuOf(tabs, active, menuLabel, names) : buttonsOf(tabs, active, names),
    ...tabs.map((tab) => (
      <div
        role={isMenu ? "group" : "tabpanel"}
        class={classes(names.panel[0], tab.className)}
        id={tab.id}
        aria-labelledby={isMenu ? undefined : tab.buttonId}
        aria-label={tab.buttonId === undefined || isMenu ? tab.name : undefined}
        tabindex={names.focusable && !isMenu ? 0 : undefined}
        data-active={tab === active ? "" : undefined}
        data-component-part={names.panel[1]}
      >
        <p class={names.title}>{tab.title}</p>
        {tab.children}
      </div>
    )),
  ];
}

const buttonsOf = (tabs: readonly TabView[], active: TabView, { list, button }: TabNames): JsxNode => (
  <div class={list[0]} role="tablist" data-component-part={list[1]}>
    {tabs.map((tab) => (
      <button
        type="button"
        role="tab"
        class={button[0]}
        id={tab.buttonId}
        aria-controls={tab.id}
        aria-selected={tab === active ? "true" : "false"}
        aria-disabled={tab.disabled ? "true" : undefined}
        tabindex={tab === active ? 0 : -1}
        data-active={tab === active ? "" : undefined}
        data-tab-title={tab.name}
        data-component-part={button[1]}
      >
        {tab.icon}
        {tab.title}
      </button>
    ))}
  </div>
);

const menuOf = (tabs: readonly TabView[], active: TabView, label: string, { list }: TabNames): JsxNode => (
  <div class={list[0]} data-component-part={list[1]}>
    <select class="code-group-select" aria-label={label}>
      {tabs.map((tab) => (
        <option data-tab-title={tab.name} selected={tab === active && tab !== tabs[0] ? true : undefined}>
          {tab.name}
        </option>
      ))}
    </select>
  </div>
);

function tabOf(item: ComponentItem, index: number, messages: Messages): TabView {
  const props: Omit<PropsOf<typeof tabProps>, "children" | "messages"> = item.props;
  const fallback = fill(messages.tab, index + 1);
  return {
    name: labelOf(props.title) || fallback,
    title: hasContent(props.title) ? asPhrasing(props.title) : [{ type: "text", value: fallback }],
    id: item.id,
    buttonId: item.id && `tab::${item.id}`,
    icon: props.icon && (
      <Part as="span" name="tab-icon">
        {props.icon}
      </Part>
    ),
    disabled: props.disabled ?? false,
    className: props.className,
    children: item.children,
  };
}
