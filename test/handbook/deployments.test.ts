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

Say where readers will open the bundle, and the export leaves out what does not work there:

\`\`\`bash
offprint export ./docs --deployment air-gapped
\`\`\`

Without the option, it is \`cloud\`. The library has the option \`deployment\`, and [a site of the service](/service/sources-and-bundles) the same setting.

${table.join("\n")}

${rows.map(({ title, about }) => `- **${title}**: ${about}`).join("\n")}

## An address in a closed network

An air-gapped bundle can ask an assistant and report views at an address inside the closed network. These addresses count as inside:

- private and local IP addresses, such as \`10.1.2.3\`
- names without a domain
- names that end in \`.internal\`, \`.local\`, \`.localhost\`, \`.home.arpa\`, \`.intranet\`, \`.lan\`, \`.corp\` or \`.private\`
- the host of \`--base-url\`

Any other address is the error \`OUTSIDE_SERVICE\`, and the bundle then has no assistant or reports no views.

The export copies images, videos, fonts and style sheets of other hosts into the bundle. Everything else that a page would load from another host, such as
a script or an embedded page, is the error \`OUTSIDE_REQUEST\`, with its place; so is a file that cannot be copied. After one of these errors,
\`offprint export\` exits with 1; with \`--strict\`, it writes no bundle. Links that a reader clicks, and servers that the playground asks, may lead anywhere.

Next: [deliver to a closed network](/guides/air-gapped).
`;

test("the handbook has the table of what each deployment includes", () => {
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, page);
  assert.equal(readFileSync(path, "utf8"), page, "Write it with UPDATE_GOLDEN=1.");
});
