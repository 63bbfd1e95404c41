import type { Element } from "hast";
import { component } from "./definition.js";
import { classes } from "./shared/markup.js";
import { tinted } from "./shared/tint.js";

/** An icon in a sentence. It is decorative: the words next to it carry the meaning. */
export const icon = component({
  required: ["icon", "name", "src"],
  props: {
    icon: "icon",
    name: "icon",
    src: "icon",
    color: "color",
    /** CSS pixels. */
    size: "number",
  },
  inline: true,
  render(props) {
    const icon = props.icon ?? props.name ?? props.src;
    if (icon?.type !== "element") return <>{icon}</>;
    const size = props.size !== undefined && props.size > 0 ? Math.min(props.size, 1000) : undefined;
    const names = classes(classNameOf(icon), size !== undefined && "icon-sized", props.className);
    const sized: Element = {
      ...icon,
      properties: {
        ...icon.properties,
        ...(size === undefined ? {} : { width: size, height: size }),
        ...(names === undefined ? {} : { className: names.split(" ") }),
      },
    };
    return <>{tinted(sized, props.color)}</>;
  },
});

function classNameOf(element: Element): string | undefined {
  const { className } = element.properties;
  return Array.isArray(className) ? className.join(" ") : typeof className === "string" ? className : undefined;
}
