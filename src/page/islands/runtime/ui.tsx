/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { createBadge } from "./Badge.js";
import { createCard } from "./Card.js";
import { createCode } from "./Code.js";
import { createIcon } from "./Icon.js";
import { createSay, type Say } from "./names.js";
import { classes, hasContent, isTrue, type Props } from "./props.js";
import type { Tables } from "./registry.js";

const grid =
  (base?: string) =>
  ({ cols, className, id, children }: Props): VNode => (
    <div
      class={classes(base, "columns", className)}
      id={id as string}
      data-cols={Math.min(4, Math.max(1, Math.round(Number(cols) || 2)))}
    >
      {children}
    </div>
  );

const Columns = grid();
const CardGroup = grid("card-group");

const Column = ({ className, id, children }: Props): VNode => (
  <div class={classes("column", className)} id={id as string}>
    {children}
  </div>
);

/** Content under a title that opens and closes it. */
const createExpandable =
  (say: Say) =>
  ({ title, defaultOpen, className, id, children }: Props): VNode => {
    const [[showBefore, showAfter], [hideBefore, hideAfter]] = [say("show").split("%"), say("hide").split("%")];
    const when = (state: string, verb?: string): ComponentChildren =>
      verb && <span class={`when-${state}`}>{verb}</span>;
    return (
      <details class={classes("expandable", className)} id={id as string} open={isTrue(defaultOpen) || undefined}>
        <summary class="expandable-button" data-component-part="expandable-button">
          <span class="disclosure-mark" data-component-part="expandable-caret-right" />
          <span class="expandable-title" data-component-part="expandable-title">
            {when("closed", showBefore)}
            {when("open", hideBefore)}
            {hasContent(title) ? title : say("attributes")}
            {when("closed", showAfter)}
            {when("open", hideAfter)}
          </span>
        </summary>
        <div class="expandable-content" data-component-part="expandable-content">
          {children}
        </div>
      </details>
    );
  };

/**
 * Our components in live islands, by the names of `uiNames`. They have the same elements and classes as in pages, which
 * a test compares, but code is not highlighted. They do not share code with `page/components`, which builds hast from
 * converted properties: only about 110 lines of markup are alike, and sharing these would need a layer for nodes, icons
 * and properties below all components of pages.
 */
export function createUi({ icons, words }: Tables) {
  const say = createSay(words);
  return {
    Badge: createBadge(icons),
    Card: createCard(icons),
    CardGroup,
    ...createCode(icons, say),
    Column,
    Columns,
    Expandable: createExpandable(say),
    Icon: createIcon(icons),
  };
}
