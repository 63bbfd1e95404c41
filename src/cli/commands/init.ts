import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { styleText } from "node:util";
import type { Conversion, Note } from "../../convert/index.js";
import { escapeXml } from "../../lib/html/escape.js";
import { schemasFolder, templateFolder } from "../../lib/package-root.js";
import { type Environment, UsageError } from "../environment.js";
import { nameFor, requireEmpty, writeNew } from "../site-source.js";
import type { InitArguments } from "./init-options.js";

/** `offprint init`: writes a site into a new or empty folder. */
export async function run(args: InitArguments, environment: Environment): Promise<number> {
  const target = resolve(args.target);
  requireEmpty(target);
  const { stdout } = environment;
  const site = args.from === undefined ? newSite(target, args) : await convertedSite(args.from, args);
  const files = [...site.files.map(withSchema), ...schemaFiles()];
  writeNew(target, files);
  if (args.json) {
    const { conversion, name } = site;
    const { tool, pageCount, notes } = conversion ?? {};
    const paths = files.map(([path]) => path);
    stdout.write(`${JSON.stringify({ type: "result", target, name, tool, pageCount, files: paths, notes })}\n`);
    return 0;
  }
  if (site.conversion) stdout.write(`${conversionReport(site.conversion, args.from!, args.all)}\n`);
  stdout.write(
    `${created(site.name, target, environment)}\n${nextCommands(target, site.conversion?.url, environment)}`,
  );
  return 0;
}

type NewFile = readonly [path: string, data: string | Uint8Array];

interface NewSite {
  readonly name: string;
  readonly files: readonly NewFile[];
  readonly conversion?: Conversion;
}

function newSite(target: string, args: InitArguments): NewSite {
  const name = args.name?.trim() ?? nameFor(target);
  return { name, files: templateFiles(name) };
}

async function convertedSite(from: string, args: InitArguments): Promise<NewSite> {
  const { convertSite } = await import("../../convert/index.js");
  const { conversion, files } = convertSite(from, { name: args.name?.trim(), fallback: nameFor(resolve(from)) });
  if (!conversion)
    throw new UsageError(`There is no page in ${from}: no .md or .mdx file. Name the folder of the site.`);
  const read = [...conversion.files].map(
    ([path, data]) => [path, typeof data === "string" ? data : files.readBytes(data.copy)] as const,
  );
  return { name: conversion.name, files: read, conversion };
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

/** Hidden, so that no export publishes it. */
const schemaFolder = ".offprint";

/** Editors complete and check the settings by the schema that is named first. */
const withSchema = ([path, data]: NewFile): NewFile =>
  path === "docs.json"
    ? [path, String(data).replace(/^\{\n/, `{\n  "$schema": "./${schemaFolder}/docs.schema.json",\n`)]
    : [path, data];

const schemaFiles = (): NewFile[] =>
  ["docs", "front-matter"].map((name) => [
    `${schemaFolder}/${name}.schema.json`,
    JSON.stringify(JSON.parse(readFileSync(join(schemasFolder, `${name}.json`), "utf8"))),
  ]);

function created(name: string, target: string, { stdout }: Environment): string {
  const line = `Created the site "${name}" in ${relative(".", target) || "."}`;
  return stdout.isTTY ? styleText("green", line) : line;
}

function nextCommands(target: string, url: string | undefined, { env }: Environment): string {
  // As the user has called it.
  const offprint = env["npm_command"] === "exec" ? "npx offprint" : "offprint";
  const folder = JSON.stringify(relative(".", target) || ".").slice(1, -1);
  const site = /^[\w./-]+$/.test(folder) ? folder : `"${folder}"`;
  return `
Next:
  ${offprint} preview ${site}    see it in the browser while you write
  ${offprint} check ${site}      list everything that is wrong with it
  ${offprint} export ${site}${url === undefined ? "" : ` --base-url ${url}`}     make the files to publish

Its name, colors, logo and navigation are in ${site === "." ? "" : `${site}/`}docs.json.
`;
}

const shownPerKind = 5;

/** What was converted, and what needs a person: the first of each kind, or all. */
export function conversionReport({ tool, pageCount, notes }: Conversion, from: string, all: boolean): string {
  const hints = notes.filter(({ kind }) => kind === "hint");
  const open = notes.filter(({ kind }) => kind !== "hint");
  const lines = [`Converted ${pageCount} page${pageCount === 1 ? "" : "s"} from ${tool}.`];
  if (hints.length > 0)
    lines.push(
      `${hints.length} page${hints.length === 1 ? " had its" : "s had their"} title a second time as a heading, which is dropped.`,
    );
  if (open.length === 0) return `${lines.join("\n")}\n`;
  lines.push("", `Needs you (${open.length}), in the files of ${from}:`);
  for (const [, group] of Map.groupBy(open, ({ kind }) => kind)) {
    const shown = all ? group : group.slice(0, shownPerKind);
    lines.push(...shown.map((note) => `  ${place(note)}  ${printable(note.what)}`));
    if (group.length > shown.length) lines.push(`  … and ${group.length - shown.length} more like it (--all)`);
  }
  return `${lines.join("\n")}\n`;
}

const place = ({ sourcePath, line }: Note): string =>
  printable(line === undefined ? sourcePath : `${sourcePath}:${line}`);

/** Names and texts are those of the files. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "�");
