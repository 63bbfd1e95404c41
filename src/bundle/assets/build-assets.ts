import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { languageTag, nearestLocale, playgroundMessages, readLocale } from "../../lib/language/index.js";
import type { AnalyticsSettings, AssistantSettings } from "../../lib/service-settings.js";
import type { BlockGrounds } from "../../page/highlight/index.js";
import type { ExternalUse } from "../../page/render/index.js";
import type { AssetManifest } from "../../page/theme/index.js";
import type { LightDark, SiteSettings } from "../../site/config/index.js";
import { namesParts } from "../../site/discover/index.js";
import type { Addresses } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { BundleFile } from "../archive/index.js";
import { clientReader, createOutput, hashOf, type Output, ourFolder } from "./client-files.js";
import { siteFonts, usesInter, wantsMono } from "./fonts.js";
import { defaultFavicon, faviconOf, findNamed, missingImages, remoteImages } from "./named-files.js";
import { countScript, notFoundScripts, speculationRules, writeAssistant } from "./page-scripts.js";
import { adaptStyles, readScripts, type StyleTexts } from "./site-code.js";
import { codeGrounds, siteColors } from "./site-colors.js";
import { siteCss, utilityCss } from "./site-css.js";

export interface AssetsOptions {
  readonly site: Site;
  readonly addresses: Addresses;
  readonly files: SiteFiles;
  /** From `readStyles`. */
  readonly styles: StyleTexts;
  /** Whether the address of the site is known, so that the links of the 404 page are not relative. */
  readonly hasBaseUrl?: boolean;
  /** The site's assistant; without it the bundle has no trace of one. */
  readonly assistant?: AssistantSettings | undefined;
  /** Where pages send their views; without it the bundle has no trace of it. */
  readonly analytics?: AnalyticsSettings | undefined;
  /** Makes the rules of the code themes for blocks on these backgrounds. */
  readonly codeThemeCss: (grounds: BlockGrounds) => Promise<string>;
  /** Writes a file of the bundle, and creates its folders if needed. */
  readonly write: (outputPath: string, bytes: Uint8Array) => void | Promise<void>;
  /** Folder of the built scripts, styles and fonts. Default: that of this package. */
  readonly clientFolder?: string;
}

