import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { languageTag } from "../../../lib/language/index.js";
import type { NavbarLink } from "../../../site/config/index.js";
import type { NavLink, NavSection } from "../../../site/site.js";
import { Glyph, iconOfLink, socialName, tintOf } from "../icons.js";
import { type Level, sectionLabel } from "../sections.js";
import type { ChromeContext } from "./chrome-context.js";

/**
 * A menu that opens without a script. Each entry links to the counterpart of the current page, if there is one.
 *
 * @param label what the switcher selects, in the reader's language.
 */
export function switcher(context: ChromeContext, level: Level, label: string): JsxNode {
  const { kind, options } = level;
  const isLanguage = kind === "language";
  const hook = kind === "product" ? "nav-dropdown-products-selector" : "nav-dropdown";
  const active = level.active ?? options[0];
  const text = active ? sectionLabel(active) : label;
  return (
    <details class={`menu menu-${kind}`} name="menu">
      <summary
        id={isLanguage ? "localization-select-trigger" : undefined}
        class={`menu-trigger ${hook}-trigger`}
        aria-label={active ? `${label}: ${text}${active.tag ? ` ${active.tag}` : ""}` : undefined}
      >
        {isLanguage ? <Glyph name="globe" /> : active && menuIcon(context, active, hook)}
        <span class="menu-label">{text}</span>
        {active && sectionTag(active)}
        <Glyph name="down" className="menu-arrow" />
      </summary>
      <ul id={isLanguage ? "localization-select-content" : undefined} class={`menu-panel ${hook}-content`}>
        {options.map((option) => (
          <li>
            {menuItem(context, option, option === level.active, hook, isLanguage ? "localization-select-item" : "")}
            {menuOf(context, option)}
          </li>
        ))}
        {globalLinks(context, kind).map((link) => (
          <li>
            <a class={`menu-item ${hook}-item`} {...outside(context, link.href)} {...inLanguage(link)}>
              {menuIcon(context, link, hook)}
              <span class={`${hook}-item-title`}>{sectionLabel(link)}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The menu entries of a tab or a product. */
export const menuEntries = ({ site }: ChromeContext, section: NavSection): NavSection[] =>
  section.children.map((id) => site.sections[id]!).filter((child) => child.kind === "menu" && !child.hidden);

function menuOf(context: ChromeContext, section: NavSection): JsxNode | undefined {
  const entries = menuEntries(context, section);
  if (entries.length === 0) return undefined;
  return <ul class="menu-entries">{entries.map((entry) => MenuEntry(context, entry))}</ul>;
}

export const MenuEntry = (context: ChromeContext, entry: NavSection): JsxNode => (
  <li>{menuItem(context, entry, context.division.sections.includes(entry.id), "nav-dropdown", "")}</li>
);

const menuItem = (
  context: ChromeContext,
  section: NavSection,
  active: boolean,
  hook: string,
  className: string,
): JsxNode => (
  <a
    class={`menu-item ${hook}-item ${className}`.trimEnd()}
    {...activeMark(active)}
    {...sectionLink(context, section, section.kind !== "menu")}
    {...inLanguage(section)}
  >
    {menuIcon(context, section, hook)}
    <span class="nav-dropdown-item-text-container">
      <span class={`${hook}-item-title`}>{sectionLabel(section)}</span>
      {sectionTag(section)}
      {section.description && " "}
      {section.description && <span class={`${hook}-item-description`}>{section.description}</span>}
    </span>
  </a>
);

/** The name of a language is written in that language, as is the linked page. */
const inLanguage = ({ kind, label }: Pick<NavSection, "kind" | "label">): LinkAttributes =>
  kind === "language" ? { lang: languageTag(label), hreflang: languageTag(label) } : {};

/** A space before the tag makes screen readers read two words. */
const sectionTag = ({ tag }: NavSection): JsxNode | undefined =>
  tag ? (
    <>
      {" "}
      <span class="menu-tag">{tag}</span>
    </>
  ) : undefined;

const menuIcon = (context: ChromeContext, entry: Pick<NavSection, "icon" | "color">, hook: string) =>
  tintedIcon(context, entry, `${hook}-item-icon`);

export function tintedIcon(
  context: ChromeContext,
  { icon, color }: Pick<NavSection, "icon" | "color">,
  className: string,
): JsxNode | undefined {
  const glyph = context.icons.of(icon);
  if (!glyph) return undefined;
  return (
    <span class={className} data-tint={tintOf(color)}>
      {glyph}
    </span>
  );
}

type LinkAttributes = Record<string, string | undefined>;

/** Attributes of a link to a section. With `toCounterpart`, each page fills in the link to its counterpart. */
export function sectionLink(context: ChromeContext, section: NavSection, toCounterpart = false): LinkAttributes {
  if (section.landing !== undefined && toCounterpart) return { "data-mark": `s${section.id} href` };
  if (section.landing !== undefined) return { href: context.links.page(context.prefix, section.landing) };
  return outside(context, section.href ?? "#");
}

/** Attributes that mark an entry as active. */
export const activeMark = (active: boolean): LinkAttributes =>
  active ? { "data-active": "true", "aria-current": "true" } : {};

export function outside({ links, prefix }: Pick<ChromeContext, "links" | "prefix">, written: string): LinkAttributes {
  const { href, external } = links.written(prefix, written);
  return external ? { href, target: "_blank", rel: "noreferrer" } : { href };
}

/**
 * A link in the header or the footer. Without a label, it is an icon with a name for screen readers and on hover.
 *
 * @param layer classes of an element below the words, which style sheets of sites paint instead of the link.
 */
export function frameLink(
  context: ChromeContext,
  link: Omit<NavbarLink, "type"> & { readonly type?: string },
  { layer, ...attributes }: LinkAttributes & { readonly layer?: string } = {},
): JsxNode {
  const glyph = context.icons.of(iconOfLink(link));
  const label = frameLabel(link);
  const name = label || (link.title ?? socialName(link.icon?.name ?? ""));
  const title = glyph && label === "" ? name : link.title;
  const words = [glyph, (label !== "" || !glyph) && <span class={layer && "z-10"}>{name}</span>];
  return (
    <a
      {...attributes}
      {...outside(context, link.href)}
      title={title}
      aria-label={glyph && label === "" ? name : undefined}
    >
      {layer === undefined ? words : [<span class={layer}></span>, <div>{words}</div>]}
    </a>
  );
}

/** The visible label of a link; empty if it shows only its icon. A link to GitHub shows the repository. */
export function frameLabel({ label, title, type, href }: Parameters<typeof frameLink>[1]): string {
  if (label !== undefined || title !== undefined) return label ?? "";
  if (type !== "github") return type === "discord" ? socialName(type) : "";
  return /github\.com\/([^/?#]+\/[^/?#]+)/i.exec(href)?.[1] ?? "GitHub";
}

/** Links on every page: those of the site, and those of the sections around this division. */
export function globalLinks({ site, division }: ChromeContext, kind: NavLink["kind"]): NavLink[] {
  const sectionLinks = division.sections.flatMap((id) => site.sections[id]!.globalLinks);
  const all = site.globalLinks.length > 0 ? [...site.globalLinks, ...sectionLinks] : sectionLinks;
  const seen = new Set<string>();
  return all.filter((link) => {
    const key = `${link.label} ${link.href}`;
    return link.kind === kind && !seen.has(key) && seen.add(key);
  });
}

/** The first level of this kind. If the kind has only global links, a level without options. */
export function levelOfKind(context: ChromeContext, levels: readonly Level[], kind: Level["kind"]): Level | undefined {
  const levelWithOptions = levels.find((level) => level.kind === kind);
  return levelWithOptions ?? (globalLinks(context, kind).length > 0 ? { kind, options: [] } : undefined);
}
