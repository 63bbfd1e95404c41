import type { ElementContent } from "hast";
import { component } from "./definition.js";
import { expandable } from "./Expandable.js";
import { classes } from "./parts/classes.js";
import { hasContent } from "./parts/nodes.js";

/** A fact about a field on its own line: `Available options: a, b`. */
export const fieldNote = component({
  props: {
    label: "text",
    /** Number of children that are always shown; the others are folded. Default: all. */
    shown: "number",
    /** Title of the folded part: `40 options`. */
    rest: "text",
  },
  stylesheet: "api",
  render({ label, shown, rest, className, children, messages }) {
    const inSight = children.slice(0, shown);
    const folded = children.slice(inSight.length);
    // The separator before the folded part.
    if (folded.length > 0 && isSeparator(inSight.at(-1))) inSight.pop();
    return (
      <div class={classes("field-note", className)}>
        {label !== undefined && <span class="field-note-label">{label}:</span>} {hasContent(inSight) && inSight}
        {folded.length > 0 && (
          <expandable.render title={[{ type: "text", value: rest ?? messages.options }]} messages={messages}>
            {folded}
          </expandable.render>
        )}
      </div>
    );
  },
});

const isSeparator = (node: ElementContent | undefined): boolean => node?.type === "text" && /^[\s,]*$/.test(node.value);
