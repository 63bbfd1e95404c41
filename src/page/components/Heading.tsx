import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { HeadingAnchor } from "./parts/heading-anchor.js";
import { asPhrasing, labelOf } from "./parts/nodes.js";

interface HeadingProps extends CommonProps {
  /** 1 to 6. */
  readonly level?: number;
  readonly noAnchor?: boolean;
}

/** A heading whose level comes from a value. */
export function Heading(props: HeadingProps) {
  const Tag = `h${Math.min(6, Math.max(1, Math.round(props.level ?? 2)))}`;
  return (
    <Tag class={classes(props.className)} id={props.id}>
      {asPhrasing(props.children)}
      {props.id !== undefined && !props.noAnchor && (
        <HeadingAnchor id={props.id} label={labelOf(props.children)} messages={props.messages} />
      )}
    </Tag>
  );
}

export const heading: Component = {
  props: { level: "number", noAnchor: "boolean" },
  render: Heading,
};
