import { type Diagnostic, type Location, locationOfSetting } from "../../lib/diagnostic/index.js";
import { encodePath } from "../../lib/url/index.js";
import type { ExternalUse } from "../../page/render/index.js";
import type { FontChoice, SiteSettings } from "../../site/config/index.js";
import { type FontMetrics, type StandIn, standIns } from "./font-metrics.js";

export interface SiteFonts {
  /** `@font-face` rules and the custom properties that use them. */
  readonly css: string;
  /** Whether body text is in the font that we ship: by the theme, or because the site's font is missing. */
  readonly usesInter: boolean;
  /** Output path of the `.woff2` file with the font of body text; undefined if the site has no such file. */
  readonly bodyFile: string | undefined;
  /** External fonts. */
  readonly external: readonly ExternalUse[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The families that we ship, each with its fallback of the same metrics. */
const inter = '"Inter","Inter Fallback"';
const vendored: ReadonlyMap<string, string> = new Map([
  ["inter", inter],
  ["inter variable", inter],
  ["jetbrains mono", '"JetBrains Mono","JetBrains Mono Fallback",monospace'],
]);
const formats: ReadonlyMap<string, string> = new Map([
  ["woff2", "woff2"],
  ["woff", "woff"],
  ["ttf", "truetype"],
  ["otf", "opentype"],
]);

/** A file that docs.json names. */
export interface NamedFile {
  /** Relative to the style sheets in our folder. */
  readonly href: string;
  /** Path in the bundle, unless it is external. */
  readonly outputPath?: string;
  /** Loaded from another host. */
  readonly isRemote: boolean;
}

/**
 * Fonts from docs.json: files of the site, or external files. A family without a file is searched for among the font
 * files of the site; nothing is fetched.
 *
 * @param staticFiles paths of the site's files
 * @param find resolves a path or URL in docs.json
 * @param metricsOf of a file of the bundle; where it knows them, the family has stand-ins with the same metrics
 */
export function siteFonts(
  config: SiteSettings,
  staticFiles: readonly string[],
  find: (source: string) => NamedFile | undefined,
  metricsOf: (outputPath: string) => FontMetrics | undefined = () => undefined,
): SiteFonts {
  const faces = new Map<string, string>();
  const properties: string[] = [];
  const external: ExternalUse[] = [];
  const diagnostics: Diagnostic[] = [];
  let bodyFile: string | undefined;
  let usesInter = config.theme !== "linden";

  const use = (font: FontChoice, role: "heading" | "body") => {
    const ours = font.source ? undefined : vendored.get(font.family.toLowerCase());
    const name = font.family;
    const files = font.source ? [font.source] : ours ? [] : filesOf(name, staticFiles);
    if (role === "body") usesInter = ours === inter || (!ours && files.length === 0);
    const fallback = `${name} Fallback`;
    let hasFallback = false;
    // The setting is for one role, or for both.
    const locationOf = (field: "family" | "source"): Location => {
      const roleSetting = `fonts.${role}.${field}`;
      return locationOfSetting(config, config.locations.has(roleSetting) ? roleSetting : `fonts.${field}`);
    };
    for (const file of files) {
      const target = find(font.source ?? encodePath(file));
      if (target === undefined) {
        diagnostics.push(
          missing(`fonts.source is "${file}", but the site has no such file.`, font, locationOf("source")),
        );
        continue;
      }
      if (/\.css(?:$|[?#])|\/css2?\?/i.test(file)) {
        const what = `fonts.source is ${JSON.stringify(file)}, which is a style sheet and not a font, so readers see the default font.`;
        diagnostics.push(missing(what, font, locationOf("source")));
        continue;
      }
      if (target.isRemote) external.push({ kind: "style", url: target.href, location: locationOf("source") });
      faces.set(`${name} ${file}`, faceOf(name, font, target.href, file));
      if (target.outputPath === undefined || isItalic(file)) continue;
      const weight = weightOf(file, font);
      if (role === "body" && /\.woff2$/i.test(file) && (bodyFile === undefined || weight === "400"))
        bodyFile = target.outputPath;
      const metrics = metricsOf(target.outputPath);
      if (metrics === undefined) continue;
      hasFallback = true;
      faces.set(`${fallback} ${file}`, standInFaces(fallback, metrics, weight));
    }
    if (files.length === 0 && !ours)
      diagnostics.push(
        missing(
          `The font "${name}" is not a file of the site, so readers who do not have it see the default font.`,
          font,
          locationOf("family"),
        ),
      );
    const after = files.length === 0 ? `,${inter}` : hasFallback ? `,${quote(fallback)}` : "";
    const families = ours ?? quote(name) + after;
    properties.push(`--font-${role}:${families},system-ui,sans-serif;`);
    if (font.weight !== undefined) properties.push(`--weight-${role}:${font.weight};`);
  };
  const { heading, body } = config.fonts;
  if (body) use(body, "body");
  if (heading) use(heading, "heading");

  const seen = new Set<string>();
  const unique = diagnostics.filter(({ what }) => !seen.has(what) && seen.add(what));
  const css = properties.length > 0 ? `${[...faces.values()].join("")}html[data-theme]{${properties.join("")}}` : "";
  return { css, usesInter, bodyFile, external, diagnostics: unique };
}

/** Whether the site uses the second font that we ship: by its theme, its settings or its own style sheets. */
export function wantsMono({ theme, fonts }: SiteSettings, styles: readonly string[]): boolean {
  const named = [fonts.heading, fonts.body].some(
    (font) => font?.source === undefined && /^jetbrains mono$/i.test(font?.family ?? ""),
  );
  return theme === "linden" || named || styles.some((text) => /\bjetbrains mono\b/i.test(text));
}

function faceOf(name: string, font: FontChoice, href: string, file: string): string {
  const format = formats.get(font.format ?? /\.(\w+)(?:[?#].*)?$/.exec(file)?.[1]?.toLowerCase() ?? "");
  const source = `url(${quote(href)})${format ? ` format("${format}")` : ""}`;
  const weight = weightOf(file, font);
  const style = isItalic(file) ? "italic" : "normal";
  return `@font-face{font-family:${quote(name)};src:${source};font-weight:${weight};font-style:${style};font-display:swap}`;
}

const isItalic = (file: string): boolean => /italic|oblique/i.test(file);

function standInFaces(family: string, metrics: FontMetrics, weight: string): string {
  const [from, to = from] = weight.split(" ").map(Number);
  return standIns(metrics, [from!, to!])
    .map((standIn) => standInFace(`font-family:${quote(family)};font-weight:${standIn.weights.join(" ")}`, standIn))
    .join("");
}

function standInFace(descriptors: string, { names, adjust }: StandIn): string {
  const source = names.map((name) => `local(${quote(name)})`).join();
  const sizes = Object.entries(adjust).map(([name, value]) => `;${name}:${percent(value)}`);
  return `@font-face{${descriptors};src:${source}${sizes.join("")}}`;
}

/**
 * Stand-ins for the faces of a style sheet, with the same families, weights and characters. They precede the style sheet:
 * of two such faces, browsers use the later one once it has loaded. All weights of a face have the same stand-in.
 *
 * @param metricsOf of the file at an address in the style sheet
 */
export function facesBefore(css: string, metricsOf: (url: string) => FontMetrics | undefined): string {
  let out = "";
  for (const [, body] of css.replace(/\/\*.*?(?:\*\/|$)/gs, " ").matchAll(/@font-face\s*\{([^{}]*)\}/gi)) {
    const url = /\burl\(\s*["']?([^"')\s]+)/i.exec(body!)?.[1];
    const metrics = url === undefined ? undefined : metricsOf(url);
    if (metrics === undefined) continue;
    const descriptors = body!.match(/\b(?:font-(?:family|weight|style|stretch)|unicode-range)\s*:[^;]+/gi) ?? [];
    const isBold = descriptors.some((descriptor) => /^font-weight\s*:\s*(?:bold|[6-9]\d\d)/i.test(descriptor));
    const weights = isBold ? ([600, 900] as const) : ([400, 400] as const);
    for (const standIn of standIns(metrics, weights)) out += standInFace(descriptors.join(";"), standIn);
  }
  return out;
}

const percent = (value: number): string => `${Math.round(value * 1_000) / 10}%`;

const weightNames: readonly (readonly [RegExp, string])[] = [
  [/variable|\[wght\]|-vf\b/i, "100 900"],
  [/extra-?light/i, "200"],
  [/thin/i, "100"],
  [/light/i, "300"],
  [/medium/i, "500"],
  [/semi-?bold|demi/i, "600"],
  [/extra-?bold/i, "800"],
  [/black|heavy/i, "900"],
  [/bold/i, "700"],
  [/regular/i, "400"],
];

/** Several files have their weight in their names; a single file serves every weight. */
function weightOf(file: string, font: FontChoice): string {
  if (font.source) return "100 900";
  return weightNames.find(([pattern]) => pattern.test(file))?.[1] ?? "100 900";
}

/** Font files of the site named after the family: `fonts/Geist-Bold.woff2` for "Geist". */
function filesOf(family: string, staticFiles: readonly string[]): string[] {
  const lettersOfFamily = family.replace(/[^a-z\d]/gi, "").toLowerCase();
  return staticFiles.filter((path) => {
    const name = /([^/]+)\.(woff2?|ttf|otf)$/i.exec(path)?.[1];
    if (name === undefined || lettersOfFamily === "") return false;
    const plain = name
      .split(/[-_[.]/)[0]!
      .replace(/[^a-z\d]/gi, "")
      .toLowerCase();
    return plain === lettersOfFamily || plain === `${lettersOfFamily}variable`;
  });
}

function missing(what: string, { family }: FontChoice, location: Location): Diagnostic {
  const fix = `add the font's .woff2 file to the site, and write {"family": "${family}", "source": "/fonts/file.woff2", "format": "woff2"}.`;
  return { code: "FONT_NOT_FOUND", severity: "warning", what, location, fix };
}

/** A CSS string that cannot end early. */
export const quote = (text: string): string =>
  `"${text.replace(/[\\"<>\n\r\f\0]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}"`;
