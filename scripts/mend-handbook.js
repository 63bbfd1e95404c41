// Breaks a copy of the handbook, shows the diff of its repair and makes it. The copy is out/broken-handbook; it needs a build.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const copy = join(root, "out/broken-handbook");

/** A file, a text that it has, and the fault that takes its place. */
const faults = [
  ["docs.json", '"favicon":', '// The tab of the browser\n  "favicon":'],
  ["docs.json", '"/images/favicon.svg"', '"/images/favicon.png"'],
  ["docs.json", '"guides/preview"', '"Guides/Preview"'],
  ["docs.json", '"icons": { "library": "lucide" }', '"icons": { "library": "Lucide", }'],
  ["start/create-a-site.mdx", "](/guides/preview)", "](/guides/Preview)"],
  ["start/create-a-site.mdx", "](/guides/hosting)", "](/guides/hostng)"],
  ["guides/hosting.mdx", "](/start/open-anywhere)", "](/start)"],
  ["start/open-anywhere.mdx", "#copies-of-files-of-other-hosts", "#Copies-of-files-of-other_hosts"],
  ["guides/what-readers-can-do.mdx", "<CardGroup cols={2}>", "<!-- What they see -->\n\n<CardGroup cols={2}>"],
  [
    "guides/what-readers-can-do.mdx",
    '<Card title="Copy as Markdown" icon="copy">',
    '<Card title="Copy as Markdown" icon="copy" icon-type="solid">',
  ],
  ["guides/theme.mdx", "sidebarTitle: Theme", "sidebar_title: Theme"],
  ["guides/theme.mdx", "A site looks complete", ":::tip\nA theme needs <5 minutes.\n:::\n\nA site looks complete"],
];

rmSync(copy, { recursive: true, force: true });
cpSync(join(root, "fixtures/handbook"), copy, { recursive: true });
for (const [file, right, wrong] of faults) {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  if (!text.includes(right)) throw new Error(`${file} of the handbook has no ${right} any more; choose another fault.`);
  writeFileSync(
    path,
    text.replace(right, () => wrong),
  );
}
for (const options of [["--dry-run"], []])
  spawnSync(process.execPath, [join(root, "dist/cli/main.js"), "fix", copy, ...options], { stdio: "inherit" });
