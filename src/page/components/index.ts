/**
 * In:  properties of the kinds in `ComponentDefinition.props`, children already rendered.
 * Out: HTML that is complete without script and style. The client finds its parts by the data attributes that the
 *      comments of the components name.
 *
 * One file per component or small family, all pure functions; `shared/` has what several of them use.
 */
import { accordion, accordionGroup } from "./Accordion.js";
import { apiCall, apiDownloads, apiHeader, apiSection, apiServer } from "./Api.js";
import { badge } from "./Badge.js";
import { banner, callout, check, danger, info, note, tip, warning } from "./Callout.js";
import { card } from "./Card.js";
import { codeGroup, requestExample, responseExample } from "./CodeGroup.js";
import { color, colorItem, colorRow } from "./Color.js";
import { cardGroup, column, columns, panel } from "./Columns.js";
import type { Component, ComponentDefinition } from "./definition.js";
import { expandable, fieldNote, paramField, responseField } from "./Field.js";
import { frame } from "./Frame.js";
import { githubRepo } from "./GitHubRepo.js";
import { icon } from "./Icon.js";
import { prompt } from "./Prompt.js";
import { step, steps } from "./Steps.js";
import { tab, tabs } from "./Tabs.js";
import { tile } from "./Tile.js";
import { tooltip } from "./Tooltip.js";
import { tree, treeFile, treeFolder } from "./Tree.js";
import { update } from "./Update.js";
import { view, visibility } from "./View.js";

export type { ComponentDefinition, ComponentItem, ImageSource, LinkTarget, PropKind } from "./definition.js";

/** `page/render` handles these like the equivalent Markdown. */
const asMarkdown = (otherProps: string): Component => ({
  props: {},
  otherProps: otherProps.split(" "),
  render: ({ children }) => ({ type: "root", children }),
});
const fenceProps =
  "code chart language lang filename title icon lines wrap nocopy expandable highlight focus placement actions";

/** Every built-in component by the name that pages use. Each needs a Markdown form too: `bundle/outputs/markdown`. */
const components = {
  Accordion: accordion,
  AccordionGroup: accordionGroup,
  ApiCall: apiCall,
  ApiDownloads: apiDownloads,
  ApiHeader: apiHeader,
  ApiSection: apiSection,
  ApiServer: apiServer,
  Badge: badge,
  Banner: banner,
  Callout: callout,
  Card: card,
  CardGroup: cardGroup,
  Check: check,
  CodeBlock: asMarkdown(fenceProps),
  CodeGroup: codeGroup,
  Color: color,
  "Color.Item": colorItem,
  "Color.Row": colorRow,
  Column: column,
  Columns: columns,
  Danger: danger,
  Expandable: expandable,
  FieldNote: fieldNote,
  FileTree: tree,
  Frame: frame,
  "GitHub.Repo": githubRepo,
  Heading: asMarkdown("level noAnchor id"),
  Icon: icon,
  Info: info,
  Latex: asMarkdown(fenceProps),
  Mermaid: asMarkdown(fenceProps),
  Note: note,
  Panel: panel,
  ParamField: paramField,
  Prompt: prompt,
  RequestExample: requestExample,
  ResponseExample: responseExample,
  ResponseField: responseField,
  Step: step,
  Steps: steps,
  Tab: tab,
  Tabs: tabs,
  Tile: tile,
  Tip: tip,
  Tooltip: tooltip,
  Tree: tree,
  "Tree.File": treeFile,
  "Tree.Folder": treeFolder,
  Update: update,
  View: view,
  Visibility: visibility,
  Warning: warning,
} satisfies Readonly<Record<string, Component>>;

export type ComponentName = keyof typeof components;

export const componentDefinitions: ReadonlyMap<string, ComponentDefinition> = new Map(
  Object.entries<Component>(components).map(([name, component]) => [name, { name, ...component }]),
);
const propNames = new Map(
  Object.entries<Component>(components).map(([name, { props, otherProps = [] }]) => {
    return [name, new Set([...Object.keys(props), ...otherProps])];
  }),
);

/** The properties that a component may have; undefined for an unknown component. */
export const propNamesOf = (component: string): ReadonlySet<string> | undefined => propNames.get(component);

export { CodeFrame } from "./CodeFrame.js";
export { calloutIconKey, calloutKindOf } from "./shared/kinds.js";
export { calloutIcon, controlIcon, HeadingAnchor, splitName, withBreaks } from "./shared/markup.js";
export { hastText, isHeadingAnchor, labelOf } from "./shared/nodes.js";
