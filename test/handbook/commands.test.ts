/** Every command line of Offprint in the handbook and the README is one that the program takes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseCommandLine } from "../../src/cli/command-line.js";

const project = join(import.meta.dirname, "../..");
const pages = readdirSync(join(project, "fixtures/handbook"), { recursive: true, encoding: "utf8" })
  // Its synopses are made from the commands.
  .filter((path) => path.endsWith(".mdx") && path !== "reference/command-line.mdx")
  .map((path) => `fixtures/handbook/${path}`);

/** The words of each command in the blocks of shell code, without comments, pipes and redirections. */
function commandsIn(text: string): string[][] {
  const blocks = [...text.matchAll(/^ *(`{3,})(?:bash|sh|console)\b[^\n]*\n(.*?)^ *\1$/gms)].map(([, , code]) => code!);
  return blocks.flatMap((code) =>
    code
      .replace(/ *\\\n */g, " ")
      .split("\n")
      .flatMap((line) => line.replace(/(?:^|\s)#.*$/, "").split(/\s*(?:\||&&|;|[<>]+\s*\S+)\s*/))
      .flatMap((line) => {
        const [, written] = /^\s*(?:npx (?:-y )?|npm run |\w+=\$\()?offprint (?:-- )?(.*?)\)?\s*$/.exec(line) ?? [];
        return written === undefined
          ? []
          : [[...written.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!)];
      }),
  );
}

const commands = [...pages, "README.md"].flatMap((page) =>
  commandsIn(readFileSync(join(project, page), "utf8")).map((words) => ({ page, words })),
);

test("the pages have commands", () => expect(commands.length).toBeGreaterThan(150));

test("every command of the handbook and the README has a command, options and arguments that exist", () => {
  const refused = commands.flatMap(({ page, words }) => {
    try {
      parseCommandLine(words);
      return [];
    } catch (error) {
      return [`${page}: offprint ${words.join(" ")}: ${(error as Error).message}`];
    }
  });
  expect(refused).toEqual([]);
});
