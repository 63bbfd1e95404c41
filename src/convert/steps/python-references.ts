import { joinPath } from "../../lib/url/index.js";
import { append, block, type Line, type PageText } from "../page-text.js";
import type { PageContext } from "../project.js";
import { fenced } from "./parts.js";

/** `::: package.Name` is documentation that mkdocstrings makes from a program. Its signature is shown if the program is there. */
export function withoutReferences(lines: PageText, { files, base, report }: PageContext): PageText {
  const out: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const name = line.code ? undefined : /^:::\s+([\w.]{1,200})\s*$/.exec(line.text)?.[1];
    if (name === undefined) {
      out.push(line);
      continue;
    }
    while (i + 1 < lines.length && !lines[i + 1]!.code && /^(?: {2,}|\t)\S/.test(lines[i + 1]!.text)) i++;
    report(
      "api",
      `mkdocstrings generated the documentation of "${name}" from source code; write it here, or link to where it is published.`,
      line.line,
    );
    const found = signatureOf(name, files, base);
    append(out, [
      ...block(["<Note>"], line.line),
      { ...line, text: `The documentation of \`${name}\` was made from the program.` },
      ...block(["</Note>"], line.line),
      ...(found === undefined
        ? []
        : fenced(found, "python")
            .split("\n")
            .map((text, at): Line => ({ text, line: line.line, code: true, ...(at === 0 && { opens: true }) }))),
    ]);
  }
  return out;
}

/** The first line of a class or function, up to its colon. */
function signatureOf(name: string, files: PageContext["files"], base: string): string | undefined {
  const parts = name.split(".");
  for (let length = parts.length - 1; length > 0; length--) {
    const stem = parts.slice(0, length).join("/");
    const path = ["", "src/", `${base}/`]
      .flatMap((folder) => [`${folder}${stem}.py`, `${folder}${stem}/__init__.py`])
      .map((each) => joinPath("", each))
      .find((each) => files.has(each));
    if (path === undefined || files.sizeOf(path) > 2_000_000) continue;
    const text = files.readText(path);
    const at = text.search(
      new RegExp(`^[ \\t]*(?:async[ \\t]+)?(?:def|class)[ \\t]+${parts.at(-1)!.replace(/\W/g, "")}\\b`, "m"),
    );
    if (at >= 0) return /^[\s\S]{0,4000}?:[ \t]*(?=\n|$)/.exec(text.slice(at).replace(/^[ \t]+/, ""))?.[0];
  }
  return undefined;
}