export interface BuiltAssets {
  readonly manifest: AssetManifest;
  readonly files: readonly BundleFile[];
  /** Output path of the rules that hosts send with pages. */
  readonly speculationRules: string;
  /** Output path of the font that hosts announce with pages; undefined if the text has another one. */
  readonly mainFont?: string;
  /** External resources of the site's own styles and scripts, and its own scripts. */
  readonly external: readonly ExternalUse[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes what every page needs. Some pages need more: see `writeParts`.
 *
 * @throws {Error} if the built client is missing because `npm run build` has not run.
 */
export async function buildAssets(options: AssetsOptions): Promise<BuiltAssets> {
  const { site, addresses, files } = options;
  const client = clientReader(options.clientFolder);
  const out = createOutput(options.write);
  const external: ExternalUse[] = [];
  const diagnostics: Diagnostic[] = [];

  const headScript = await out.hashed("head", "js", await client.read("head.js"));
  const scripts = [await out.hashed("app", "js", await client.read("app.js"))];
  if (options.assistant)
    scripts.push(await out.hashed("assistant-entry", "js", await client.read("assistant-entry.js")));
  if (options.analytics) scripts.push(await out.hashed("count", "js", await countScript(options.analytics, client)));
  const hasMono = wantsMono(site.config, [...options.styles.values()]);
  const common = await Promise.all(
    ["app", ...looksOf(site.config, hasMono), ...(options.assistant ? ["on-demand/assistant-entry"] : [])].map((name) =>
      client.read(`${name}.css`),
    ),
  );
  const sheet = Buffer.concat(common);
  const stylesheets = [await out.hashed("app", "css", sheet)];
  await copyFonts(client, out, "fonts");
  if (hasMono) await copyFonts(client, out, "fonts/jetbrains-mono");
  const searchScript = await out.hashed("search", "js", await client.read("search.js"));
  await out.hashed("licenses", "txt", await client.read("licenses.txt"));

  const { image, font } = findNamed(site, addresses);
  const fonts = siteFonts(site.config, site.staticFiles, font);
  diagnostics.push(...fonts.diagnostics, ...missingImages(site, image));
  external.push(...fonts.external, ...remoteImages(site, image));
  const colors = siteColors(site.config, sheet.toString("utf8"));
  const own = [
    siteCss(site, colors, (source) => image(source)?.href),
    fonts.css,
    await options.codeThemeCss(codeGrounds(colors)),
  ];
  stylesheets.push(await out.hashed("site", "css", Buffer.from(own.filter(Boolean).join("\n"))));
  const utilities = await utilityCss(site.config, site.classNames);
  if (utilities) stylesheets.push(await out.hashed("utilities", "css", Buffer.from(utilities)));

  let componentParts = site.namesParts === true || [...options.styles.values()].some(namesParts);
  for (const { sourcePath, style } of await adaptStyles(options.styles, addresses)) {
    external.push(...style.external);
    diagnostics.push(...style.diagnostics);
    if (style.code.length > 0) stylesheets.push(await out.hashed(`site/${stemOf(sourcePath)}`, "css", style.code));
  }
  for (const { sourcePath, code, diagnostics: ofScript } of await readScripts(site, files)) {
    diagnostics.push(...ofScript);
    if (code === undefined) continue;
    componentParts ||= namesParts(Buffer.from(code).toString());
    external.push({ kind: "script", url: sourcePath, location: { sourcePath } });
    scripts.push(await out.hashed(`site/${stemOf(sourcePath)}`, "js", code));
  }
  const speculation = await out.hashed("pages", "speculationrules", Buffer.from(speculationRules(site)));
  const manifest: AssetManifest = {
    stylesheets,
    headScript,
    ...(await notFoundScripts(options, client.read, out.hashed)),
    scripts,
    ...(site.config.contextual?.print
      ? { printScript: await out.hashed("print", "js", await client.read("print.js")) }
      : {}),
    searchScript,
    ...(wantsPlayground(site) ? { playground: await writePlayground(site, client, out) } : {}),
    ...(options.assistant && { assistant: await writeAssistant(options.assistant, site, client, out) }),
    parts: await partsOf(client),
    componentParts,
    marks: await writeMarks(site, client, out),
    favicon: faviconOf(site, image) ?? (await writeFavicon(site, out)),
  };
  const mainFont = out.files.find(({ path }) => /\/inter-latin-wght[^/]*$/.test(path))?.path;
  return {
    manifest,
    files: out.files,
    speculationRules: speculation,
    ...(usesInter(site.config) && { mainFont }),
    external,
    diagnostics,
  };
}

/** Writes the style sheets that only some pages need, with their fonts. */
export async function writeParts(
  names: readonly string[],
  write: AssetsOptions["write"],
  clientFolder?: string,
): Promise<readonly BundleFile[]> {
  const client = clientReader(clientFolder);
  const out = createOutput(write);
  for (const name of names) {
    await out.hashed(name, "css", await client.read(`on-demand/${name}.css`));
    await copyFonts(client, out, `fonts/${name}`);
  }
  return out.files;
}

/** Scripts that only some pages load: `islands` of pages with live components, `models` of pages that refer to models. */
export async function clientScripts(
  names: readonly ("islands" | "islands-ui" | "models" | "sign-in" | "signed-in" | "graph" | "workflow" | "xml")[],
  clientFolder?: string,
): Promise<readonly { readonly outputPath: string; readonly text: string }[]> {
  const client = clientReader(clientFolder);
  const scripts: { outputPath: string; text: string }[] = [];
  const out = createOutput(
    (outputPath, bytes) => void scripts.push({ outputPath, text: Buffer.from(bytes).toString() }),
  );
  for (const name of names) await out.hashed(name, "js", await client.read(`${name}.js`));
  return scripts;
}

/** What the playground needs for some requests only, see `PlaygroundParts`. */
export async function playgroundParts() {
  const [graph, workflow, xml] = await clientScripts(["graph", "workflow", "xml"]);
  return { signIn: await signInFiles(), graph: graph!, workflow: workflow!, xml: xml! };
}

/**
 * The script that signs readers of the playground in, and the page to which servers send them back. That page is
 * registered with clients, so its name has no hash.
 */
async function signInFiles(): Promise<readonly { readonly outputPath: string; readonly text: string }[]> {
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

async function writeFavicon({ config }: Site, out: ReturnType<typeof createOutput>): Promise<LightDark> {
  const { light, dark } = defaultFavicon(config);
  const lightPath = await out.hashed("favicon", "svg", Buffer.from(light));
  return { light: lightPath, dark: light === dark ? lightPath : await out.hashed("favicon", "svg", Buffer.from(dark)) };
}

/** Only known ones that the page menu of the site or of a page contains. */
async function writeMarks(
  { config, pages }: Site,
  client: ReturnType<typeof clientReader>,
  out: Output,
): Promise<Record<string, string>> {
  const marks: Record<string, string> = {};
  const options = new Set([config, ...pages].flatMap(({ contextual }) => contextual?.options ?? []));
  for (const file of options.size === 0 ? [] : await client.list("marks")) {
    const name = file.replace(/\.svg$/, "");
    if (options.has(name)) marks[name] = await out.hashed(`marks/${name}`, "svg", await client.read(`marks/${file}`));
  }
  return marks;
}

/** Whether a page may have a playground: it is about an API, and neither it nor the site chooses another display. */
const wantsPlayground = ({ config, pages }: Site): boolean =>
  pages.some(({ api, frontmatter }) => {
    const display = frontmatter["playground"] ?? config.api.playground.display;
    return display === "interactive" && (api !== undefined || frontmatter["api"] !== undefined);
  });

/** The script and the style sheet of the playground, and its messages in every language of the site. */
async function writePlayground(
  { pages }: Site,
  client: ReturnType<typeof clientReader>,
  out: Output,
): Promise<NonNullable<AssetManifest["playground"]>> {
  const script = await out.hashed("playground", "js", await client.read("playground.js"));
  const stylesheet = await out.hashed("playground", "css", await client.read("on-demand/playground.css"));
  const words: Record<string, string> = {};
  for (const language of new Set(pages.map((plan) => nearestLocale(languageTag(plan.language))))) {
    const text = `offprintPlayground("words",${JSON.stringify(playgroundMessages(readLocale(language)))});\n`;
    words[language] = await out.hashed(`playground/${language}`, "js", Buffer.from(text));
  }
  return { script, stylesheet, words };
}

/** The style sheets that this site needs: for its theme, its background, and a second font. */
function looksOf(config: SiteSettings, hasMono: boolean): string[] {
  const { decoration } = config.background;
  return [
    `themes/${config.theme}`,
    ...(decoration ? [`decorations/${decoration}`] : []),
    ...(hasMono ? ["faces/jetbrains-mono"] : []),
  ];
}

async function copyFonts(client: ReturnType<typeof clientReader>, out: Output, folder: string) {
  for (const name of await client.list(folder))
    await out.plain(`${folder}/${name}`, await client.read(`${folder}/${name}`));
}

async function partsOf(client: ReturnType<typeof clientReader>): Promise<Record<string, string>> {
  const parts: Record<string, string> = {};
  for (const file of await client.list("on-demand")) {
    const name = file.replace(/\.css$/, "");
    parts[name] = `${ourFolder}/${name}.${hashOf(await client.read(`on-demand/${file}`))}.css`;
  }
  return parts;
}

/** File name without folder and extension, in portable characters. */
const stemOf = (sourcePath: string): string =>
  sourcePath
    .slice(sourcePath.lastIndexOf("/") + 1)
    .replace(/\.[^.]*$/, "")
    .replace(/[^\w-]+/g, "-");
