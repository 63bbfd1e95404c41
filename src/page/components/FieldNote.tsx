import type { ElementContent } from "hast";
import type { CommonProps, Component } from "./definition.js";
import { Expandable } from "./Expandable.js";
import { classes } from "./parts/classes.js";
import { hasContent } from "./parts/nodes.js";

interface FieldNoteProps extends CommonProps {
  readonly label?: string;
  /** Children that stay in sight; the others are folded. All of them without it. */
  readonly shown?: number;
  /** What is folded: `40 options`. */
  readonly rest?: string;
}

/** One fact about a field on a line of its own: `Available options: a, b`. */
export function FieldNote({ label, shown, rest, className, children, messages }: FieldNoteProps) {
  const inSight = children.slice(0, shown);
  const folded = children.slice(inSight.length);
  // What separates the last one in sight from the first that is folded.
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
