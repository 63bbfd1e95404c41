/** The settings of MkDocs and Zensical: the files that contain them, and the meaning of their parts. */
import { folderOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, asText, type Data, isData, valueAt } from "../data.js";
import type { ToolContext } from "../project.js";
import { dataFile, findFile } from "./shared.js";

const config = /(?:^|\/)(?:mkdocs\.ya?ml|zensical\.(?:toml|ya?ml))$/;
/** Settings for one of several builds: `mkdocs-online.yml`, `mkdocs.en.yml`. */
const buildConfig = /(?:^|\/)mkdocs[-_.][\w.-]+\.ya?ml$/;

/** The settings file of a site; if each of several builds has one, that with the site's address comes first. */
export function configsOf(files: SiteFiles, start: string): readonly string[] {
  const main = findFile(files, config, start);
  if (main !== undefined) return [main];
  const first = findFile(files, buildConfig, start);
  const all = files.paths.filter((path) => buildConfig.test(path) && folderOf(path) === folderOf(first ?? "/"));
  return all.toSorted((a, b) => rankOf(files, a) - rankOf(files, b));
}
const rankOf = (files: SiteFiles, path: string): number => {
  const settings = dataFile(files, path);
  const rank = ["site_url", "INHERIT", "site_name"].findIndex((name) => settings[name] !== undefined);
  return rank < 0 ? 3 : rank;
};

/** Turns rules of .gitignore, one a line, into glob patterns. A rule with `!` is ignored. */
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
    .find((color) => Object.hasOwn(primaryColors, color));
  return name === undefined ? undefined : { primary: primaryColors[name] };
}

/** Merges objects at every level; a list replaces the earlier one. */
const mergedData = (first: Data, second: Data, depth = 0): Data => {
  const both = Object.entries(second).map(([key, value]) => {
    const other = first[key];
    return [key, isData(value) && isData(other) && depth < 20 ? mergedData(other, value, depth + 1) : value];
  });
  return { ...first, ...Object.fromEntries(both) };
};

/** The settings of a file, with those that it inherits. */
export function inherited(path: string, context: ToolContext, depth = 0): Data {
  const written = dataFile(context.files, path);
  const settings = path.endsWith(".toml") ? asData(written["project"]) : written;
  const parent = asText(settings["INHERIT"]);
  if (parent === undefined || depth > 5) return settings;
  return mergedData(inherited(context.path(folderOf(path), parent), context, depth + 1), settings);
}
