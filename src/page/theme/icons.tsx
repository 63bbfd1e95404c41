import type { ElementContent } from "hast";
import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { type IconChoice, type LightDark, socialNetworks } from "../../site/config/index.js";
import type { SidebarEntry, Site } from "../../site/site.js";
import paths from "./glyphs.json" with { type: "json" };
import { footersOf, navbarLinksOf } from "./sections.js";
import type { Links } from "./settings-links.js";
import names from "./social-names.json" with { type: "json" };

/** Renders an icon by name; undefined if there is no such icon. */
export type DrawIcon = (choice: IconChoice) => ElementContent | undefined;

export type Icons = ReturnType<typeof createIcons>;

/** Renders icons for pages at one depth. */
export const createIcons = (draw: DrawIcon, links: Links, prefix: string) => ({
  of(choice: IconChoice | undefined): JsxNode | undefined {
    if (!choice) return undefined;
    if (!isFile(choice.name)) return draw(choice);
    const src = links.image(prefix, choice.name);
    return src === undefined ? undefined : <img class="icon" src={src} width={16} height={16} alt="" />;
  },
});

/** Whether the name is the path or URL of an image. Inline SVG is not a file. */
const isFile = (name: string): boolean =>
  /^(\/|https?:\/\/)/i.test(name) || /^[^<\s]+\.(svg|png|jpe?g|webp|gif|ico)$/i.test(name);

/** The file or URL of an icon; undefined for an icon of the bundled sets. */
export function pictureOfIcon({
  name,
}: IconChoice): { readonly sourcePath: string } | { readonly url: string } | undefined {
  if (!isFile(name)) return undefined;
  if (/^https?:\/\//i.test(name)) return { url: name };
  return name.startsWith("//") ? { url: `https:${name}` } : { sourcePath: name.replace(/^\.?\//, "") };
}

/** The icons that docs.json names, each once. */
export function navigationIcons(site: Site): IconChoice[] {
  const icons = new Map<string, IconChoice>();
  const add = (choice: IconChoice | undefined) => {
    if (!choice) return;
    const key = `${choice.name} ${choice.style} ${choice.library}`;
    if (!icons.has(key)) icons.set(key, choice);
  };
  const addEntries = (entries: readonly SidebarEntry[]): void => {
    for (const entry of entries) {
      if (entry.type === "page") continue;
      add(entry.icon);
      if (entry.type === "group") addEntries(entry.entries);
    }
  };
  for (const division of site.divisions) addEntries(division.entries);
  for (const link of site.globalLinks) add(link.icon);
  for (const section of site.sections) {
    add(section.icon);
    for (const link of section.globalLinks) add(link.icon);
  }
  for (const link of navbarLinksOf(site)) add(iconOfLink(link));
  for (const { socials, links: columns } of footersOf(site)) {
    for (const { type } of socials) if (socialNetworks.includes(type)) add(socialIcon(type));
    for (const { items } of columns) for (const { icon } of items) add(icon);
  }
  for (const option of site.config.contextual?.options ?? []) if (typeof option !== "string") add(option.icon);
  return [...icons.values()];
}

export const iconOfLink = (link: { readonly type?: string; readonly icon?: IconChoice }): IconChoice | undefined =>
  link.icon ?? (link.type === "github" || link.type === "discord" ? socialIcon(link.type) : undefined);

export const socialName = (type: string): string =>
  socialNames.get(type) ?? type.charAt(0).toUpperCase() + type.slice(1);
const socialNames: ReadonlyMap<string, string> = new Map(Object.entries(names));

export const socialIcon = (type: string): IconChoice => ({
  name: type === "x" ? "x-twitter" : type === "website" ? "globe" : type,
  library: "fontawesome",
});

export type GlyphName = keyof typeof paths;

/** A glyph of the theme's own controls: an outline with a width of 2 in a box of 24 units. */
export const Glyph = ({ name, className }: { readonly name: GlyphName; readonly className?: string }): JsxNode => (
  <svg
    class={className ? `drawing ${className}` : "drawing"}
    viewBox="0 0 24 24"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);

/** The value of `data-tint` for a pair of colours in the site's own style sheet: `ff0000-cc0000`. */
export const tintOf = (color: LightDark | undefined): string | undefined =>
  color && `${color.light.slice(1)}-${color.dark.slice(1)}`;
