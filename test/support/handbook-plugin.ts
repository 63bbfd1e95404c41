import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const examples = fileURLToPath(new URL("../../fixtures/handbook/guides/library/plugin.mdx", import.meta.url));

/** Text of the code block of this file name on the page about plugins. */
export function handbookExample(fileName: string): string {
  const [, code] = readFileSync(examples, "utf8").split(`\n\`\`\`js ${fileName}\n`);
  if (code === undefined) throw new Error(`The page about plugins has no code block called ${fileName}.`);
  return code.slice(0, code.indexOf("\n```") + 1);
}

export interface PluginBuild {
  readonly watched: readonly string[];
  readonly warnings: readonly string[];
  /** Message of the error that ended the build. */
  readonly error?: string;
}

/** What Vite and Rollup do with a plugin in a build, as far as the example uses it. */
const build = `
import { offprint } from "./offprint-plugin.js";
const [source, output] = process.argv.slice(-2);
const result = { watched: [], warnings: [] };
const context = {
  addWatchFile: (path) => result.watched.push(path),
  warn: (message) => result.warnings.push(message),
  error(message) { throw new Error(message); },
};
const plugin = offprint({ source, output });
try {
  await plugin.buildStart.call(context);
  await plugin.closeBundle.call(context);
} catch (error) {
  result.error = error.message;
}
console.log(JSON.stringify(result));
`;

/**
 * Runs the plugin of the handbook in a new project in `place`, whose package `offprint` is the folder `packageFolder`: this
 * repository once it is built, or an installed package.
 */
export function buildWithPlugin(packageFolder: string, place: string, source: string, output: string): PluginBuild {
  mkdirSync(join(place, "node_modules"), { recursive: true });
  symlinkSync(packageFolder, join(place, "node_modules/offprint"));
  writeFileSync(join(place, "package.json"), '{ "type": "module" }');
  writeFileSync(join(place, "offprint-plugin.js"), handbookExample("offprint-plugin.js"));
  writeFileSync(join(place, "build.js"), build);
  const printed = execFileSync(process.execPath, ["build.js", source, output], { cwd: place, encoding: "utf8" });
  return JSON.parse(printed) as PluginBuild;
}
