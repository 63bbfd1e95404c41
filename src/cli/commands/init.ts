import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Conversion, lossOf, type Note } from "../../convert/index.js";
import { escapeXml } from "../../lib/html/escape.js";
import { schemasFolder, templateFolder } from "../../lib/package-root.js";
import { command, type Input } from "../command.js";
import { type Environment, UsageError } from "../environment.js";
import { colorizer, count, printableLine } from "../print/terminal.js";
import { convertedFiles, requireEmpty, siteNameFor, writeNew } from "../site-source.js";
import type texts from "./texts/init.json";

export const commands = { init: command(parse, run) };

function parse({ argument, values }: Input<typeof texts, "init">) {
  const { from, all = false, json = false, strict = false } = values;
  const name = values.name?.trim();
  if (name === "") throw new UsageError("--name must not be empty: it is the name of the site.");
  return { target: argument || (from === undefined ? "docs" : "offprint-site"), from, name, all, json, strict };
}
type InitArguments = ReturnType<typeof parse>;

/** Writes a site into a new or empty folder, or a conversion again into its own. */
async function run(args: InitArguments, environment: Environment): Promise<number> {
  const target = resolve(args.target);
  const isAgain = args.from !== undefined && isConverted(target);
  if (!isAgain) requireEmpty(target);
  const { stdout } = environment;
  const { name, conversion, ...site } =
    args.from === undefined ? newSite(target, args) : await convert(args.from, args);
  const files = [...site.files.map(withSchema), ...schemaFiles()];
  const kept = args.from === undefined ? writeNew(target, files) : writeConverted(target, files);
  const losses = conversion?.notes.filter((note) => lossOf(note) !== undefined).length ?? 0;
  const code = losses > 0 || (args.strict && (conversion?.notes.some(({ kind }) => kind !== "hint") ?? false)) ? 1 : 0;
  if (args.json) {
    const { tool, pageCount, notes, comparison } = conversion ?? {};
    const paths = files.map(([path]) => path);
    const pages = conversion ? pagesOf(conversion) : [];
    const result = {
      type: "result",
      target,
      name,
      tool,
      pageCount,
      files: paths,
      kept,
      pages,
      comparison,
      losses,
      notes,
    };
    stdout.write(`${JSON.stringify(result)}\n`);
    return code;
  }
  if (conversion) stdout.write(`${conversionReport(conversion, args.from!, args.all)}\n`);
  for (const path of kept ?? []) stdout.write(`Kept ${printableLine(path)}, because you have changed it.\n`);
  const created = `${isAgain ? "Converted again" : "Created"} the site "${name}" in ${relative(".", target) || "."}`;
  stdout.write(`${colorizer(stdout, environment.env)(created, "green")}\n`);
  stdout.write(nextCommands(target, conversion?.url, environment));
  return code;
}

type NewFile = readonly [path: string, data: string | Uint8Array];

interface NewSite {
  readonly name: string;
  readonly files: readonly NewFile[];
  readonly conversion?: Conversion;
}

function newSite(target: string, args: InitArguments): NewSite {
  const name = args.name ?? siteNameFor(target);
  return { name, files: templateFiles(name) };
}

/** Where each page comes from; those of an older docs.json are copied. */
const pagesOf = ({ files, origins }: Conversion) =>
  [...files].flatMap(([path, file]) => {
    const source = origins.get(path)?.source ?? (typeof file === "string" ? undefined : file.copy);
    return source === undefined || !/\.mdx?$/.test(path) || /^_?snippets\//.test(path) ? [] : [{ path, source }];
  });

