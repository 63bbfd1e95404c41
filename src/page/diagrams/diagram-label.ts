import diagramKinds from "./diagram-kinds.json" with { type: "json" };
import { type SvgElement, textOfSvg } from "./svg-tree.js";
import { wordsOf } from "./user-colors.js";

/**
 * What screen readers read. `label` is the diagram's own title and description, or its kind and its words.
 *
 * Mermaid marks up only `accTitle` and `accDescr` in the SVG; a visible title is a text like any other there.
 */
export function labelOf(
  read: SvgElement,
  source: string,
): { readonly label: string; readonly title: string | undefined } {
  const child = (name: string): string | undefined => {
    const found = read.children.find((each) => typeof each !== "string" && each.name === name);
    return found === undefined ? undefined : oneLine(textOfSvg(found));
  };
  const title = child("title") ?? titleIn(source);
  const description = child("desc");
  const kind = kinds[read.attributes.get("aria-roledescription") ?? ""] ?? "Diagram";
  if (title !== undefined) return { title, label: description === undefined ? title : `${title}. ${description}` };
  const words = description ?? wordsOf(read, 160);
  return { title, label: words === "" ? kind : `${kind}: ${words}` };
}

/** The title in the front matter of a diagram, or its `title` line in the types that have one. */
function titleIn(source: string): string | undefined {
  const [, matter, rest] = /^\s*---[ \t]*\n((?:.*\n)*?)[ \t]*---[ \t]*\n([\s\S]*)$/.exec(source) ?? ["", "", source];
  const body = (rest ?? "").replace(/^[ \t]*%%.*$/gm, "").trimStart();
  const written =
    /^[ \t]*title:[ \t]*(.+)$/m.exec(matter ?? "")?.[1] ??
    (titledKinds.test(body) ? /^[ \t]*(?:pie\b.*?[ \t])?title:?[ \t]+(.+)$/m.exec(body)?.[1] : undefined);
  return written === undefined
    ? undefined
    : oneLine(
        written
          .trim()
          .replace(/^(["'])(.*)\1$/, "$2")
          .replace(/<[^<>]*>/g, " "),
      );
}
const titledKinds = /^(?:sequenceDiagram|gantt|pie|journey|timeline|quadrantChart|xychart|radar|packet|treemap|C4)/;

const oneLine = (text: string): string | undefined => text.replace(/\s+/g, " ").trim() || undefined;

const kinds: Readonly<Record<string, string>> = diagramKinds;
