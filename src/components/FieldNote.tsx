import type { CommonProps, ComponentDefinition } from "./definition.js";
import { classes } from "./parts/classes.js";
import { hasContent } from "./parts/nodes.js";

/** One fact about a field on a line of its own: `Available options: a, b`. */
export function FieldNote(props: CommonProps & { readonly label?: string }) {
  const { label } = props;
  return (
    <div class={classes("field-note", props.className)}>
      {label !== undefined && <span class="field-note-label">{label}:</span>}{" "}
      {hasContent(props.children) && props.children}
    </div>
  );
}

export const fieldNote: ComponentDefinition = {
  name: "FieldNote",
  props: { label: "text" },
  stylesheet: "api",
  render: FieldNote,
};
