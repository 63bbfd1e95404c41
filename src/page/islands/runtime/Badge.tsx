/** @jsxImportSource preact */
import type { VNode } from "preact";
import { badgeColor } from "../../components/shared/kinds.js";
import { iconOf } from "./Icon.js";
import { classes, isTrue, type Props } from "./props.js";

/** A word or two on a coloured background, within a line of text. */
export const createBadge =
  (icons: ReadonlyMap<string, string>) =>
  (props: Props): VNode => {
    const { size, children } = props;
    const part = (icon: unknown): VNode | null =>
      icon ? <span class="badge-icon">{iconOf(icons, icon, { class: "icon" })}</span> : null;
    const isDisabled = isTrue(props["disabled"]);
    const href = isDisabled ? "" : String(props["href"] ?? "");
    const attributes = {
      class: classes("badge", props["className"]),
      id: props["id"] as string | undefined,
      "data-badge": "",
      "data-color": badgeColor(props["color"] ?? props["intent"]),
      "data-size": /^(?:xs|sm|md|lg)$/.test(String(size)) ? String(size) : "md",
      "data-shape": props["shape"] === "pill" ? "pill" : "rounded",
      "data-stroke": isTrue(props["stroke"]) || props["variant"] === "outline" ? "" : undefined,
      "data-disabled": isDisabled ? "" : undefined,
    };
    const content = [part(props["leadIcon"] ?? props["icon"]), children, part(props["tailIcon"])];
    if (href === "") return <span {...attributes}>{content}</span>;
    const isExternal = /^(?:https?:)?\/\//i.test(href);
    return (
      <a {...attributes} href={href} {...(isExternal && { target: "_blank", rel: "noopener noreferrer" })}>
        {content}
      </a>
    );
  };
