import type { CodeEntry } from "../src/cli/codes.js";

const slugOf = (section: string): string => section.toLowerCase().replace(/\W+/g, "-");

/** The pages of the handbook about codes of diagnostics: an overview, and one with examples for each section. */
export function codePages(codes: readonly CodeEntry[]): readonly (readonly [path: string, text: string])[] {
  const sections = Map.groupBy(codes, ({ section }) => section);
  return [
    ["reference/diagnostics.mdx", overview(sections)],
    ...[...sections].map(
      ([section, entries]) => [`reference/diagnostics/${slugOf(section)}.mdx`, sectionPage(section, entries)] as const,
    ),
  ];
}

function overview(sections: ReadonlyMap<string, readonly CodeEntry[]>): string {
  const parts = [...sections].map(([section, entries]) => {
    const rows = entries.map(
      ({ code, kind, meaning }) =>
        `| [\`${code}\`](/reference/diagnostics/${slugOf(section)}#${code}) | ${kind} | ${meaning.replaceAll("|", "\\|")} |`,
    );
    return `## ${section}\n\n| Code | Kind | Meaning |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  return `---
title: Diagnostics
description: Every diagnostic of an export, by its stable code.
icon: stethoscope
---

Look up the code of a message here, and follow it to a wrong and a right example. The terminal shows the same:

\`\`\`bash
offprint explain LINK_NOT_FOUND
\`\`\`

| Kind | Meaning |
| --- | --- |
| error | readers miss something |
| warning | something is probably wrong |
| hint | something could be better; only \`offprint check --all\` prints hints |

[Mistakes in a site](/guides/faults-in-a-site) says how they affect an export.

${parts.join("\n")}`;
}

function sectionPage(section: string, entries: readonly CodeEntry[]): string {
  return `---
title: ${section}
description: "Diagnostics about ${section === "docs.json" ? section : `${section.charAt(0).toLowerCase()}${section.slice(1)}`}: what they mean, with a wrong and a right example."
---

${entries.map(entryText).join("\n")}`;
}

const languages: Readonly<Record<string, string>> = {
  ".mintignore": "text",
  "the folder": "text",
  "the command line": "bash",
};

const colors: Readonly<Record<string, string>> = { error: "red", warning: "yellow", hint: "blue" };

function entryText({ code, kind, meaning, example, withoutExample }: CodeEntry): string {
  const kinds = kind.split(", ").map((each) => `<Badge color="${colors[each]}">${each}</Badge>`);
  const text = `## ${code} {#${code}}\n\n${kinds.join(" ")} ${meaning}\n`;
  if (!example) return `${text}\n${withoutExample}\n`;
  const language = languages[example.in] ?? example.in.replace(/^.*\./, "");
  const fence = /^`{4}/m.test(example.wrong) ? "`````" : "````";
  const block = (title: string, code: string): string =>
    `\n${fence}${language} ${title}: ${example.in} wrap\n${code}\n${fence}\n`;
  return `${text}${block("Wrong", example.wrong)}${block("Right", example.right)}`;
}
