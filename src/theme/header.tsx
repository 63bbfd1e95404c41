import type { ElementContent } from "hast";
import type { Navbar, NavbarLink } from "../config/site-config.js";
import type { Division, NavLink, NavSection, Site } from "../discover/site.js";
import type { JsxChild, JsxNode } from "../jsx/jsx-runtime.js";
import type { Strings } from "../language/index.js";
import { languageName } from "../language/index.js";
import { Drawing } from "./drawings.js";
import { type Icons, iconOfLink, socialName } from "./icons.js";
import type { Links } from "./links.js";
import { type Level, levelsOf } from "./sections.js";
import { tintOf } from "./tint.js";

/** What the parts around a page are made from: one for each division and depth. */
export interface FrameContext {
  readonly site: Site;
  readonly division: Division;
  readonly prefix: string;
  readonly links: Links;
  readonly icons: Icons;
  readonly words: Strings;
  readonly navbar: Navbar;
  /** Page that the logo opens. */
  readonly home?: number;
  readonly renderInline: (markdown: string) => ElementContent[];
}

/** Logo, switchers that stand above the tabs, links, call to action, colour mode; below them the tabs. */
export function Header(context: FrameContext): JsxNode {
  const { site, division, words, navbar } = context;
  const levels = levelsOf(site, division);
  const firstTab = levels.findIndex((level) => level.kind === "tab");
  const version = levels.find((level, at) => level.kind === "version" && (firstTab < 0 || at < firstTab));
  const language = levels.find((level) => level.kind === "language");
  const switchable = site.config.appearance.strict === false;
  return (
    <header id="header" class="site-header">
      <div id="navbar" class="navbar">
        <a id="mobile-nav-trigger" class="icon-button" href="#sidebar" aria-label={words.menu}>
          <Drawing name="menu" />
        </a>
        {logo(context)}
        {version && switcher(context, version, "version", words.version)}
        <div class="topbar-right-container">
          <nav class="navbar-links" aria-label={site.config.name}>
            {navbar.links.map((link) => navbarLink(context, link, "navbar-link"))}
            {navbar.primary && navbarLink(context, navbar.primary, "topbar-cta-button", "topbar-cta-button")}
          </nav>
          {language && language.options.length > 1 && switcher(context, language, "language", words.language)}
          {switchable && (
            <button
              type="button"
              class="icon-button theme-toggle"
              data-component-name="theme-toggle"
              aria-label={words.theme}
            >
              <Drawing name="sun" className="theme-toggle-light" />
              <Drawing name="moon" className="theme-toggle-dark" />
            </button>
          )}
        </div>
      </div>
      {tabs(context, levels[firstTab])}
    </header>
  );
}

/** Width of the header that a screen of 1280 px leaves, in pixels; a search field and the colour mode are taken off. */
const headerRoom = 960;

/** Whether logo, tabs and links fit into one row, reckoned from the length of their labels. */
export function tabsFitBesideLogo(context: FrameContext): boolean {
  const { site, division, navbar } = context;
  const levels = levelsOf(site, division);
  const shown = levels.filter(({ kind }) => kind === "version" || kind === "language");
  const tabs = [...(levels.find(({ kind }) => kind === "tab")?.options ?? []), ...globalLinks(context, "tab")];
  const links = navbar.primary ? [...navbar.links, navbar.primary] : navbar.links;
  const logo = site.config.logo ? 192 : 10 * site.config.name.length;
  const widths = [
    ...shown.map(({ active }) => 60 + 8 * ((active?.label.length ?? 8) + (active?.tag?.length ?? 0))),
    ...tabs.map(({ label, icon }) => 30 + 8 * label.length + (icon ? 22 : 0)),
    ...links.map((link) => 50 + 8 * labelOf(link).length),
  ];
  return widths.reduce((sum, width) => sum + width, logo) <= headerRoom;
}

