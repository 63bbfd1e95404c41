/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { calloutIconKey, calloutKindOf } from "../../components/shared/kinds.js";
import { controlIcon, iconOf } from "./Icon.js";
import { classes, handlersOf, hasContent, hasInteractive, isTrue, type Props } from "./props.js";

/** A framed link or note, like `page/components/Card.tsx`. The title alone is the link if HTML demands it. */
export const createCard =
  (icons: ReadonlyMap<string, string>) =>
  (props: Props): VNode => {
    const { id, children } = props;
    const [title, cta] = [props["title"], props["cta"]] as ComponentChildren[];
    const kind = calloutKindOf(props["type"] === undefined ? undefined : String(props["type"]));
    const icon = props["icon"]
      ? iconOf(icons, props["icon"], props["color"] ? { color: props["color"] } : {})
      : kind && iconOf(icons, calloutIconKey(kind));
    const isDisabled = isTrue(props["disabled"]);
    const href = isDisabled ? "" : String(props["href"] ?? "");
    const isExternal = /^(?:https?:)?\/\//i.test(href);
    const opensTab = props["newTab"] === undefined ? isExternal : isTrue(props["newTab"]);
    const link = { href, ...(opensTab && { target: "_blank", rel: "noopener noreferrer" }) };
    const attributes = {
      ...handlersOf(props),
      class: classes("card", props["className"]),
      id: id as string | undefined,
      "data-horizontal": isTrue(props["horizontal"]) ? "" : undefined,
      "data-card-type": kind,
      "data-disabled": isDisabled ? "" : undefined,
    };
    const hasArrow = !isDisabled && (props["arrow"] === undefined ? isExternal : isTrue(props["arrow"]));
    const content = (label: ComponentChildren): ComponentChildren => (
      <>
        {props["img"] && (
          <img class="card-image" data-component-part="card-image" src={String(props["img"])} alt="" loading="lazy" />
        )}
        <div class="card-content-container" data-component-part="card-content-container">
          {icon && (
            <div class="card-icon" data-component-part="card-icon">
              {icon}
            </div>
          )}
          <div class="card-text">
            {hasContent(label) && (
              <div class="card-title" data-component-part="card-title">
                {label}
              </div>
            )}
            {hasContent(children) && (
              <div class="card-content" data-component-part="card-content">
                {children}
              </div>
            )}
            {hasContent(cta) && (
              <div class="card-cta" data-component-part="card-cta">
                {cta} {controlIcon("arrowRight", 14)}
              </div>
            )}
          </div>
          {hasArrow && (
            <div class="card-arrow" data-component-part="card-arrow">
              {controlIcon("external")}
            </div>
          )}
        </div>
      </>
    );
    if (href === "") return <div {...attributes}>{content(title)}</div>;
    if (![children, title, cta].some(hasInteractive))
      return (
        <a {...attributes} {...link}>
          {content(title)}
        </a>
      );
    const stretched = (
      <a class="stretched-link" {...link}>
        {hasContent(title) ? title : href}
      </a>
    );
    return <div {...attributes}>{content(stretched)}</div>;
  };
