import { append, block, type Line, type PageText } from "../page-text.js";
import type { PageContext } from "../project.js";
import { attribute, type BlockTags, calloutTags, element } from "./blocks.js";

/** `/// note | Title`, options in indented lines, and `///` as the end. */
export function slashBlocks(lines: PageText, { report }: PageContext): PageText {
  const out: Line[] = [];
  const open: { readonly marks: number; readonly tags: BlockTags; readonly indent: string }[] = [];
  let inTabs = false;
  let inOptions = false;
  for (const [i, line] of lines.entries()) {
    const [, indent = "", marks = "", name = "", rest = ""] =
      (!line.code &&
        line.text.length < 2000 &&
        /^([ \t]*)(\/{3,})[ \t]*([\w-]*)[ \t]*(?:\|[ \t]*)?(.*?)\s*$/.exec(line.text)) ||
      [];
    if (inOptions && line.text.trim() !== "" && /^[ \t]{4,}[\w-]+:/.test(line.text)) continue;
    inOptions = false;
    if (marks === "") {
      out.push(line);
      continue;
    }
    if (name === "") {
      const last = open.pop();
      if (last === undefined) continue;
      append(out, block([last.indent + last.tags.close], line.line).slice(last.tags.close === "" ? 2 : 0));
      const next = lines.slice(i + 1).find((each) => each.text.trim() !== "");
      if (last.tags.close === "</Tab>" && !/^\s*\/{3,}\s*tab\b/.test(next?.text ?? "")) {
        append(out, block([`${last.indent}</Tabs>`], line.line));
        inTabs = false;
      }
      continue;
    }
    inOptions = true;
    const tags = slashTags(name, rest);
    if (tags === undefined) report("block", `"/// ${name}" is not known; its text stays.`, line.line);
    if (name === "tab" && !inTabs) {
      append(out, block([`${indent}<Tabs>`], line.line));
      inTabs = true;
    }
    open.push({ marks: marks.length, tags: tags ?? { open: "", close: "" }, indent });
    if (tags !== undefined && tags.open !== "") append(out, block([indent + tags.open], line.line));
  }
  while (open.length > 0) append(out, block([open.pop()!.tags.close], lines.at(-1)!.line));
  return out;
}

function slashTags(name: string, title: string): BlockTags | undefined {
  if (name === "details") return element("Accordion", attribute("title", title || "Details"));
  if (name === "tab") return element("Tab", attribute("title", title || "Tab"));
  if (name === "html" || name === "define" || name.endsWith("caption")) return { open: "", close: "" };
  return calloutTags(name, title) ?? (title === "" ? undefined : element("Note", attribute("title", title)));
}
