/** The programs on the pages about the library run as written, and print the output that the pages show. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { finish, page, start, temporaryFolder, writeSite } from "../support/cli.js";

const project = join(import.meta.dirname, "../..");
const guides = join(project, "fixtures/handbook/guides");
const paths = ["export-from-code.mdx", ...readdirSync(join(guides, "library")).map((name) => `library/${name}`)];
const programs = paths.flatMap((path) =>
  [
    ...readFileSync(join(guides, path), "utf8").matchAll(
      /^```js (\S+)\n(.*?)^```\n(?:\n```text What it prints\n(.*?)^```)?/gms,
    ),
  ].map(([, name, code, output]) => ({ path, name: name!, code: code!, output })),
);

test("each page about a task has a program", () => {
  expect(paths.filter((path) => !programs.some((each) => each.path === path))).toEqual([]);
});

/** A project that has the package, a site without mistakes and one with a mistake. */
function place(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(project, join(folder, "node_modules/offprint"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const guide = { "guide.mdx": page("Guide", "Hi.") };
  writeSite(join(folder, "docs"), { "index.mdx": page("Start", "[Guide](/guide)"), ...guide });
  writeSite(join(folder, "broken"), { "index.mdx": page("Start", "[Guide](/Guide)"), ...guide });
  return folder;
}

for (const { path, name, code, output } of programs)
  if (output !== undefined || name.endsWith(".test.js"))
    test(`${name} of ${path} runs`, async () => {
      const folder = place();
      writeFileSync(join(folder, name), code);
      const ran = await finish(start(process.execPath, [name], { cwd: folder }));
      expect(ran).toMatchObject({ code: 0, ...(output !== undefined && { stdout: output }) });
    });

test("the program that watches exports again after a change", async () => {
  const folder = place();
  writeFileSync(join(folder, "watch.js"), programs.find(({ name }) => name === "watch.js")!.code);
  const child = start(process.execPath, ["watch.js"], { cwd: folder });
  let printed = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (printed === "2 pages\n") writeFileSync(join(folder, "docs/third.mdx"), page("Third", "Hi."));
    if (printed.includes("3 pages\n")) child.kill();
  });
  await finish(child);
  // A busy system may report earlier writes late.
  expect(printed).toMatch(/^(?:2 pages\n)+3 pages\n/);
});