/** The site's name where it has no logo, or where the file is missing. */
function logo({ site, prefix, links, home }: FrameContext): JsxNode {
  const { logo, name } = site.config;
  const written = logo?.href === undefined ? undefined : links.written(prefix, logo.href).href;
  const href = written ?? (home === undefined ? `${prefix}index.html` : links.page(prefix, home));
  const light = logo && links.image(prefix, logo.light);
  const dark = logo && links.image(prefix, logo.dark);
  const image = (src: string | undefined, className: string) =>
    src === undefined ? (
      <span class={`nav-name ${className}`}>{name}</span>
    ) : (
      <img class={`nav-logo ${className}`} src={src} alt={name} />
    );
  return (
    <a class="nav-home" href={href}>
      {light === dark ? (
        image(light, "")
      ) : (
        <>
          {image(light, "nav-logo-light")}
          {image(dark, "nav-logo-dark")}
        </>
      )}
    </a>
  );
}

function navbarLink(context: FrameContext, link: NavbarLink, className: string, id?: string): JsxNode {
  const { href, external } = context.links.written(context.prefix, link.href);
  const drawing = context.icons.of(iconOfLink(link));
  return (
    <a
      id={id}
      class={className}
      href={href}
      target={external ? "_blank" : undefined}
      rel={external ? "noreferrer" : undefined}
      data-component-name={id && "primary-header-button"}
    >
      {drawing}
      <span>{labelOf(link)}</span>
    </a>
  );
}

const labelOf = (link: NavbarLink): string =>
  link.label ?? (link.type === "github" ? repository(link.href) : socialName(link.type));

