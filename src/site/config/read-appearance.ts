import { nearestName } from "../../lib/diagnostic/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { configDefaults } from "./defaults.js";
import { type JsonValue, locationOf, type Report } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import {
  byForm,
  described,
  flag,
  list,
  object,
  oneOf,
  type Reader,
  schemaOf,
  text,
  turned,
  withDefaults,
  wrong,
} from "./readers.js";
import type { CodeblockStyle, LightDark, SiteConfig } from "./site-config.js";
import { filled, fontChoice, fontFields, hexColor, href, iconLibrary, imagePair, sitePath } from "./values.js";

/** Readers of the settings for the look of a site. */

export const theme = oneOf(["mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"]);

const writtenColors = object({ primary: hexColor, light: hexColor, dark: hexColor });

/** `primary` is the default of the others. */
export const colors = described<Reader<SiteConfig["colors"]>>(
  (value, report) => {
    const read = writtenColors(value, report);
    if (read === undefined) return undefined;
    if (value.kind === "object" && !value.members.some(({ name }) => name === "primary")) {
      report(primaryMissing(value));
    }
    const primary = read.primary ?? read.dark ?? read.light;
    if (primary === undefined) return undefined;
    return { primary, light: read.light ?? primary, dark: read.dark ?? primary };
  },
  () => schemaOf(writtenColors),
);

export function primaryMissing(value: JsonValue) {
  return {
    code: "CONFIG_KEY_MISSING",
    severity: "warning",
    what: `The site has no "colors.primary", the color of links and buttons; a default is used.`,
    location: locationOf(value),
    fix: `add "colors": { "primary": "${configDefaults.colors.primary}" } with your own color.`,
  } as const;
}

export const logo: Reader<NonNullable<SiteConfig["logo"]>> = byForm({
  string: imagePair,
  object: turned(object({ light: text, dark: text, href }), ({ light, dark, href: home }) => {
    const images = filled({ light, dark });
    return images && withoutUndefined({ ...images, href: home });
  }),
});

export const appearance = withDefaults<SiteConfig["appearance"]>(
  configDefaults.appearance,
  object({ default: oneOf(["system", "light", "dark"]), strict: flag }),
);

/** One font for all, one each for headings and text, or both: then the specific one wins. */
export const fonts: Reader<SiteConfig["fonts"]> = turned(
  object({ ...fontFields, heading: object(fontFields), body: object(fontFields) }),
  ({ heading, body, ...all }) => {
    const choice = (own: typeof heading) => fontChoice(own?.family === undefined ? { ...all, ...own } : own);
    return withoutUndefined({ heading: choice(heading), body: choice(body) });
  },
);

export const icons = withDefaults<SiteConfig["icons"]>(configDefaults.icons, object({ library: iconLibrary }));

export const background: Reader<SiteConfig["background"]> = object({
  decoration: oneOf(["gradient", "grid", "windows"]),
  color: object({ light: hexColor, dark: hexColor }),
  image: imagePair,
});

const codeDefaults: CodeblockStyle = configDefaults.styling.codeblocks;

const codeStyle = described<Reader<CodeblockStyle>>(codeblockStyle, () => ({
  enum: ["system", "dark", ...knownNames.codeThemes],
}));
const themeReader = described<Reader<string>>(themeName, () => ({ enum: knownNames.codeThemes }));

const codeblocks: Reader<CodeblockStyle> = byForm({
  string: codeStyle,
  object: turned(
    object({
      theme: byForm<Omit<CodeblockStyle, "customLanguages">>({
        string: codeStyle,
        object: turned(object({ light: themeReader, dark: themeReader }), (pair) => ({
          mode: "theme",
          theme: { ...codeDefaults.theme, ...filled(pair) } satisfies LightDark,
        })),
      }),
      languages: object({ custom: list(sitePath) }),
    }),
    (read) => ({
      ...codeDefaults,
      ...read.theme,
      customLanguages: read.languages?.custom ?? codeDefaults.customLanguages,
    }),
  ),
});

/** `system`, `dark`, or one theme for both modes. */
function codeblockStyle(value: JsonValue, report: Report): CodeblockStyle | undefined {
  if (value.kind === "string" && value.value === "system") return codeDefaults;
  const { dark } = codeDefaults.theme;
  if (value.kind === "string" && value.value === "dark")
    return { ...codeDefaults, mode: "dark", theme: { light: dark, dark } };
  const name = themeName(value, report);
  return name === undefined ? undefined : { ...codeDefaults, mode: "theme", theme: { light: name, dark: name } };
}

/** Names of Shiki; `css-variables` means the colors of the site's own style sheet. */
function themeName(value: JsonValue, report: Report): string | undefined {
  const name = text(value, report);
  if (name === undefined || knownNames.codeThemes.includes(name)) return name;
  const near = nearestName(name, knownNames.codeThemes);
  return wrong(value, report, 'the name of a Shiki theme, such as "github-light-default"', near && `write "${near}".`);
}

export const styling = withDefaults<SiteConfig["styling"]>(
  configDefaults.styling,
  object({ eyebrows: oneOf(["section", "breadcrumbs"]), latex: flag, codeblocks }),
);

export const thumbnails: Reader<SiteConfig["thumbnails"]> = turned(
  object({ appearance: oneOf(["light", "dark"]), background: text, fonts: object({ family: text }) }),
  ({ fonts, ...rest }) => withoutUndefined({ ...rest, fontFamily: fonts?.family }),
);
