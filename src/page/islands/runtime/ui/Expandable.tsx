/** @jsxImportSource preact */
import type { VNode } from "preact";
import { classes, hasContent, isTrue, type Props } from "./props.js";

/** Content under a title that opens and closes it. */
export const Expandable = ({ title, defaultOpen, className, id, children }: Props): VNode => (
  <details class={classes("expandable", className)} id={id as string} open={isTrue(defaultOpen) || undefined}>
    <summary class="expandable-button" data-component-part="expandable-button">
      <span class="disclosure-mark" data-component-part="expandable-caret-right" />
      <span class="expandable-title" data-component-part="expandable-title">
        <span class="when-closed">Show </span>
        <span class="when-open">Hide </span>
        {hasContent(title) ? title : "child attributes"}
      </span>
    </summary>
    <div class="expandable-content" data-component-part="expandable-content">
      {children}
    </div>
  </details>
);
