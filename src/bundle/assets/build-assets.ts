import { createHash } from "node:crypto";
import { type Diagnostic, locationOfSetting } from "../../lib/diagnostic/index.js";
import { languageTag, nearestLocale, playgroundMessages, readLocale } from "../../lib/language/index.js";
import { isImageData } from "../../lib/url/index.js";
import type { ExternalUse } from "../../page/render/index.js";
import type { AssetManifest } from "../../page/theme/index.js";
import type { LightDark, SiteSettings } from "../../site/config/index.js";
import { filesOfPair } from "../../site/config/index.js";
import { type Addresses, hrefOf, type Origin } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { BundleFile } from "../archive/index.js";
import { clientReader } from "./client-reader.js";
import { siteFonts } from "./fonts.js";
import { redirectScript } from "./redirect-script.js";
import { siteCss } from "./site-css.js";
import { speculationRules } from "./speculation-rules.js";
import { utilityCss } from "./utilities.js";

export interface AssetsOptions {
  readonly site: Site;
  readonly addresses: Addresses;
  readonly files: SiteFiles;
  /** Colours of the code themes. */
  readonly codeThemeCss: string;
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
  /** External resources of the site's own styles and scripts, and its own scripts. */
  readonly external: readonly ExternalUse[];
  readonly diagnostics: readonly Diagnostic[];
}

const ourFolder = "_offprint";

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
  const common = await Promise.all(["app", ...looksOf(site.config)].map((name) => client.read(`${name}.css`)));
  const stylesheets = [await out.hashed("app", "css", Buffer.concat(common))];
  await copyFonts(client, out, "fonts");
  if (wantsMono(site.config)) await copyFonts(client, out, "fonts/jetbrains-mono");
  const searchScript = await out.hashed("search", "js", await client.read("search.js"));
  await out.hashed("licenses", "txt", await client.read("licenses.txt"));

  const location = { sourcePath: site.config.sourcePath };
  const named = (source: string) => namedFile(source, addresses, location);
  const fonts = siteFonts(site.config, site.staticFiles, named);
  diagnostics.push(...fonts.diagnostics, ...missingImages(site, named));
  external.push(...fonts.external);
  for (const image of namedImages(site.config, ["logo", "background.image"])) {
    const file = named(image.source);
    if (file?.isRemote) external.push({ kind: "image", url: file.href, location: image.location });
  }
  const own = [siteCss(site, (source) => named(source)?.href), fonts.css, options.codeThemeCss];
  stylesheets.push(await out.hashed("site", "css", Buffer.from(own.filter(Boolean).join("\n"))));
  const utilities = await utilityCss(site.config, site.classNames);
  if (utilities) stylesheets.push(await out.hashed("utilities", "css", Buffer.from(utilities)));

  for (const sourcePath of site.styles) {
    // Loading the parser takes 20 ms, and few sites need it.
    const { siteStyle } = await import("./site-styles.js");
    const hrefIn = (written: string): string => {
      const target = addresses.resolve(written, { sourcePath });
      return target.kind === "unsafe" ? written : hrefOf(target, `${ourFolder}/site/style.css`);
    };
    const style = siteStyle(sourcePath, files.readText(sourcePath), hrefIn);
    external.push(...style.external);
    diagnostics.push(...style.diagnostics);
    if (style.code.length > 0) stylesheets.push(await out.hashed(`site/${stemOf(sourcePath)}`, "css", style.code));
  }
  for (const sourcePath of site.scripts) {
    external.push({ kind: "script", url: sourcePath, location: { sourcePath } });
    scripts.push(await out.hashed(`site/${stemOf(sourcePath)}`, "js", files.readBytes(sourcePath)));
  }
  const speculation = await out.hashed("pages", "speculationrules", Buffer.from(speculationRules(site)));
  const { rules } = addresses.redirects().check();
  const redirects = redirectScript(rules, Buffer.from(await client.read("redirects.js")).toString("utf8"));
  const manifest: AssetManifest = {
    stylesheets,
    headScript,
    redirectScript: redirects && (await out.hashed("redirects", "js", Buffer.from(redirects))),
    scripts,
    ...(site.config.contextual?.print
      ? { printScript: await out.hashed("print", "js", await client.read("print.js")) }
      : {}),
    searchScript,
    ...(wantsPlayground(site) ? { playground: await writePlayground(site, client, out) } : {}),
    parts: await partsOf(client),
    marks: await writeMarks(site, client, out),
    favicon: faviconOf(site, named),
  };
  return { manifest, files: out.files, speculationRules: speculation, external, diagnostics };
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
    await out.hashed(name, "css", await client.read(`parts/${name}.css`));
    await copyFonts(client, out, `fonts/${name}`);
  }
  return out.files;
}

