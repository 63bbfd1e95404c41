// Puts the version that `npm version` has just set, and today's date, above the unreleased changes of CHANGELOG.md.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../CHANGELOG.md", import.meta.url);
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const text = readFileSync(file, "utf8");
const [, changes = ""] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? [];
if (changes.trim() === "")
  throw new Error("CHANGELOG.md lists nothing under Unreleased: write what has changed there.");
const today = new Date().toISOString().slice(0, 10);
writeFileSync(
  file,
  text.replace("## [Unreleased]\n", () => `## [Unreleased]\n\n## [${version}] - ${today}\n`),
);
execFileSync("git", ["add", "CHANGELOG.md"], { cwd: new URL("..", import.meta.url) });
