import diagramKinds from "./diagram-kinds.json" with { type: "json" };
import { type SvgElement, textOfSvg } from "./svg-tree.js";
import { wordsOf } from "./user-colors.js";

/** The label that screen readers read: the diagram's own title, or its kind and its words. */
export function labelOf(read: SvgElement): string {
  const child = (name: string): string | undefined => {
    const found = read.children.find((each) => typeof each !== "string" && each.name === name);
    return found === undefined ? undefined : textOfSvg(found).replace(/\s+/g, " ").trim() || undefined;
  };
  const kind = kinds[read.attributes.get("aria-roledescription") ?? ""] ?? "Diagram";
  const described = [child("title"), child("desc")].filter((text) => text !== undefined);
  if (described.length > 0) return described.join(". ");
  const words = wordsOf(read, 160);
  return words === "" ? kind : `${kind}: ${words}`;
}

const kinds: Readonly<Record<string, string>> = diagramKinds;
