import type { ElementContent, Properties } from "hast";
import { isBlank } from "./nodes.js";
import type { PageRender } from "./page-render.js";

/** Names a link without text for screen readers: the title of its page, its file or its host. */
export type LinkNamer = (href: string) => string | undefined;

export const createLinkNamer =
  ({ context: { plan, tools } }: PageRender): LinkNamer =>
  (href) => {
    const target = tools.addresses.resolve(href, { sourcePath: plan.outputPath });
    switch (target.kind) {
      case "page":
        return target.page.title;
      case "external":
        return /^https?:\/\/([^/?#]+)/i.exec(target.url)?.[1] ?? target.url.replace(/^[a-z]+:/i, "");
      case "self":
        return target.suffix.replace(/^.*#/s, "") || plan.title;
      case "file":
      case "missing":
        return target.outputPath.slice(target.outputPath.lastIndexOf("/") + 1);
      default:
        return undefined;
    }
  };

/** Whether screen readers can announce an element with these attributes and this content. */
export function hasName(properties: Properties, content: readonly ElementContent[]): boolean {
  if (nameAttributes.some((name) => isText(properties[name]))) return true;
  for (const node of content) {
    if (node.type === "text" && !isBlank(node.value)) return true;
    if (node.type === "raw" && (namedMarkup.test(node.value) || !isBlank(node.value.replace(/<[^<>]*>/g, ""))))
      return true;
    if (node.type !== "element" || isHidden(node.properties)) continue;
    if (isText(node.properties["alt"]) || hasName(node.properties, node.children)) return true;
  }
  return false;
}

/** A name for a button that shows only pictures: the name of the first icon or picture file, in words. */
export function pictureName(content: readonly ElementContent[]): string | undefined {
  for (const node of content) {
    if (node.type !== "element") continue;
    const { src } = node.properties;
    const file = node.tagName === "img" && typeof src === "string" ? fileStem.exec(src)?.[1] : undefined;
    const name = wordsOf(node.data?.iconName ?? file ?? "") || pictureName(node.children);
    if (name) return name;
  }
  return undefined;
}

/** The file name without its extension. Copies of files from other hosts are named after a hash, so they do not count. */
const fileStem = /^(?!data:)(?!(?:.*\/)?_offprint\/)(?:[^?#]*\/)?([^/?#]+)\.\w+(?:$|[?#])/i;

/** `arrow-right` as `Arrow right`. */
const wordsOf = (name: string): string =>
  name
    .replace(/[-_]+/g, " ")
    .trim()
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

const nameAttributes = ["aria-label", "ariaLabel", "aria-labelledby", "ariaLabelledBy", "title"];
const namedMarkup = /\s(?:alt|aria-label|title)="[^"]*[^"\s]/;

const isText = (value: Properties[string]): boolean => value !== undefined && value !== null && !isBlank(String(value));
const isHidden = (properties: Properties): boolean =>
  String(properties["aria-hidden"] ?? properties["ariaHidden"]) === "true";
