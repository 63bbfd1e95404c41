import { nearestName } from "../../lib/diagnostic/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { configDefaults } from "./defaults.js";
import { type JsonValue, locationOf, memberOf } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import { byKind, converted, flag, list, object, oneOf, type Reader, reader, text, withDefaults } from "./readers.js";
import { reportInvalid } from "./report-setting.js";
import type { CodeblockStyle, LightDark, SiteConfig } from "./site-config.js";
import { completePair, fontChoice, fontFields, hexColor, href, iconLibrary, imagePair, sitePath } from "./values.js";

export function primaryMissing(value: JsonValue) {
  const what = `The site has no "colors.primary", the color of links and buttons; a default is used.`;
  const fix = `add "colors": { "primary": "${configDefaults.colors.primary}" } with the color you want.`;
  return { code: "CONFIG_KEY_MISSING", severity: "warning", what, location: locationOf(value), fix } as const;
}

const codeDefaults: CodeblockStyle = configDefaults.styling.codeblocks;
const { codeThemes } = knownNames;

/** Names of Shiki; `css-variables` means the colors of the site's own style sheet. */
const codeTheme = reader<string>(
  (value, report) => {
    const name = text(value, report);
    if (name === undefined || codeThemes.includes(name)) return name;
    const near = nearestName(name, codeThemes);
    const expected = 'the name of a Shiki theme, such as "github-light-default"';
    return reportInvalid(value, report, expected, near && `write "${near}".`);
  },
  () => ({ enum: codeThemes }),
);

/** `system`, `dark`, or one theme for both modes. */
const codeStyle = reader<CodeblockStyle>(
  (value, report) => {
    const written = value.kind === "string" ? value.value : undefined;
    if (written === "system") return codeDefaults;
    const { dark } = codeDefaults.theme;
    const near = written && !codeThemes.includes(written) ? nearestName(written, ["system", "dark"]) : undefined;
    if (near && near !== written) return reportInvalid(value, report, '"system" or "dark"', `write "${near}".`);
    if (written === "dark") return { ...codeDefaults, mode: "dark", theme: { light: dark, dark } };
    const name = codeTheme(value, report);
    return name === undefined ? undefined : { ...codeDefaults, mode: "theme", theme: { light: name, dark: name } };
  },
  () => ({ enum: ["system", "dark", ...codeThemes] }),
);

const codeblocks: Reader<CodeblockStyle> = byKind({
  string: codeStyle,
  object: converted(
    object({
      theme: byKind<Omit<CodeblockStyle, "customLanguages">>({
        string: codeStyle,
        object: converted(object({ light: codeTheme, dark: codeTheme }), (pair) => ({
          mode: "theme",
          theme: { ...codeDefaults.theme, ...completePair(pair) } satisfies LightDark,
        })),
      }),
      languages: object({ custom: list(sitePath) }),
    }),
    ({ theme, languages }) => ({
      ...codeDefaults,
      ...theme,
      customLanguages: languages?.custom ?? codeDefaults.customLanguages,
    }),
  ),
});

/** `light` and `dark` default to `primary`. */
const colors: Reader<SiteConfig["colors"]> = converted(
  object({ primary: hexColor, light: hexColor, dark: hexColor }),
  (read, value, report) => {
    if (memberOf(value, "primary") === undefined) report(primaryMissing(value));
    const primary = read.primary ?? read.dark ?? read.light;
    return primary === undefined ? undefined : { primary, light: read.light ?? primary, dark: read.dark ?? primary };
  },
);

const logo: Reader<NonNullable<SiteConfig["logo"]>> = byKind({
  string: imagePair,
  object: converted(object({ light: text, dark: text, href }), ({ href: home, ...pair }) => {
    const images = completePair(pair);
    return images && withoutUndefined({ ...images, href: home });
  }),
});

/** One font for everything, one each for headings and text, or both, in which case the specific one wins. */
const fonts: Reader<SiteConfig["fonts"]> = converted(
  object({ ...fontFields, heading: object(fontFields), body: object(fontFields) }),
  ({ heading, body, ...all }) => {
    const choice = (font: typeof heading) => fontChoice(font?.family === undefined ? { ...all, ...font } : font);
    return withoutUndefined({ heading: choice(heading), body: choice(body) });
  },
);

export const appearanceFields = {
  theme: oneOf(["mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"]),
  colors,
  logo,
  favicon: imagePair,
  appearance: withDefaults<SiteConfig["appearance"]>(
    configDefaults.appearance,
    object({ default: oneOf(["system", "light", "dark"]), strict: flag }),
  ),
  fonts,
  icons: withDefaults<SiteConfig["icons"]>(configDefaults.icons, object({ library: iconLibrary })),
  background: object({
    decoration: oneOf(["gradient", "grid", "windows"]),
    color: object({ light: hexColor, dark: hexColor }),
    image: imagePair,
  }),
  styling: withDefaults<SiteConfig["styling"]>(
    configDefaults.styling,
    object({ eyebrows: oneOf(["section", "breadcrumbs"]), latex: flag, codeblocks }),
  ),
  thumbnails: converted(
    object({ appearance: oneOf(["light", "dark"]), background: text, fonts: object({ family: text }) }),
    ({ fonts, ...rest }) => withoutUndefined({ ...rest, fontFamily: fonts?.family }),
  ),
};
