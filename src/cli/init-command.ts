import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { styleText } from "node:util";
import { escapeXml } from "../lib/html/escape.js";
import { templateFolder } from "../lib/package-root.js";
import type { Environment } from "./environment.js";
import type { InitArguments } from "./init-arguments.js";
import { requireEmpty, writeNew } from "./new-folder.js";

/** `offprint init`: writes a site into a new or empty folder. */
export async function run(args: InitArguments, environment: Environment): Promise<number> {
  const target = resolve(args.target);
  requireEmpty(target);
  const name = args.name?.trim() ?? nameFor(target);
  const files = templateFiles(name);
  writeNew(target, files);
  const { stdout } = environment;
  if (args.json)
    stdout.write(`${JSON.stringify({ type: "result", target, name, files: files.map(([path]) => path) })}\n`);
  else stdout.write(`${created(name, target, environment)}\n${nextCommands(target, environment)}`);
  return 0;
}

const generic = /^(?:docs?|documentation|site|website|offprint-site)$/i;

/** The folder's name as words. That of the folder around it if it only says that it holds a site. */
function nameFor(folder: string): string {
  const own = basename(folder);
  const words = (generic.test(own) ? basename(dirname(folder)) : own).replace(/[-_.\s]+/g, " ").trim();
  return words === "" ? "My product" : words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** The files of the template with the name of the site in its settings and pictures. */
function templateFiles(name: string): [path: string, data: string | Uint8Array][] {
  const escapes: Readonly<Record<string, (text: string) => string>> = {
    json: (text) => JSON.stringify(text).slice(1, -1),
    svg: escapeXml,
  };
  return readdirSync(templateFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(templateFolder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .toSorted()
    .map((path): [string, string | Uint8Array] => {
      const data = readFileSync(join(templateFolder, path));
      const escaped = escapes[path.slice(path.lastIndexOf(".") + 1)];
      if (escaped === undefined) return [path, data];
      // About the width of the name after the sign, in the font of a logo.
      const width = String(Math.round(44 + 11.2 * name.length));
      return [
        path,
        data
          .toString("utf8")
          .replaceAll("{{name}}", () => escaped(name))
          .replaceAll("{{width}}", width),
      ];
    });
}

function created(name: string, target: string, { stdout }: Environment): string {
  const line = `Created the site "${name}" in ${relative(".", target) || "."}`;
  return stdout.isTTY ? styleText("green", line) : line;
}

function nextCommands(target: string, { env }: Environment): string {
  // As the user has called it.
  const offprint = env["npm_command"] === "exec" ? "npx offprint" : "offprint";
  const folder = JSON.stringify(relative(".", target) || ".").slice(1, -1);
  const site = /^[\w./-]+$/.test(folder) ? folder : `"${folder}"`;
  return `
Next:
  ${offprint} preview ${site}    see it in the browser while you write
  ${offprint} check ${site}      list everything that is wrong with it
  ${offprint} export ${site}     make the files to publish

Its name, colours, logo and navigation are in ${site === "." ? "" : `${site}/`}docs.json.
`;
}
