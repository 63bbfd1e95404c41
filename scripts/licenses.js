// The licenses of the packages that the build joins into dist: each text once, with the packages that it is of.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** @param inputs paths of modules, relative to `root`. */
export function licensesOf(root, inputs) {
  const folders = new Set(inputs.filter((path) => path.includes("node_modules/")).map((path) => packageOf(root, path)));
  const packagesByText = new Map();
  for (const folder of folders) {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const files = readdirSync(folder)
      .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
      .sort();
    const by = typeof author === "string" ? author : author?.name;
    if (files.length === 0 && !license) throw new Error(`${name}, which dist holds, names no license.`);
    const text =
      files.length > 0
        ? files.map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim()).join("\n\n")
        : `${license}${by ? `, by ${by}` : ""}`;
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...packagesByText].map(([text, names]) => `${names.sort().join(", ")}\n\n${text}\n`).sort();
  return `Offprint holds these packages of others, each under its own license.\n\n${parts.join(`\n${"-".repeat(72)}\n\n`)}`;
}

/** The nearest folder whose package.json names a package: some packages have further ones that only set a type. */
function packageOf(root, path) {
  for (let folder = dirname(join(root, path)); ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file) && JSON.parse(readFileSync(file, "utf8")).version) return folder;
  }
}
