/** Scripts with data of the site in them, each for the sites or pages that need it. */

import { pageLinks } from "../../lib/html/page-links.js";
import {
  assistantTexts,
  languageTag,
  nearestLocale,
  playgroundMessages,
  readLocale,
} from "../../lib/language/index.js";
import type { AnalyticsSettings, AssistantSettings } from "../../lib/service-settings.js";
import type { AssetManifest } from "../../page/theme/theme-options.js";
import { type Addresses, relativeHref } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import { type ClientFiles, createClientFiles } from "./client-files.js";

/** Writes a script for each language of the site; returns their paths. */
async function writePerLanguage(
  { pages }: Site,
  client: ClientFiles,
  folder: string,
  codeFor: (locale: ReturnType<typeof readLocale>) => string,
): Promise<Record<string, string>> {
  const paths: Record<string, string> = {};
  for (const language of new Set(pages.map((plan) => nearestLocale(languageTag(plan.language)))))
    paths[language] = await client.writeHashed(`${folder}/${language}`, "js", `${codeFor(readLocale(language))};\n`);
  return paths;
}

/** Writes the panel of the assistant, with its settings in every language of the site. */
export async function writeAssistant(
  assistant: AssistantSettings,
  site: Site,
  client: ClientFiles,
): Promise<NonNullable<AssetManifest["assistant"]>> {
  const script = await client.script("assistant");
  const stylesheet = await client.part("assistant");
  const settings = await writePerLanguage(
    site,
    client,
    "assistant",
    (locale) => `offprintAssistant(${JSON.stringify({ ...assistant, texts: assistantTexts(locale) })})`,
  );
  return { script, stylesheet, settings };
}

/** The script and the style sheet of the playground, and its messages in every language of the site. */
export async function writePlayground(
  site: Site,
  client: ClientFiles,
): Promise<NonNullable<AssetManifest["playground"]>> {
  const script = await client.script("playground");
  const stylesheet = await client.part("playground");
  const words = await writePerLanguage(
    site,
    client,
    "playground",
    (locale) => `offprintPlayground("words",${JSON.stringify(playgroundMessages(locale))})`,
  );
  return { script, stylesheet, words };
}

/** Whether a page may have a playground: it is about an API, and neither it nor the site chooses another display. */
export const wantsPlayground = ({ config, pages }: Site): boolean =>
  pages.some(({ api, frontmatter }) => {
    const display = frontmatter["playground"] ?? config.api.playground.display;
    return display === "interactive" && (api !== undefined || frontmatter["api"] !== undefined);
  });

/** Writes the script that counts views, with its settings in front. */
export async function writeCountScript(
  { url, domain, searches }: AnalyticsSettings,
  { config, pages }: Site,
  client: ClientFiles,
): Promise<string> {
  const tags = [...new Set(pages.map((plan) => languageTag(plan.language)))];
  const labels = tags.map((tag) => {
    const { helpful, notHelpful } = assistantTexts(readLocale(nearestLocale(tag)));
    return [tag, [helpful, notHelpful]] as const;
  });
  const thumbs = config.feedback.thumbs === true ? { thumbs: Object.fromEntries(labels) } : {};
  const settings = JSON.stringify({ url: `${url}/v1/collect/${domain}`, searches, ...thumbs });
  const code = [Buffer.from(`offprintCount=${settings};\n`), await client.read("count.js")];
  return client.writeHashed("count", "js", Buffer.concat(code));
}

/** @param mainFont output path of the font of the text */
export async function writeHeadScript(mainFont: string | undefined, client: ClientFiles): Promise<string> {
  if (mainFont === undefined) return client.script("head");
  const setting = `offprintFont=${JSON.stringify(relativeHref("_offprint/head.js", mainFont))};\n`;
  return client.writeHashed("head", "js", Buffer.concat([Buffer.from(setting), await client.read("head.js")]));
}

/** Writes the scripts that only the 404 page has, if this site needs them. */
export async function notFoundScripts(
  addresses: Addresses,
  hasBaseUrl: boolean,
  client: ClientFiles,
): Promise<Pick<AssetManifest, "redirectScript" | "diskScript">> {
  const wildcards = addresses
    .redirects()
    .check()
    .rules.flatMap(({ source, destination, pattern }) =>
      pattern === undefined ? [] : [[source, pattern.regex.source, pattern.names, destination]],
    );
  // "<" is escaped, so that the text is safe in any context.
  const data = JSON.stringify(wildcards).replaceAll("<", "\\u003c");
  const code = wildcards.length > 0 ? Buffer.from(await client.read("redirects.js")).toString("utf8") : "";
  return {
    redirectScript:
      wildcards.length > 0
        ? await client.writeHashed("redirects", "js", `var offprintRedirects=${data};\n${code}`)
        : undefined,
    diskScript: hasBaseUrl ? await client.script("disk") : undefined,
  };
}

/**
 * Speculation rules: browsers prepare the page behind a link that a reader points at, and show it at once after the click.
 * Pages of a site with scripts of its own are only fetched: such a script could count a view of a page that nobody sees.
 */
export function speculationRules({ scripts }: Pick<Site, "scripts">): string {
  // A pattern for addresses would have to start with the path of the site, which the export may not know.
  const rules = [{ where: { selector_matches: pageLinks }, eagerness: "moderate" }];
  return `${JSON.stringify(scripts.length > 0 ? { prefetch: rules } : { prerender: rules })}\n`;
}

/** A script of ours, for the pages that load it. */
export interface PageScript {
  readonly outputPath: string;
  readonly text: string;
}

/** Scripts for live components (`islands`), fields (`schemas`), references to `models`, and overviews (`anchors`). */
export async function clientScripts(
  names: readonly (
    | "anchors"
    | "islands"
    | "islands-ui"
    | "models"
    | "schemas"
    | "sign-in"
    | "signed-in"
    | "graph"
    | "socket"
    | "json-path"
    | "workflow"
    | "xml"
  )[],
  clientFolder?: string,
): Promise<readonly PageScript[]> {
  const scripts: PageScript[] = [];
  const client = createClientFiles((outputPath, bytes) => {
    scripts.push({ outputPath, text: Buffer.from(bytes).toString() });
  }, clientFolder);
  for (const name of names) await client.script(name);
  return scripts;
}

/** What the playground needs for some requests only, see `PlaygroundParts`. */
export async function playgroundParts() {
  const names = ["graph", "socket", "workflow", "json-path", "xml"] as const;
  const [graph, socket, workflow, jsonPath, xml] = await clientScripts(names);
  return {
    signIn: await signInFiles(),
    graph: graph!,
    socket: socket!,
    workflow: workflow!,
    jsonPath: jsonPath!,
    xml: xml!,
  };
}

/** The playground's sign-in script and return page. The page is registered with clients: its name has no hash. */
async function signInFiles(): Promise<readonly PageScript[]> {
  const [signIn, returned] = await clientScripts(["sign-in", "signed-in"]);
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Signed in</title>
<script src="${returned!.outputPath}" defer></script>
</head>
<body><main><h1>Signed in</h1><p>This window can be closed.</p></main></body>
</html>
`;
  return [signIn!, returned!, { outputPath: "offprint-sign-in.html", text }];
}
