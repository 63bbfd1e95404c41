import type { ElementContent } from "hast";
import type { CommonProps, Component } from "./definition.js";
import { Expandable } from "./Expandable.js";
import { classes } from "./parts/classes.js";
import { hasContent } from "./parts/nodes.js";

interface FieldNoteProps extends CommonProps {
  readonly label?: string;
  /** Number of children that are always shown; the others are folded. Default: all. */
  readonly shown?: number;
  /** Title of the folded part: `40 options`. */
  readonly rest?: string;
}

/** A fact about a field on its own line: `Available options: a, b`. */
export function FieldNote({ label, shown, rest, className, children, messages }: FieldNoteProps) {
  const inSight = children.slice(0, shown);
  const folded = children.slice(inSight.length);
  // The separator before the folded part.
  if (folded.length > 0 && isSeparator(inSight.at(-1))) inSight.pop();
  return (
    <div class={classes("field-note", className)}>
      {label !== undefined && <span class="field-note-label">{label}:</span>} {hasContent(inSight) && inSight}
      {folded.length > 0 && (
        <Expandable title={[{ type: "text", value: rest ?? messages.options }]} messages={messages}>
          {folded}
        </Expandable>
      )}
    </div>
  );
}

const isSeparator = (node: ElementContent | undefined): boolean => node?.type === "text" && /^[\s,]*$/.test(node.value);

export const fieldNote: Component = {
  props: { label: "text", shown: "number", rest: "text" },
  stylesheet: "api",
  render: FieldNote,
};
