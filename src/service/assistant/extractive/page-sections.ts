/** A section of a page's Markdown, without its heading. */
export interface PageSectionText {
  /** Letters and digits of the heading, for comparisons; empty before the first one. */
  readonly key: string;
  readonly blocks: readonly Block[];
}
export interface Block {
  readonly kind: "text" | "code" | "table" | "list";
  readonly text: string;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})\s+(.*)$/;
const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** Splits the Markdown version of a page into sections, and these into blocks between blank lines. */
export function pageSections(markdown: string): PageSectionText[] {
  const sections: { key: string; blocks: Block[] }[] = [{ key: "", blocks: [] }];
  let lines: string[] = [];
  let open: string | undefined;
  let isFirstHeading = true;
  const end = (kind?: "code"): void => {
    const text = lines.join("\n").trimEnd();
    lines = [];
    if (text.trim() !== "") addBlock(sections.at(-1)!.blocks, { kind: kind ?? kindOf(text), text });
  };
  for (const line of markdown.split("\n")) {
    if (open !== undefined) {
      lines.push(line);
      if (line.trim().startsWith(open) && line.trim().replaceAll(open[0]!, "") === "") {
        open = undefined;
        end("code");
      }
      continue;
    }
    const mark = fence.exec(line)?.[1];
    const title = heading.exec(line);
    if (mark !== undefined) {
      end();
      open = mark;
      lines.push(line);
    } else if (title) {
      end();
      // The first heading is the title of the page.
      if (!isFirstHeading) sections.push({ key: headingKey(title[2]!), blocks: [] });
      isFirstHeading = false;
    } else if (line.trim() === "") end();
    else lines.push(line);
  }
  end();
  return sections;
}

const kindOf = (text: string): Block["kind"] => (text.startsWith("|") ? "table" : item.test(text) ? "list" : "text");

/** Blank lines between the items of a list, and before their further paragraphs, do not end it. */
function addBlock(blocks: Block[], block: Block): void {
  const last = blocks.at(-1);
  const goesOn = last?.kind === "list" && (block.kind === "list" || /^ {2,}/.test(block.text));
  if (goesOn) blocks[blocks.length - 1] = { kind: "list", text: `${last.text}\n\n${block.text}` };
  else blocks.push(block);
}

/** @param text with marks or without. */
export const headingKey = (text: string): string =>
  text
    .replace(/\]\([^)\s]*\)/g, "]")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
