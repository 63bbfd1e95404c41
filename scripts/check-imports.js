// Checks the layout of src: imports run downwards, another folder is entered through its index.ts, no two files import each
// other (types included), and no folder has more than 25 files. Prints each violation with its line and exits with 1. A file
// of more than 400 lines is only a warning: long files usually hold two ideas, but no file is split to please a limit.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** What each room may import, besides itself and lib. The files of src itself are the public entries. */
const below = {
  cli: [
    "src",
    "repair",
    "convert",
    "service",
    "lsp",
    "preview",
    "serve",
    "export",
    "bundle",
    "reference",
    "page",
    "site",
  ],
  src: ["repair", "service", "serve", "export", "bundle", "page", "site"],
  service: ["mcp", "repair", "export", "bundle", "page", "site"],
  repair: ["export", "page", "site"],
  lsp: ["preview", "export", "page", "site"],
  preview: ["serve", "export", "bundle", "page", "site"],
  serve: ["service/assistant", "mcp", "bundle", "page", "site"],
  convert: ["page", "site"],
  export: ["bundle", "reference", "page", "site"],
  bundle: ["mcp", "reference", "page", "site"],
  reference: ["page", "site"],
  page: ["site"],
  site: [],
  mcp: [],
  // Single files that the browser shares with the export: an index.ts would bring code for Node into the bundle.
  reader: ["bundle/search", "reference", "page/islands"],
  // A package of its own, which imports nothing of ours.
  "lib/textmate": [],
  lib: [],
};
const longFile = 400;
const maxFiles = 25;

const root = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)), "src");
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
const faults = [];
const imports = new Map(files.map((file) => [file, importsOf(file)]));
for (const [file, targets] of imports) for (const target of targets) checkImport(file, target);
checkCycles();
checkFolders();
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`Imports of ${files.length} files run downwards.`);

function importsOf(file) {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").length - 1;
  if (lines > longFile)
    console.warn(`warning ${nameOf(file)}:${longFile + 1} The file has ${lines} lines. Does it hold two ideas?`);
  if (file.endsWith(".css")) return [];
  return [...text.matchAll(/\b(?:from|import)(\s*\()?\s*"(\.[^"]+)"/g)].flatMap(({ 1: isLazy, 2: path, index }) => {
    const stem = resolve(dirname(file), path).replace(/\.js$/, "");
    const target = [".ts", ".tsx"].map((extension) => stem + extension).find(existsSync);
    return target === undefined
      ? []
      : [{ target, isLazy: isLazy !== undefined, line: text.slice(0, index).split("\n").length }];
  });
}

function checkImport(file, { target, isLazy, line }) {
  const [from, to] = [file, target].map((each) => relative(root, each).split("/"));
  const [room, targetRoom] = [from, to].map(roomOf);
  const at = `${nameOf(file)}:${line}`;
  const isLibrary = to[0] === "lib" && room !== "lib/textmate";
  if (room !== targetRoom && !isLibrary) {
    const allowed = below[room] ?? [];
    if (!allowed.includes(targetRoom) && !allowed.includes(`${targetRoom}/${to[1]}`))
      faults.push(`${at} ${room} may not import ${targetRoom} (${nameOf(target)}).`);
  }
  const [folder, targetFolder] = [from, to].map(folderOf);
  const index = join(root, targetFolder, "index.ts");
  // The browser's bundles would get code for Node through an index. What is imported when it is needed is one file on purpose.
  const isForBrowser = room === "reader" || nameOf(file).startsWith("src/page/islands/runtime/");
  if (folder !== targetFolder && !isForBrowser && !isLazy && existsSync(index) && target !== index)
    faults.push(`${at} Import ${nameOf(index)} instead of ${nameOf(target)}.`);
}

/** `page/content` for `page/content/api/x.ts`; a room without such folders counts as one. */
function folderOf([room, name, ...rest]) {
  if (["cli", "convert", "export", "preview", "reader", "reference", "repair", "serve"].includes(room)) return room;
  return rest.length === 0 ? room : `${room}/${name}`;
}

function checkCycles() {
  const done = new Set();
  const path = [];
  const visit = (file) => {
    if (path.includes(file)) {
      const cycle = [...path.slice(path.indexOf(file)), file].map(nameOf);
      faults.push(`${cycle[0]}:1 Files import each other: ${cycle.join(" -> ")}.`);
    }
    if (path.includes(file) || done.has(file)) return;
    path.push(file);
    for (const { target } of imports.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
}

/** A room with more files on a level contains two rooms, or fragments. */
function checkFolders() {
  const counts = Map.groupBy(
    files.filter((file) => /\.tsx?$/.test(file)),
    dirname,
  );
  for (const [folder, { length }] of counts)
    if (length > maxFiles)
      faults.push(`${nameOf(folder)} The folder has ${length} files; make rooms in it (at most ${maxFiles}).`);
}

/** The key of `below` for a path below src. */
function roomOf(path) {
  if (path.length === 1) return "src";
  const folder = `${path[0]}/${path[1]}`;
  return folder in below ? folder : path[0];
}

function nameOf(file) {
  return `src/${relative(root, file)}`;
}
