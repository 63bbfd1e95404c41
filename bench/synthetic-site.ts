import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Random, seeded } from "../test/support/seeded.ts";

/**
 * Writes a site of `pageCount` typical pages: prose with links, a table, three code blocks, callouts, tabs, steps and
 * cards, in groups of 25 and tabs of 500. The same count gives the same bytes.
 */
export function writeSyntheticSite(folder: string, pageCount: number): void {
  const random = seeded(pageCount);
  const paths = Array.from({ length: pageCount }, (_, i) => pagePath(i));
  for (const [i, path] of paths.entries()) {
    const file = join(folder, `${path}.mdx`);
    if (i % 25 === 0) mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, page(i, paths, random));
  }
  writeFileSync(join(folder, "docs.json"), JSON.stringify(config(paths), null, 1));
}

const pagePath = (i: number): string =>
  `area-${Math.floor(i / 500)}/topic-${Math.floor((i % 500) / 25)}/page-${i % 25}`;

function config(paths: readonly string[]) {
  const tabs = chunks(paths, 500).map((inTab, t) => ({
    tab: `Area ${t + 1}`,
    groups: chunks(inTab, 25).map((pages, g) => ({ group: `Topic ${g + 1}`, pages })),
  }));
  return { theme: "mint", name: "Synthetic", colors: { primary: "#0f766e" }, navigation: { tabs } };
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

/**
 * Writes `pageCount` distinct pages of plain Markdown: prose, a table, a list and five code blocks in five languages. No line
 * of code is on two pages, so that no tool gains from a cache. Each tool of `compare-tools.ts` can read them.
 */
export function writeMarkdownSite(folder: string, pageCount: number): void {
  const random = seeded(pageCount);
  const paths = Array.from({ length: pageCount }, (_, i) => pagePath(i));
  for (const [i, path] of paths.entries()) {
    const file = join(folder, `${path}.md`);
    if (i % 25 === 0) mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, markdownPage(i, random));
  }
  writeFileSync(join(folder, "docs.json"), JSON.stringify(config(paths), null, 1));
}

const vocabulary =
  "the request server client token cache stores returns each value before service region policy role account job queue worker retries timeout header response status limit page cursor filter deploy version config secret rotates webhook event payload schema field index query result stream batch latency storage bucket object signed link expires session refresh audit scope".split(
    " ",
  );

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T;

function sentence(random: Random): string {
  const words = Array.from({ length: 8 + Math.floor(random() * 12) }, () => pick(vocabulary, random));
  const marked = Math.floor(random() * words.length);
  words[marked] = random() < 0.5 ? `\`${words[marked]}\`` : `**${words[marked]}**`;
  const text = words.join(" ");
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

const paragraph = (random: Random): string =>
  Array.from({ length: 3 + Math.floor(random() * 3) }, () => sentence(random)).join(" ");

function page(i: number, paths: readonly string[], random: Random): string {
  const link = (): string => `[${pick(vocabulary, random)} ${pick(vocabulary, random)}](/${pick(paths, random)})`;
  const name = `${pick(vocabulary, random)}_${i}`;
  return `---
title: "Page ${i}: ${pick(vocabulary, random)} and ${pick(vocabulary, random)}"
description: ${sentence(random).replaceAll(/[`*:]/g, "")}
---

${paragraph(random)} See ${link()}.

<Note>${sentence(random)}</Note>

## Set up ${name}

${paragraph(random)}

\`\`\`bash
curl -X POST https://api.example.com/v1/${name} \\
  -H "Authorization: Bearer $TOKEN" \\
  -d '{"limit": ${Math.floor(random() * 100)}, "region": "eu"}'
\`\`\`

<Steps>
  <Step title="Create the ${pick(vocabulary, random)}">${sentence(random)}</Step>
  <Step title="Check the ${pick(vocabulary, random)}">${sentence(random)} Then read ${link()}.</Step>
</Steps>

## Fields

| Field | Type | Meaning |
| --- | --- | --- |
${Array.from({ length: 6 }, () => `| \`${pick(vocabulary, random)}\` | string | ${sentence(random)} |`).join("\n")}

### Example

<Tabs>
  <Tab title="TypeScript">
\`\`\`ts
import { createClient } from "@example/sdk";

const client = createClient({ token: process.env.TOKEN, retries: ${Math.floor(random() * 9)} });
export async function ${name}(limit = ${Math.floor(random() * 50)}): Promise<void> {
  for await (const item of client.list({ limit })) console.log(item.id, item.status);
}
\`\`\`
  </Tab>
  <Tab title="Python">
\`\`\`python
from example import Client

client = Client(token=os.environ["TOKEN"], retries=${Math.floor(random() * 9)})
for item in client.list(limit=${Math.floor(random() * 50)}):
    print(f"{item.id}: {item.status}")  # ${pick(vocabulary, random)}
\`\`\`
  </Tab>
</Tabs>

## Next

- ${sentence(random)}
- ${sentence(random)} ${link()}
- ${sentence(random)}

<CardGroup cols={2}>
  <Card title="${pick(vocabulary, random)} guide" href="/${pick(paths, random)}">${sentence(random)}</Card>
  <Card title="${pick(vocabulary, random)} reference" href="/${pick(paths, random)}">${sentence(random)}</Card>
</CardGroup>
`;
}

function markdownPage(i: number, random: Random): string {
  const name = (): string =>
    `${pick(vocabulary, random)}_${pick(vocabulary, random)}_${i}_${Math.floor(random() * 1e6)}`;
  const code = (language: string, line: () => string): string =>
    [`\`\`\`${language}`, ...Array.from({ length: 4 + Math.floor(random() * 8) }, line), "```"].join("\n");
  const samples = [
    code(
      "js",
      () => `const ${name()} = await client.${name()}({ limit: ${Math.floor(random() * 1e6)}, region: "${name()}" });`,
    ),
    code(
      "python",
      () => `${name()} = [f"{item.id}: {${name()}}" for item in client.list(limit=${Math.floor(random() * 1e6)})]`,
    ),
    code(
      "bash",
      () =>
        `curl -X POST https://api.example.com/v1/${name()} -H "Authorization: $${name().toUpperCase()}" | jq .${name()}`,
    ),
    code("json", () => `{ "${name()}": ${random().toFixed(6)}, "${name()}": ["${name()}", true, null] }`),
    code(
      "go",
      () => `if ${name()}, err := client.${name()}(ctx, ${Math.floor(random() * 1e6)}); err != nil { return err }`,
    ),
  ];
  const sections = samples.map((sample) => `## About ${name()}\n\n${paragraph(random)}\n\n${sample}\n`);
  const rows = Array.from({ length: 6 }, () => `| \`${name()}\` | string | ${sentence(random)} |`);
  const items = Array.from({ length: 4 }, () => `- ${sentence(random)}`);
  return [
    `---\ntitle: "Page ${i} of ${pick(vocabulary, random)}"\n---\n`,
    `${paragraph(random)}\n`,
    ...sections,
    ["| Field | Type | Meaning |", "| --- | --- | --- |", ...rows, ""].join("\n"),
    `${items.join("\n")}\n`,
  ].join("\n");
}