async function convert(from: string, { name }: InitArguments): Promise<NewSite> {
  const { convertSite } = await import("../../convert/index.js");
  const { conversion, refused, files } = await convertSite(from, { name, fallback: siteNameFor(resolve(from)) });
  if (refused !== undefined) throw new UsageError(refused);
  if (!conversion) {
    const spec = files.paths.find((path) => /(?:^|[/.-])(?:openapi|swagger|asyncapi)\.(?:ya?ml|json)$/i.test(path));
    const advice = spec
      ? `Its pages are made of ${spec}: run offprint init without --from, copy the file there, and set "openapi": "${spec}" in docs.json.`
      : "Name the folder of the site.";
    throw new UsageError(`${from} contains no .md or .mdx files. ${advice}`);
  }
  return { name: conversion.name, files: convertedFiles(conversion, files), conversion };
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
      // The approximate width of a logo with this name.
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

function nextCommands(target: string, url: string | undefined, { env }: Environment): string {
  // As the user called it.
  const offprint = env["npm_command"] === "exec" ? "npx offprint" : "offprint";
  const folder = JSON.stringify(relative(".", target) || ".").slice(1, -1);
  const site = /^[\w./-]+$/.test(folder) ? folder : `"${folder}"`;
  return `
Next:
  ${offprint} preview ${site}    see the site in the browser while you write
  ${offprint} check ${site}      list everything that is wrong
  ${offprint} export ${site}${url === undefined ? "" : ` --base-url ${url}`}     create the files to publish

Its name, colors, logo and navigation are in ${site === "." ? "" : `${site}/`}docs.json.
`;
}

const notesPerKind = 5;

/** What was converted, and the notes for a person: the first of each kind, or all. */
export function conversionReport(
  { tool, pageCount, comparison, notes }: Conversion,
  from: string,
  all: boolean,
): string {
  const [hints, open] = [true, false].map((isHint) => notes.filter(({ kind }) => (kind === "hint") === isHint)) as [
    Note[],
    Note[],
  ];
  const lines = [`Converted ${count(pageCount, "page")} from ${tool}.`];
  if (hints.length > 0)
    lines.push(`${count(hints.length, "page")} repeated the title as a heading; the heading was removed.`);
  if (comparison.length > 0) {
    lines.push("", "                       old     new");
    for (const { what, before, after } of comparison)
      lines.push(`  ${what.padEnd(18)} ${String(before).padStart(6)}  ${String(after).padStart(6)}`);
  }
  const losses = open.flatMap((note) => lossOf(note) ?? []);
  if (losses.length > 0) {
    const kinds = [...Map.groupBy(losses, (loss) => loss)].map(([loss, all]) => `${loss} ${all.length}`).join(", ");
    lines.push("", `Missing from the new site: ${kinds}. The exit code is 1.`);
  }
  if (open.length > 0) lines.push("", `To do by hand (${open.length}), in the files of ${from}:`);
  for (const [, group] of Map.groupBy(open, ({ kind }) => kind)) {
    const printed = all ? group : group.slice(0, notesPerKind);
    for (const { sourcePath, line, what } of printed)
      lines.push(printableLine(`  ${sourcePath}${line === undefined ? "" : `:${line}`}  ${what}`));
    if (group.length > printed.length) lines.push(`  … and ${group.length - printed.length} more like it (--all)`);
  }
  return `${lines.join("\n")}\n`;
}

/** A converted site can be converted again into the same folder: what a person changed there stays. */

/** Hashes of the files as they were written, by path. Hidden, so that no export publishes it. */
const record = ".offprint/import.json";

type Hashes = Readonly<Record<string, string>>;

const isConverted = (folder: string): boolean => existsSync(join(folder, record));

const hashOf = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex").slice(0, 16);

function recordedHashes(folder: string): Hashes {
  try {
    return JSON.parse(readFileSync(join(folder, record), "utf8")) as Hashes;
  } catch {
    return {};
  }
}

/** Writes the files of a conversion. @returns paths of files that a person has changed, which stay as they are */
function writeConverted(folder: string, files: Iterable<readonly [path: string, data: string | Uint8Array]>): string[] {
  // The record may be a file of somebody else.
  const before = new Map(
    Object.entries(recordedHashes(folder)).filter(([path]) => !path.split(/[\\/]/).includes("..")),
  );
  const after = new Map<string, string>();
  const changedPaths: string[] = [];
  const isChanged = (path: string): boolean => {
    const file = join(folder, path);
    return existsSync(file) && hashOf(readFileSync(file)) !== before.get(path);
  };
  for (const [path, data] of files) {
    const hash = hashOf(data);
    after.set(path, hash);
    if (isChanged(path)) {
      if (hashOf(readFileSync(join(folder, path))) !== hash) changedPaths.push(path);
      continue;
    }
    // A page that a person deleted stays deleted.
    if (before.has(path) && !existsSync(join(folder, path))) continue;
    if (before.get(path) === hash) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), data);
  }
  for (const path of before.keys())
    if (!after.has(path)) {
      if (isChanged(path)) changedPaths.push(path);
      else rmSync(join(folder, path), { force: true });
    }
  mkdirSync(join(folder, dirname(record)), { recursive: true });
  writeFileSync(join(folder, record), `${JSON.stringify(Object.fromEntries(after), null, 1)}\n`);
  return changedPaths;
}
