import type { ElementContent } from "hast";
import { fill } from "../../../lib/language/index.js";
import type { Island, IslandSlot, ParseError } from "../../content/index.js";
import { allOf, element, type Handler, pageOf, type State } from "../nodes.js";

/**
 * The output of a component of the page.
 *
 * For the client: `[data-island]` is a live component; with `data-client-only`, its script renders all of its content,
 * or shows the text of that attribute if it fails. The content between its tags is in `x-slot` elements, by `data-n`.
 * Content that is not shown at first is in `template[data-slot]` elements that follow.
 */
export const island: Handler<Island> = (state, node) => {
  if (node.outcome === undefined) return [sourceNote(state, node), ...state.all(node)];
  if (node.outcome === "static") return state.all(node);
  const { collector, context } = pageOf(state);
  const { messages } = context;
  const isClientOnly = node.outcome === "clientOnly";
  const shownCount = isClientOnly ? 0 : node.children.length - (node.hiddenCount ?? 0);
  const Text = node.inline ? "span" : "p";
  const shown = isClientOnly
    ? [(<Text class="island-placeholder">{messages.liveLater}</Text>) as ElementContent]
    : allOf(state, node.children.slice(0, shownCount));
  const [only, ...others] = shown;
  const isTable = only?.type === "element" && only.tagName === "table" && others.length === 0;
  const properties = {
    dataIsland: node.id,
    ...(isClientOnly && { dataClientOnly: messages.liveFailed }),
    // Its box scrolls, by keyboard, too.
    ...(isTable && { role: "region", tabIndex: 0, ariaLabel: fill(messages.table, ++collector.tableCount) }),
  };
  const hidden = (node.children.slice(shownCount) as IslandSlot[]).map((slot) =>
    element("template", { dataSlot: String(slot.index) }, allOf(state, slot.children)),
  );
  return [element(node.inline ? "span" : "div", properties, shown), ...hidden];
};

export const islandSlot: Handler<IslandSlot> = (state, node) =>
  element("x-slot", { dataN: String(node.index) }, state.all(node));

/** Longer code is not shown within a line of text. */
const inlineLimit = 80;

/** A note that replaces code that could not be rendered, with the code folded below it. */
function sourceNote(state: State, { inline, source, name }: Island): ElementContent {
  const { messages } = pageOf(state).context;
  const isShort = source.length <= inlineLimit && !source.includes("\n");
  const note = inline ? (
    <code class="live-code" title={messages.liveCode}>
      {isShort ? source : (name ?? "…")}
    </code>
  ) : (
    <div class="live-code-note">
      <p>{messages.liveCode}</p>
      <details>
        <summary>
          {messages.liveCodeSource}
          {name && [": ", <code>{name}</code>]}
        </summary>
        <pre>
          <code>{source}</code>
        </pre>
      </details>
    </div>
  );
  return note as ElementContent;
}

/** Shows where and why a page could not be parsed. */
export const parseError: Handler<ParseError> = (state, node) => {
  const { plan, messages } = pageOf(state).context;
  const file = node.data?.sourcePath ?? plan.sourcePath;
  const place = [file, node.line, node.column].filter((part) => part !== undefined).join(":");
  return (
    <div class="error-box" role="alert">
      <p class="error-box-title">{messages.unreadable}</p>
      <p class="error-box-place">
        <code>{place}</code>
      </p>
      <p class="error-box-reason">{node.reason}</p>
      {node.excerpt !== "" && (
        <pre>
          <code>{node.excerpt}</code>
        </pre>
      )}
    </div>
  ) as ElementContent;
};
