import { type Data, dataOf, listOf, textOf } from "../data.js";
import { append, block, type Line, linesOf, type PageText } from "../page-text.js";
import type { PageContext } from "../project.js";
import { attribute, calloutTags, element } from "../steps/blocks.js";
import { numberOf } from "./shared.js";

/** `[block:callout]` with JSON, to `[/block]`. */
export function magicBlocks(lines: PageText, context: PageContext): PageText {
  const out: Line[] = [];
  let end = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const kind = line.code ? undefined : /^\s*\[block:([\w-]+)\]\s*$/.exec(line.text.slice(0, 200))?.[1];
    if (kind !== undefined && end <= i) end = nextEnd(lines, i + 1);
    if (kind === undefined || end === lines.length) {
      out.push(line);
      continue;
    }
    const json = lines
      .slice(i + 1, end)
      .map(({ text }) => text)
      .join("\n");
    append(out, blockOf(kind, json, line, context));
    i = end;
  }
  return out;
}

/** Where the next block ends; the number of lines if none does. */
function nextEnd(lines: PageText, from: number): number {
  let at = from;
  while (at < lines.length && lines[at]!.text.trim() !== "[/block]") at++;
  return at;
}

function blockOf(kind: string, json: string, line: Line, { page, note }: PageContext): PageText {
  const data = parsed(json);
  if (data === undefined) {
    note({
      sourcePath: page.source,
      line: line.line,
      kind: "block",
      what: `[block:${kind}] has no valid JSON; it is left out.`,
    });
    return [];
  }
  const text = (written: unknown): PageText =>
    linesOf(textOf(written) ?? "", 1).map((each) => ({ ...each, line: line.line }));
  switch (kind) {
    case "callout": {
      const tags = calloutTags(textOf(data["type"]) ?? "info", textOf(data["title"])) ?? element("Note");
      return [...block([tags.open], line.line), ...text(data["body"]), ...block([tags.close], line.line)];
    }
    case "code": {
      const codes = listOf(data["codes"]).map(dataOf);
      const fences = codes.flatMap((each) =>
        text(
          `\`\`\`\`${textOf(each["language"]) ?? "text"} ${textOf(each["name"]) ?? ""}\n${textOf(each["code"]) ?? ""}\n\`\`\`\``,
        ),
      );
      return codes.length < 2
        ? fences
        : [...block(["<CodeGroup>"], line.line), ...fences, ...block(["</CodeGroup>"], line.line)];
    }
    case "image":
      return listOf(data["images"]).flatMap((each) => {
        const { image, caption } = dataOf(each);
        const [src, , alt] = listOf(image).map(textOf);
        return block(
          [
            `<Frame${attribute("caption", textOf(caption))}>`,
            `<img${attribute("src", src)}${` alt=${JSON.stringify(alt ?? "")}`} />`,
            "</Frame>",
          ],
          line.line,
        );
      });
    case "api-header":
      return text(`## ${textOf(data["title"]) ?? ""}`);
    case "parameters":
      return text(tableOf(data));
    case "embed":
      return block(
        [
          `<Card${attribute("title", textOf(data["title"]) ?? textOf(data["url"]))}${attribute("href", textOf(data["url"]))} horizontal />`,
        ],
        line.line,
      );
    case "html":
      note({
        sourcePath: page.source,
        line: line.line,
        kind: "block",
        what: "A block of HTML is left out; write it as components.",
      });
      return [];
    default:
      note({
        sourcePath: page.source,
        line: line.line,
        kind: "block",
        what: `[block:${kind}] has no counterpart; it is left out.`,
      });
      return [];
  }
}

function parsed(json: string): Data | undefined {
  try {
    return dataOf(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Cells of a table are at `row-column`, its head at `h-column`. */
function tableOf(table: Data): string {
  const data = dataOf(table["data"]);
  const [rows, cols] = [Math.min(numberOf(table["rows"]) ?? 0, 2000), Math.min(numberOf(table["cols"]) ?? 0, 50)];
  const row = (name: string | number): string =>
    `| ${Array.from({ length: cols }, (_, col) => (textOf(data[`${name}-${col}`]) ?? "").replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
  return [row("h"), `|${" --- |".repeat(cols)}`, ...Array.from({ length: rows }, (_, i) => row(i))].join("\n");
}
