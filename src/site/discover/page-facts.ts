import { type Diagnostic, type Location, positionAt } from "../../lib/diagnostic/index.js";
import { isUnsafeUrl, nameOf } from "../../lib/url/index.js";
import { type Restriction, readRestriction } from "../audience.js";
import { type IconChoice, type IconLibrary, pageContextual } from "../config/index.js";
import type { Frontmatter, PagePlan } from "../site.js";
import type { DescribedFacts } from "./api/generated-pages.js";

/** Facts of a page for the plan, from its front matter. Absent if not written, or invalid. */
export interface PageFacts
  extends Pick<PagePlan, "title" | "sidebarTitle" | "description" | "icon" | "deprecated" | "noindex" | "contextual"> {
  readonly tag?: string;
  /** A safe link that replaces the page in the navigation. */
  readonly url?: string;
  /** A `url` that could run code in the reader's browser. */
  readonly refusedUrl?: string;
  readonly hidden?: boolean;
  /** Whether the page is not published yet. */
  readonly draft: boolean;
  readonly searchable?: boolean;
  readonly boost?: number;
  /** Faults of `contextual`. */
  readonly contextualFaults?: readonly Diagnostic[];
  /** `groups` of its front matter. */
  readonly ownRestriction?: Restriction;
  /** `ownRestriction` and those of the operation that the page documents. A reader must meet each. */
  readonly restrictions: readonly Restriction[];
  /** `public: true` of its front matter. It does not override `groups`. */
  readonly public: boolean;
  /** Protocol of the channel that it documents. */
  readonly protocol?: string;
}

/** @param described facts from the specification; front matter overrides them. */
export function pageFacts(
  frontmatter: Frontmatter,
  urlPath: string,
  siteName: string,
  described?: DescribedFacts,
): PageFacts {
  const ownTitle = textSetting(frontmatter, "title");
  const title = ownTitle ?? described?.title ?? titleFromPath(urlPath, siteName);
  const boost = Number(frontmatter["boost"] ?? Number.NaN);
  const ownRestriction = readRestriction(frontmatter["groups"]);
  return {
    title,
    sidebarTitle:
      textSetting(frontmatter, "sidebarTitle") ?? (ownTitle === undefined ? described?.sidebarTitle : undefined),
    description: textSetting(frontmatter, "description") ?? described?.description,
    icon: iconOf(frontmatter),
    tag: textSetting(frontmatter, "tag"),
    ...linkOf(frontmatter, urlPath),
    hidden: flagOf(frontmatter, "hidden") ?? (described?.hidden === true ? true : undefined),
    deprecated: flagOf(frontmatter, "deprecated") ?? described?.deprecated === true,
    draft: flagOf(frontmatter, "draft") === true,
    noindex: flagOf(frontmatter, "noindex") === true,
    searchable: flagOf(frontmatter, "searchable"),
    boost: boost > 0 && Number.isFinite(boost) ? boost : undefined,
    ...contextualOf(frontmatter),
    ownRestriction,
    restrictions: [...(ownRestriction ? [ownRestriction] : []), ...(described?.restrictions ?? [])],
    public: (flagOf(frontmatter, "public") ?? flagOf(frontmatter, "isPublic")) === true,
    protocol: described?.protocol,
  };
}

/** The texts of a page's plan that its front matter alone decides: those that it has. */
export const ownTexts = (frontmatter: Frontmatter): Partial<Pick<PagePlan, (typeof textNames)[number]>> =>
  Object.fromEntries(
    textNames.flatMap((name) => {
      const text = textSetting(frontmatter, name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
const textNames = ["title", "sidebarTitle", "description"] as const satisfies readonly (keyof PagePlan)[];

/** The link that replaces the page. */
export function linkOf(frontmatter: Frontmatter, urlPath: string): Pick<PageFacts, "url" | "refusedUrl"> {
  const url = textSetting(frontmatter, "url");
  // Ignore the page's own address, which translations may write without their language.
  if (url === undefined || url === urlPath || urlPath.endsWith(`/${url}`)) return {};
  return isUnsafeUrl(url) ? { refusedUrl: url } : { url };
}

/**
 * The last part of the address, with spaces for `-` and `_` and the first letter in upper case. The root page has the name of
 * the site, and a README the name of its folder.
 */
function titleFromPath(urlPath: string, siteName: string): string {
  const words = nameOf(urlPath.replace(/\/readme$/i, ""))
    .replace(/[-_]+/g, " ")
    .trim();
  return words === "" ? siteName : words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

function textSetting(frontmatter: Frontmatter, name: string): string | undefined {
  const value = frontmatter[name];
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function flagOf(frontmatter: Frontmatter, name: string): boolean | undefined {
  const value = frontmatter[name];
  return typeof value === "boolean" ? value : undefined;
}

function contextualOf(frontmatter: Frontmatter): Pick<PageFacts, "contextual" | "contextualFaults"> {
  const written = frontmatter["contextual"];
  if (written === undefined) return {};
  const faults: Diagnostic[] = [];
  const contextual = pageContextual(written, (fault) => {
    faults.push(typeof fault === "function" ? fault() : fault);
  });
  return { contextual, ...(faults.length > 0 && { contextualFaults: faults }) };
}

function iconOf(frontmatter: Frontmatter): IconChoice | undefined {
  const icon = frontmatter["icon"];
  const style = textSetting(frontmatter, "iconType");
  if (typeof icon === "string" && icon.trim() !== "") return { name: icon.trim(), ...(style && { style }) };
  if (icon === null || typeof icon !== "object" || Array.isArray(icon)) return undefined;
  const fields = icon as Frontmatter;
  const name = textSetting(fields, "name");
  const ownStyle = textSetting(fields, "style") ?? style;
  const library = libraries.find((name) => name === fields["library"]);
  return name ? { name, ...(ownStyle && { style: ownStyle }), ...(library && { library }) } : undefined;
}

const libraries: readonly IconLibrary[] = ["fontawesome", "lucide", "tabler"];

/** Location of the value of a front matter key, found without parsing. */
export function locationOfValue(sourcePath: string, text: string, key: string): Location {
  const line = new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*:[ \\t]*([^\\r\\n]*)`, "im").exec(
    text.slice(0, maxBlockLength),
  );
  if (!line) return { sourcePath };
  const value = line[1]!.trimEnd();
  // If the value is on the lines below, use the location of the key.
  const shown = value === "" ? line[0].trim() : value;
  const offset = line.index + line[0].indexOf(shown, value === "" ? 0 : line[0].length - line[1]!.length);
  return { sourcePath, ...positionAt(text, offset), length: Math.max(1, shown.length) };
}

const maxBlockLength = 64 * 1024;
