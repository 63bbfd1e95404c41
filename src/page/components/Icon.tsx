import type { Element, ElementContent } from "hast";
import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { tinted } from "./parts/tint.js";

interface IconProps extends CommonProps {
  readonly icon?: ElementContent;
  readonly name?: ElementContent;
  readonly src?: ElementContent;
  readonly color?: string;
  /** CSS pixels. */
  readonly size?: number;
}

/** An icon in a sentence. It is decorative: the words next to it carry the meaning. */
export function Icon(props: IconProps) {
  const given = props.icon ?? props.name ?? props.src;
  if (given?.type !== "element") return <>{given}</>;
  const size = props.size !== undefined && props.size > 0 ? Math.min(props.size, 1000) : undefined;
  const names = classes(classNameOf(given), size !== undefined && "icon-sized", props.className);
  const sized: Element = {
    ...given,
    properties: {
      ...given.properties,
      ...(size === undefined ? {} : { width: size, height: size }),
      ...(names === undefined ? {} : { className: names.split(" ") }),
    },
  };
  return <>{tinted(sized, props.color)}</>;
}

function classNameOf(element: Element): string | undefined {
  const { className } = element.properties;
  return Array.isArray(className) ? className.join(" ") : typeof className === "string" ? className : undefined;
}

export const icon: Component = {
  props: { icon: "icon", name: "icon", src: "icon", color: "color", size: "number" },
  inline: true,
  render: Icon,
};
