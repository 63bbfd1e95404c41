// The packages that the build joins into dist, and their licenses.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * The packages of these modules, each once: the fields of its package.json, and its folder relative to `root`.
 *
 * @param inputs paths of files, relative to `root`.
 */
export function packagesOf(root, inputs) {
  const folders = new Set(inputs.filter((path) => path.includes("node_modules/")).map((path) => packageOf(root, path)));
  return [...folders]
    .sort()
    .map((folder) => ({ ...JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")), folder }));
}

/** Each license text once, below the packages that have it. */
export function licensesOf(root, packages) {
  const packagesByText = new Map();
  for (const { folder, name, version, license, author } of packages) {
    const files = readdirSync(join(root, folder))
      .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
      .sort();
    const by = typeof author === "string" ? author : author?.name;
    if (files.length === 0 && !license) throw new Error(`${name}, which dist holds, names no license.`);
    const text =
      files.length > 0
        ? files
            .map((file) =>
              readFileSync(join(root, folder, file), "utf8")
                .replaceAll("\r\n", "\n")
                .trim(),
            )
            .join("\n\n")
        : `${license}${by ? `, by ${by}` : ""}`;
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), `${name} ${version}`]);
  }
  return [...packagesByText]
    .map(([text, names]) => `${names.sort().join(", ")}\n\n${text}\n`)
    .sort()
    .join(`\n${"-".repeat(72)}\n\n`);
}

/** The nearest folder whose package.json names a package: some packages have further ones that only set a type. */
function packageOf(root, path) {
  for (let folder = dirname(join(root, path)); ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file) && JSON.parse(readFileSync(file, "utf8")).version) return relative(root, folder);
  }
}
