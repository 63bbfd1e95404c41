import type { ElementContent } from "hast";
import { fill, type Messages } from "../../lib/language/index.js";
import { type ComponentItem, component, type PropsOf } from "./definition.js";
import { classes } from "./shared/markup.js";
import { asPhrasing, hasContent, labelOf } from "./shared/nodes.js";

const tabProps = { title: "label", icon: "icon", disabled: "boolean" } as const;

/** A tab outside `Tabs`: a titled part of the text. `Tabs` lays out its own. */
export const tab = component({
  parent: "Tabs",
  props: tabProps,
  id: { from: ["title"] },
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
 * the button, and `data-active` to its panel. A tab with `aria-disabled` cannot be selected. With `data-tab-sync`, other
 * groups, code groups included, select the button with the same `data-tab-title` too. A menu has a `select` instead of
 * the buttons, with its options in the order of the panels.
 */
export const tabs = component({
  props: {
    /** Counts from 0. */
    defaultTabIndex: "number",
    sync: "boolean",
    borderBottom: "boolean",
    /** A menu instead of tabs. */
    dropdown: "boolean",
  },
  items: ["Tab"],
  render(props) {
    const tabs = (props.items ?? []).map((item, index) => tabOf(item, index, props.messages));
    if (tabs.length === 0) return <>{props.children}</>;
    const wanted = tabs[props.defaultTabIndex ?? 0];
    const active = wanted && !wanted.disabled ? wanted : (tabs.find((tab) => !tab.disabled) ?? tabs[0]);
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
          {props.dropdown ? (
            <Menu tabs={tabs} active={active} label={props.messages.options} />
          ) : (
            <TabList tabs={tabs} active={active} />
          )}
          {tabs.map((tab) => (
            <div
              role={props.dropdown ? "group" : "tabpanel"}
              class={classes("tab-panel", tab.className)}
              id={tab.id}
              aria-labelledby={props.dropdown ? undefined : tab.buttonId}
              aria-label={tab.buttonId === undefined || props.dropdown ? tab.name : undefined}
              tabindex={props.dropdown ? undefined : 0}
              data-active={tab === active ? "" : undefined}
              data-component-part="tab-content"
            >
              <p class="tab-title">{tab.title}</p>
              {tab.children}
            </div>
          ))}
        </div>
      </>
    );
  },
});

interface ChoiceProps {
  readonly tabs: readonly TabView[];
  readonly active: TabView | undefined;
}

const TabList = ({ tabs, active }: ChoiceProps) => (
  <div class="tabs-list" role="tablist" data-component-part="tabs-list">
    {tabs.map((tab) => (
      <button
        type="button"
        role="tab"
        class="tab-button"
        id={tab.buttonId}
        aria-controls={tab.id}
        aria-selected={tab === active ? "true" : "false"}
        aria-disabled={tab.disabled ? "true" : undefined}
        tabindex={tab === active ? 0 : -1}
        data-active={tab === active ? "" : undefined}
        data-tab-title={tab.name}
        data-component-part="tab-button"
      >
        {tab.icon && (
          <span class="tab-icon" data-component-part="tab-icon">
            {tab.icon}
          </span>
        )}
        {tab.title}
      </button>
    ))}
  </div>
);

const Menu = ({ tabs, active, label }: ChoiceProps & { readonly label: string }) => (
  <div class="tabs-list" data-component-part="tabs-list">
    <select class="code-group-select" aria-label={label}>
      {tabs.map((tab) => (
        <option data-tab-title={tab.name} selected={tab === active && tab !== tabs[0] ? true : undefined}>
          {tab.name}
        </option>
      ))}
    </select>
  </div>
);

interface TabView {
  readonly name: string;
  readonly title: ElementContent[];
  readonly id?: string;
  readonly buttonId?: string;
  readonly icon?: ElementContent;
  readonly disabled: boolean;
  readonly className?: string;
  readonly children: ElementContent[];
}

function tabOf(item: ComponentItem, index: number, messages: Messages): TabView {
  const props: Omit<PropsOf<typeof tabProps>, "children" | "messages"> = item.props;
  const fallback = fill(messages.tab, index + 1);
  return {
    name: labelOf(props.title) || fallback,
    title: hasContent(props.title) ? asPhrasing(props.title) : [{ type: "text", value: fallback }],
    id: item.id,
    buttonId: item.id && `tab::${item.id}`,
    icon: props.icon,
    disabled: props.disabled ?? false,
    className: props.className,
    children: item.children,
  };
}
