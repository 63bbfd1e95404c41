// Holds the layout of src: imports run downwards, another folder is entered through its index.ts, no two files import
// each other (types included), and no file has more than 300 lines. Prints each violation with its line; exits with 1.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** What each room may import, besides itself and lib. The files of src itself are the public entries. */
const below = {
  cli: ["src", "repair", "convert", "service", "preview", "serve", "export", "bundle", "page", "site"],
  src: ["repair", "service", "serve", "export", "bundle", "page", "site"],
  service: ["repair", "export", "bundle", "page", "site"],
  repair: ["export", "page", "site"],
  preview: ["serve", "export", "bundle", "page", "site"],
  serve: ["bundle", "page", "site"],
  convert: ["site"],
  export: ["bundle", "page", "site"],
  bundle: ["page", "site"],
  page: ["site"],
  site: [],
  // Single files that the browser shares with the export: an index.ts would bring code for Node into the bundle.
  client: ["bundle/search", "page/reference", "page/islands"],
  lib: [],
};
const longest = 300;

const root = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)), "src");
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
const faults = [];
const imports = new Map(files.map((file) => [file, importsOf(file)]));
for (const [file, targets] of imports) for (const target of targets) checkImport(file, target);
checkCycles();
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`Imports of ${files.length} files run downwards.`);

function importsOf(file) {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").length - 1;
  if (lines > longest)
    faults.push(`${nameOf(file)}:${longest + 1} The file has ${lines} lines; split it (at most ${longest}).`);
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
  const [room, targetRoom] = [from, to].map((path) => (path.length === 1 ? "src" : path[0]));
  const at = `${nameOf(file)}:${line}`;
  if (room !== targetRoom && targetRoom !== "lib") {
    const allowed = below[room] ?? [];
    if (!allowed.includes(targetRoom) && !allowed.includes(`${targetRoom}/${to[1]}`))
      faults.push(`${at} ${room} may not import ${targetRoom} (${nameOf(target)}).`);
  }
  const [folder, targetFolder] = [from, to].map(folderOf);
  const index = join(root, targetFolder, "index.ts");
  // What is imported when it is needed is one file on purpose.
  if (folder !== targetFolder && room !== "client" && !isLazy && existsSync(index) && target !== index)
    faults.push(`${at} Import ${nameOf(index)} instead of ${nameOf(target)}.`);
}

/** `page/content` of `page/content/api/x.ts`; a room without such folders is one itself. */
function folderOf([room, name, ...rest]) {
  if (["cli", "client", "convert", "export", "preview", "repair", "serve"].includes(room)) return room;
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

function nameOf(file) {
  return `src/${relative(root, file)}`;
}
