// The handbook's page about deployments is made from the table that the export reads. UPDATE_GOLDEN=1 writes it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { type Availability, deployments, type Feature, features } from "../../src/lib/deployments.js";

const path = join(import.meta.dirname, "../../fixtures/handbook/reference/deployments.mdx");

function cellText({ state, setting, byDefault }: Availability): string {
  if (setting === undefined) return state;
  const names = setting.split(", ").map((name) => (/^[-\w.]+$/.test(name) ? `\`${name}\`` : name));
  return `${state}: ${names.join(", ")}; ${byDefault} by default`;
}

const rows = Object.values(features as Readonly<Record<string, Feature>>);
const table = [
  "| Feature | Cloud | Client-hosted | Air-gapped |",
  "| --- | --- | --- | --- |",
  ...rows.map((row) => `| ${row.title} | ${deployments.map((each) => cellText(row.in[each])).join(" | ")} |`),
];
const page = `---
title: Deployments
description: What a bundle has in the cloud, on hosts of your own, and in a closed network.
icon: server
---

\`--deployment\`, the option \`deployment\` of the library and that of a site of the service say where a bundle is published. It decides what a bundle may have:

${table.join("\n")}

${rows.map(({ title, about }) => `- **${title}**: ${about}`).join("\n")}

## An address in a closed network

An \`air-gapped\` bundle may ask an assistant and count views at an address that its readers reach: a private or local address (\`10.1.2.3\`), a name without a
domain, a name that ends in \`.internal\`, \`.local\`, \`.localhost\`, \`.home.arpa\`, \`.intranet\`, \`.lan\`, \`.corp\` or \`.private\`, and the host of \`--base-url\`. Any other is
\`OUTSIDE_SERVICE\`, an error; the bundle then has none.

Everything else that a page would load from another host is copied into the bundle, or is \`OUTSIDE_REQUEST\`, an error with its place: images, videos, frames, fonts,
style sheets and scripts. With one of these errors \`offprint export\` exits with 1, and with \`--strict\` there is no bundle. Links that a reader follows,
and the servers that the playground asks, may lead anywhere.
`;

test("the handbook has the table of what each deployment includes", () => {
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, page);
  assert.equal(readFileSync(path, "utf8"), page, "Write it with UPDATE_GOLDEN=1.");
});