const repository = (href: string): string => /github\.com\/([^/?#]+\/[^/?#]+)/i.exec(href)?.[1] ?? "GitHub";

/** A menu that opens without script; each entry leads to the same page over there if it exists. */
export function switcher(context: FrameContext, level: Level, kind: string, label: string): JsxNode {
  const text = (section: NavSection) => (section.kind === "language" ? languageName(section.label) : section.label);
  const hook = kind === "language" ? "localization-select" : `nav-dropdown`;
  const products = level.kind === "product" ? "-products-selector" : "";
  const active = level.active ?? level.options[0]!;
  return (
    <details class={`menu menu-${kind}`} name="menu">
      <summary
        id={kind === "language" ? `${hook}-trigger` : undefined}
        class={`menu-trigger nav-dropdown${products}-trigger`}
        aria-label={`${label}: ${text(active)}`}
      >
        {kind === "language" ? <Drawing name="globe" /> : menuIcon(context, active, products)}
        <span class="menu-label">{text(active)}</span>
        {active.tag && <span class="menu-tag">{active.tag}</span>}
        <Drawing name="down" className="menu-arrow" />
      </summary>
      <ul id={kind === "language" ? `${hook}-content` : undefined} class={`menu-panel nav-dropdown${products}-content`}>
        {level.options.map((option) => (
          <li>
            <a
              class={`menu-item nav-dropdown${products}-item`}
              data-active={option === level.active ? "true" : undefined}
              aria-current={option === level.active ? "true" : undefined}
              {...sectionLink(context, option, true)}
            >
              {menuIcon(context, option, products)}
              <span class={`nav-dropdown-item-text-container`}>
                <span class={`nav-dropdown${products}-item-title`}>
                  {text(option)}
                  {option.tag && <span class="menu-tag">{option.tag}</span>}
                </span>
                {option.description && (
                  <span class={`nav-dropdown${products}-item-description`}>{option.description}</span>
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function menuIcon(context: FrameContext, section: NavSection, products: string): JsxNode | undefined {
  const drawing = context.icons.of(section.icon);
  if (!drawing) return undefined;
  return (
    <span class={`nav-dropdown${products}-item-icon`} data-tint={tintOf(section.color)}>
      {drawing}
    </span>
  );
}

/** Attributes of a link to a section. With `same`, the page's own counterpart there is put in for each page. */
function sectionLink(context: FrameContext, section: NavSection, same = false): Record<string, string | undefined> {
  if (section.landing !== undefined && same) return { "data-mark": `s${section.id} href` };
  if (section.landing !== undefined) return { href: context.links.page(context.prefix, section.landing) };
  return outside(context, section.href ?? "#");
}

function outside(context: FrameContext, written: string): Record<string, string | undefined> {
  const { href, external } = context.links.written(context.prefix, written);
  return external ? { href, target: "_blank", rel: "noreferrer" } : { href };
}

function tabs(context: FrameContext, level: Level | undefined): JsxNode | undefined {
  const shared = globalLinks(context, "tab");
  if (level === undefined && shared.length === 0) return undefined;
  const align = (section: NavSection) => section.align === "end";
  const item = (section: NavSection) => (
    <li data-align={section.align}>{tab(context, section, section === level?.active)}</li>
  );
  const options = level?.options ?? [];
  return (
    <nav class="nav-tabs-bar" aria-label={context.words.navigation}>
      <ul class="nav-tabs">
        {options.filter((section) => !align(section)).map(item)}
        {shared.map((link) => (
          <li>
            <a class="nav-tabs-item" {...outside(context, link.href)}>
              {context.icons.of(link.icon)}
              {link.label}
            </a>
          </li>
        ))}
        {options.filter(align).map(item)}
      </ul>
    </nav>
  );
}

function tab(context: FrameContext, section: NavSection, active: boolean): JsxNode {
  const { site, icons } = context;
  const label: JsxChild = [icons.of(section.icon), section.label];
  const items = section.children
    .map((id) => site.sections[id]!)
    .filter((child) => child.kind === "menu" && !child.hidden);
  if (items.length === 0)
    return (
      <a
        class="nav-tabs-item"
        data-active={active ? "true" : undefined}
        aria-current={active ? "true" : undefined}
        {...sectionLink(context, section)}
      >
        {label}
      </a>
    );
  return (
    <details class="menu menu-tab" name="menu">
      <summary class="nav-tabs-item" data-open-tab={active ? "true" : undefined}>
        {label}
        <Drawing name="down" className="menu-arrow" />
      </summary>
      <ul class="menu-panel nav-dropdown-content">
        {items.map((item) => (
          <li>
            <a
              class="menu-item nav-dropdown-item"
              data-active={context.division.sections.includes(item.id) ? "true" : undefined}
              {...sectionLink(context, item)}
            >
              {menuIcon(context, item, "")}
              <span class="nav-dropdown-item-text-container">
                <span class="nav-dropdown-item-title">{item.label}</span>
                {item.description && <span class="nav-dropdown-item-description">{item.description}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What stands above the groups of a sidebar: switchers not in the header, then the anchors. */
export function SidebarHead(context: FrameContext): JsxNode {
  const { site, division, words } = context;
  const levels = levelsOf(site, division);
  const firstTab = levels.findIndex((level) => level.kind === "tab");
  const labels: Record<string, string> = { product: words.product, version: words.version, dropdown: words.navigation };
  const switchers = levels.filter(
    (level, at) =>
      level.kind === "product" ||
      level.kind === "dropdown" ||
      (level.kind === "version" && firstTab >= 0 && at > firstTab),
  );
  const deeperTabs = levels.filter((level, at) => level.kind === "tab" && at > firstTab);
  const anchors = levels.filter((level) => level.kind === "anchor");
  const shared = globalLinks(context, "anchor");
  return (
    <>
      {switchers.map((level) => switcher(context, level, level.kind, labels[level.kind]!))}
      {(anchors.length > 0 || deeperTabs.length > 0 || shared.length > 0) && (
        <ul class="nav-anchors">
          {[...deeperTabs, ...anchors].flatMap((level) =>
            level.options.map((section) => (
              <li>
                <a
                  class="nav-anchor"
                  data-active={section === level.active ? "true" : undefined}
                  {...sectionLink(context, section)}
                >
                  {anchorIcon(context, section)}
                  {section.label}
                </a>
              </li>
            )),
          )}
          {shared.map((link) => (
            <li>
              <a class="nav-anchor" {...outside(context, link.href)}>
                {anchorIcon(context, link)}
                {link.label}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const anchorIcon = (context: FrameContext, { icon, color }: Pick<NavLink, "icon" | "color">): JsxNode | undefined => {
  const drawing = context.icons.of(icon);
  if (!drawing) return undefined;
  return (
    <span class="nav-anchor-icon" data-tint={tintOf(color)}>
      {drawing}
    </span>
  );
};

/** Links shown beside every page: the site's, and those of the sections around this division. */
function globalLinks({ site, division }: FrameContext, kind: NavLink["kind"]): NavLink[] {
  const own = division.sections.flatMap((id) => site.sections[id]!.globalLinks);
  const all = site.globalLinks.length > 0 ? [...site.globalLinks, ...own] : own;
  const seen = new Set<string>();
  return all.filter((link) => {
    const key = `${link.label} ${link.href}`;
    return link.kind === kind && !seen.has(key) && seen.add(key);
  });
}
