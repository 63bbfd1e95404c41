/**
 * In:  properties as `ComponentDefinition.props` asks for them, children already rendered.
 * Out: a tree of HTML, plain and complete without script and style; what the client adds, it finds by the data
 *      attributes that the components' own comments name.
 *
 * One file a component, all pure functions; `parts/` holds what several of them share.
 */
import { accordion } from "./Accordion.js";
import { accordionGroup } from "./AccordionGroup.js";
import { apiHeader } from "./ApiHeader.js";
import { apiSection } from "./ApiSection.js";
import { apiServer } from "./ApiServer.js";
import { badge } from "./Badge.js";
import { banner } from "./Banner.js";
import { callout, check, danger, info, note, tip, warning } from "./Callout.js";
import { card } from "./Card.js";
import { codeBlock } from "./CodeBlock.js";
import { codeGroup } from "./CodeGroup.js";
import { color, colorItem, colorRow } from "./Color.js";
import { column } from "./Column.js";
import { cardGroup, columns } from "./Columns.js";
import type { ComponentDefinition } from "./definition.js";
import { expandable } from "./Expandable.js";
import { fieldNote } from "./FieldNote.js";
import { frame } from "./Frame.js";
import { githubRepo } from "./GitHubRepo.js";
import { heading } from "./Heading.js";
import { icon } from "./Icon.js";
import { latex } from "./Latex.js";
import { mermaid } from "./Mermaid.js";
import { panel } from "./Panel.js";
import { paramField } from "./ParamField.js";
import { prompt } from "./Prompt.js";
import { requestExample } from "./RequestExample.js";
import { responseExample } from "./ResponseExample.js";
import { responseField } from "./ResponseField.js";
import { step } from "./Step.js";
import { steps } from "./Steps.js";
import { tab } from "./Tab.js";
import { tabs } from "./Tabs.js";
import { tile } from "./Tile.js";
import { tooltip } from "./Tooltip.js";
import { fileTree, tree, treeFile, treeFolder } from "./Tree.js";
import { update } from "./Update.js";
import { view } from "./View.js";
import { visibility } from "./Visibility.js";

export type {
  CommonProps,
  ComponentDefinition,
  ComponentItem,
  ImageSource,
  LinkTarget,
  PropKind,
} from "./definition.js";

const definitions: readonly ComponentDefinition[] = [
  accordion,
  accordionGroup,
  apiHeader,
  apiSection,
  apiServer,
  badge,
  banner,
  callout,
  card,
  cardGroup,
  check,
  codeBlock,
  codeGroup,
  color,
  colorItem,
  colorRow,
  column,
  columns,
  danger,
  expandable,
  fieldNote,
  fileTree,
  frame,
  githubRepo,
  heading,
  icon,
  info,
  latex,
  mermaid,
  note,
  panel,
  paramField,
  prompt,
  requestExample,
  responseExample,
  responseField,
  step,
  steps,
  tab,
  tabs,
  tile,
  tip,
  tooltip,
  tree,
  treeFile,
  treeFolder,
  update,
  view,
  visibility,
  warning,
];

/** Every built-in component by the name that pages call it. */
export const componentDefinitions: ReadonlyMap<string, ComponentDefinition> = new Map(
  definitions.map((definition) => [definition.name, definition]),
);
export { CodeFrame } from "./CodeBlock.js";
export { controlIcon } from "./parts/icons.js";
export { isHeadingAnchor } from "./parts/nodes.js";
