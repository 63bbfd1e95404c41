/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { classes, hasContent, isTrue, type Props } from "./props.js";
import type { Say } from "./words.js";

/** Content under a title that opens and closes it. */
export const createExpandable =
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
