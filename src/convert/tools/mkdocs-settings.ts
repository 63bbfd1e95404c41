/** The settings of MkDocs and Zensical: which file has them, and what its parts say. */
import { folderOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asText, type Data, isData, valueAt } from "../data.js";
import type { ToolContext } from "../project.js";
import { readToml } from "../toml.js";
import { dataFile, findFile } from "./shared.js";

const config = /(?:^|\/)(?:mkdocs\.ya?ml|zensical\.(?:toml|ya?ml))$/;
/** Settings for one of several builds: `mkdocs-online.yml`, `mkdocs.en.yml`. */
const buildConfig = /(?:^|\/)mkdocs[-_.][\w.-]+\.ya?ml$/;

/** The settings of a site; of those for several builds, the ones with its address, and the others of the folder. */
export function configsOf(files: SiteFiles, start: string): readonly string[] {
  const found = findFile(files, config, start);
  if (found !== undefined) return [found];
  const first = findFile(files, buildConfig, start);
  const all = files.paths.filter((path) => buildConfig.test(path) && folderOf(path) === folderOf(first ?? "/"));
  return all.toSorted((a, b) => rankOf(files, a) - rankOf(files, b));
}
const rankOf = (files: SiteFiles, path: string): number => {
  const own = dataFile(files, path);
  return own["site_url"] !== undefined ? 0 : own["INHERIT"] !== undefined ? 1 : own["site_name"] !== undefined ? 2 : 3;
};

/** Rules as in .gitignore, one a line, as patterns for paths. A rule that takes a file back is ignored. */
export const globsOf = (rules: string): string[] =>
  rules.split("\n").flatMap((line) => {
    const rule = line.trim().replace(/\/$/, "");
    if (rule === "" || /^[#!]/.test(rule)) return [];
    const glob = rule.includes("/") ? rule.replace(/^\//, "") : `**/${rule}`;
    return [glob, `${glob}/**`];
  });

/** The options of each plugin or extension by its name. */
export const pluginsOf = (written: unknown): Data =>
  Object.fromEntries(
    (Array.isArray(written) ? (written as unknown[]) : [written]).flatMap((plugin) =>
      Object.entries(typeof plugin === "string" ? { [plugin]: {} } : asData(plugin)),
    ),
  );

/** The primary colors of Material for MkDocs by their names. */
const primaryColors: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "red #ef5552,pink #e92063,purple #ab47bd,deep-purple #7e56c2,indigo #4051b5,blue #2094f3,light-blue #02a6f2," +
    "cyan #00bdd6,teal #009485,green #4cae4f,light-green #8bc34b,lime #cbdc38,yellow #ffec3d,amber #ffc105," +
    "orange #ffa724,deep-orange #ff6e42,brown #795649,grey #757575,blue-grey #546d78"
  )
    .split(",")
    .map((entry) => entry.split(" ")),
);

export function colorsOf(settings: Data) {
  const name = [valueAt(settings, "theme.palette")]
    .flat()
    .map((palette) => asText(valueAt(palette, "primary"))?.replaceAll(" ", "-") ?? "")
    .find((each) => Object.hasOwn(primaryColors, each));
  return name === undefined ? undefined : { primary: primaryColors[name] };
}

/** Objects are merged at each level; a list replaces the other. */
const mergedData = (first: Data, second: Data, depth = 0): Data => {
  const both = Object.entries(second).map(([key, value]) => {
    const other = first[key];
    return [key, isData(value) && isData(other) && depth < 20 ? mergedData(other, value, depth + 1) : value];
  });
  return { ...first, ...Object.fromEntries(both) };
};

/** The settings with those that they inherit. */
export function inherited(path: string, context: ToolContext, depth = 0): Data {
  const own = path.endsWith(".toml")
    ? asData(readToml(context.files.readText(path))["project"])
    : dataFile(context.files, path);
  const parent = asText(own["INHERIT"]);
  if (parent === undefined || depth > 5) return own;
  return mergedData(inherited(context.path(folderOf(path), parent), context, depth + 1), own);
}