/** Only known ones that the page menu of the site contains. */
async function writeMarks(
  { config }: Site,
  client: ReturnType<typeof clientReader>,
  out: ReturnType<typeof createOutput>,
): Promise<Record<string, string>> {
  const marks: Record<string, string> = {};
  const options = config.contextual?.options ?? [];
  for (const file of options.length === 0 ? [] : await client.list("marks")) {
    const name = file.replace(/\.svg$/, "");
    if (options.includes(name))
      marks[name] = await out.hashed(`marks/${name}`, "svg", await client.read(`marks/${file}`));
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
  out: ReturnType<typeof createOutput>,
): Promise<NonNullable<AssetManifest["playground"]>> {
  const script = await out.hashed("playground", "js", await client.read("playground.js"));
  const stylesheet = await out.hashed("playground", "css", await client.read("parts/playground.css"));
  const words: Record<string, string> = {};
  for (const language of new Set(pages.map((plan) => nearestLocale(languageTag(plan.language))))) {
    const text = `offprintPlayground("words",${JSON.stringify(playgroundMessages(readLocale(language)))});\n`;
    words[language] = await out.hashed(`playground/${language}`, "js", Buffer.from(text));
  }
  return { script, stylesheet, words };
}

/** The style sheets that this site needs: for its theme, its background, and a second font. */
function looksOf(config: SiteSettings): string[] {
  const { decoration } = config.background;
  return [
    `themes/${config.theme}`,
    ...(decoration ? [`decorations/${decoration}`] : []),
    ...(wantsMono(config) ? ["faces/jetbrains-mono"] : []),
  ];
}

const wantsMono = ({ theme, fonts }: SiteSettings): boolean =>
  theme === "linden" || [fonts.heading, fonts.body].some((font) => /^jetbrains mono\b/i.test(font?.family ?? ""));

async function copyFonts(
  client: ReturnType<typeof clientReader>,
  out: ReturnType<typeof createOutput>,
  folder: string,
) {
  for (const name of await client.list(folder))
    await out.plain(`${folder}/${name}`, await client.read(`${folder}/${name}`));
}

async function partsOf(client: ReturnType<typeof clientReader>): Promise<Record<string, string>> {
  const parts: Record<string, string> = {};
  for (const file of await client.list("parts")) {
    const name = file.replace(/\.css$/, "");
    parts[name] = `${ourFolder}/${name}.${hashOf(await client.read(`parts/${file}`))}.css`;
  }
  return parts;
}

function createOutput(write: AssetsOptions["write"]) {
  const files: BundleFile[] = [];
  const put = async (path: string, bytes: Uint8Array): Promise<string> => {
    await write(path, bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    files.push({ path, bytes: bytes.length, sha256 });
    return path;
  };
  return {
    files,
    plain: (name: string, bytes: Uint8Array) => put(`${ourFolder}/${name}`, bytes),
    /** Returns the path; its name contains a hash of the content. */
    hashed: (name: string, extension: string, bytes: Uint8Array) =>
      put(`${ourFolder}/${name}.${hashOf(bytes)}.${extension}`, bytes),
  };
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, 8);

/** File name without folder and extension, in portable characters. */
const stemOf = (sourcePath: string): string =>
  sourcePath
    .slice(sourcePath.lastIndexOf("/") + 1)
    .replace(/\.[^.]*$/, "")
    .replace(/[^\w-]+/g, "-");

/** A file that docs.json names. */
export interface NamedFile {
  /** Relative to the style sheets in our folder. */
  readonly href: string;
  /** Path in the bundle, unless it is external. */
  readonly outputPath?: string;
  /** Loaded from another host. */
  readonly isRemote: boolean;
}
type FindNamed = (source: string) => NamedFile | undefined;

function namedFile(source: string, addresses: Addresses, settings: Origin): NamedFile | undefined {
  if (isImageData(source)) return { href: source, isRemote: false };
  const target = addresses.resolve(source, settings);
  if (target.kind === "external") return target.host ? { href: target.url, isRemote: true } : undefined;
  if (target.kind !== "file") return undefined;
  return { href: hrefOf(target, `${ourFolder}/site.css`), outputPath: target.outputPath, isRemote: false };
}

/** The favicon from docs.json, or a file named `favicon` at the root. */
function faviconOf(site: Site, named: FindNamed): LightDark | undefined {
  const { favicon } = site.config;
  if (!favicon) {
    const found = ["favicon.svg", "favicon.ico", "favicon.png"].find((path) => site.staticFiles.includes(path));
    return found === undefined ? undefined : { light: found, dark: found };
  }
  const light = named(favicon.light)?.outputPath;
  const dark = named(favicon.dark)?.outputPath;
  return light !== undefined && dark !== undefined ? { light, dark } : undefined;
}

type ImageSetting = "logo" | "favicon" | "background.image";

/** The images in the settings, each with the location of its first setting. */
function namedImages(config: SiteSettings, settings: readonly ImageSetting[]) {
  const pairs = { logo: config.logo, favicon: config.favicon, "background.image": config.background.image };
  return settings.flatMap((setting) =>
    filesOfPair(pairs[setting]).map(([mode, source]) => ({
      setting,
      source,
      location: locationOfSetting(config, `${setting}.${mode}`),
    })),
  );
}

function missingImages({ config }: Site, named: FindNamed): Diagnostic[] {
  return namedImages(config, ["favicon", "background.image"]).flatMap(({ setting, source, location }): Diagnostic[] => {
    const file = named(source);
    // Browsers load the favicon first, so it never comes from another host.
    if (file && (setting !== "favicon" || !file.isRemote)) return [];
    return [
      {
        code: setting === "favicon" ? "FAVICON_NOT_FOUND" : "BACKGROUND_NOT_FOUND",
        severity: "warning",
        what: `${setting} is "${source}", and the site has no such file, so it is left out.`,
        location,
        fix: "write the path of an image of the site.",
      },
    ];
  });
}
