import { createHash } from "node:crypto";
import type { ElementContent } from "hast";
import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../../lib/language/index.js";
import type { Banner } from "../../../site/config/index.js";
import type { NavSection } from "../../../site/site.js";
import { Glyph, tintOf } from "../icons.js";
import { type Level, levelsOf, tabsOf } from "../sections.js";
import { themeTraits } from "../theme-options.js";
import type { ChromeContext } from "./chrome-context.js";
import { assistantEntry, searchEntry } from "./launchers.js";
import * as menus from "./menus.js";

/** Logo, switchers of the levels above the tabs, links, call to action, colour mode, and the tabs. */
export function Header(context: ChromeContext): JsxNode {
  const { site, division, messages, navbar } = context;
  const levels = levelsOf(site, division);
  const { at: tabsAt, shown } = tabsOf(levels);
  const tabBar = tabs(context, shown);
  const isOneRow = tabsFitBesideLogo(context);
  // A version below the tabs has its switcher in the sidebar.
  const version = menus.levelOfKind(context, levels, "version");
  const isOfSite = version && (tabsAt < 0 || levels.indexOf(version) < tabsAt);
  const language = menus.levelOfKind(context, levels, "language");
  const switchable = site.config.appearance.strict === false;
  return (
    <header id="navbar" class="site-header">
      <div class="navbar">
        <div class="navbar-start">
          <a id="mobile-nav-trigger" class="icon-button mobile-nav-trigger" href="#sidebar" aria-label={messages.menu}>
            <Glyph name="menu" />
          </a>
          {logo(context)}
          {isOfSite && menus.switcher(context, version, messages.version)}
        </div>
        {isOneRow && tabBar}
        {context.search && searchEntry(context.search, messages, site.config.search.prompt)}
        {context.assistant && assistantEntry(context.assistant, messages)}
        <div class="topbar-right-container">
          {(navbar.links.length > 0 || navbar.primary) && (
            <nav aria-label={site.config.name}>
              <ul class="navbar-links">
                {navbar.links.map((link) => (
                  <li class="navbar-link">{menus.frameLink(context, link)}</li>
                ))}
                {navbar.primary && (
                  <li id="topbar-cta-button">
                    {menus.frameLink(context, navbar.primary, {
                      class: "topbar-cta-button",
                      "data-component-name": "primary-header-button",
                      layer: "absolute bg-primary-dark",
                    })}
                  </li>
                )}
              </ul>
            </nav>
          )}
          {language && language.options.length !== 1 && menus.switcher(context, language, messages.language)}
          {switchable && (
            <button
              type="button"
              class="icon-button theme-toggle"
              data-component-name="theme-toggle"
              aria-label={messages.theme}
            >
              <Glyph name="sun" className="theme-toggle-light" />
              <Glyph name="moon" className="theme-toggle-dark" />
            </button>
          )}
        </div>
      </div>
      {!isOneRow && tabBar}
    </header>
  );
}

/** Width of the header on a screen of 1280 px, in pixels, without the search field and the colour mode button. */
const headerRoom = 960;
/** Sizes in the style sheet, in pixels. */
const logoHeight = 26;
const maxLogoWidth = 192;
const sidebarWidth = 296;

/** Whether the tabs are in the row of the logo: the theme wants it, and they fit, as estimated from their labels. */
export function tabsFitBesideLogo(context: ChromeContext): boolean {
  const { site, division, navbar } = context;
  if (!themeTraits[site.config.theme].tabsBesideLogo) return false;
  const levels = levelsOf(site, division);
  const shown = levels.filter(({ kind }) => kind === "version" || kind === "language");
  const tabs = [...(tabsOf(levels).shown?.options ?? []), ...menus.globalLinks(context, "tab")];
  const links = navbar.primary ? [...navbar.links, navbar.primary] : navbar.links;
  const { logo, name, theme } = site.config;
  const size = logo && context.imageSize(sitePath(logo.light));
  const logoWidth =
    size?.width && size.height ? logoHeight * (size.width / size.height) : logo ? maxLogoWidth : 10 * name.length;
  const home = themeTraits[theme].logoOverSidebar ? sidebarWidth : Math.min(logoWidth, maxLogoWidth);
  const widths = [
    ...shown.map(({ active }) => 60 + 8 * ((active?.label.length ?? 8) + (active?.tag?.length ?? 0))),
    ...tabs.map(({ label, icon }) => 30 + 8 * label.length + (icon ? 22 : 0)),
    ...links.map((link) => 50 + 8 * menus.frameLabel(link).length),
  ];
  return widths.reduce((sum, width) => sum + width, home) <= headerRoom;
}

/** The logo. If there is none or its file is missing, the site's name. */
function logo({ site, prefix, links, home, imageSize }: ChromeContext): JsxNode {
  const { logo, name } = site.config;
  const written = logo?.href === undefined ? undefined : links.written(prefix, logo.href).href;
  const href = written ?? (home === undefined ? `${prefix}index.html` : links.page(prefix, home));
  const light = logo && links.image(prefix, logo.light);
  const dark = logo && links.image(prefix, logo.dark);
  const image = (mode: "light" | "dark", className: string) => {
    const src = mode === "light" ? light : dark;
    if (src === undefined) return <span class={`nav-name ${className}`}>{name}</span>;
    const size = imageSize(sitePath(logo![mode]));
    return <img class={`nav-logo ${className}`} src={src} width={size?.width} height={size?.height} alt={name} />;
  };
  return (
    <a class="nav-home" href={href}>
      {light === dark ? (
        image("light", "")
      ) : (
        <>
          {image("light", "nav-logo-light")}
          {image("dark", "nav-logo-dark")}
        </>
      )}
    </a>
  );
}

const sitePath = (source: string): string => source.replace(/^\.?\//, "");

function tabs(context: ChromeContext, level: Level | undefined): JsxNode | undefined {
  const options = level?.options ?? [];
  const shared = menus
    .globalLinks(context, "tab")
    .filter(({ label }) => !options.some((option) => option.label === label));
  if (options.length === 0 && shared.length === 0) return undefined;
  const align = (section: NavSection) => section.align === "end";
  const item = (section: NavSection) => (
    <li data-align={section.align}>{tab(context, section, section === level?.active)}</li>
  );
  return (
    <div class="nav-tabs-bar">
      <nav aria-label={context.messages.navigation}>
        <ul class="nav-tabs">
          {options.filter((section) => !align(section)).map(item)}
          {shared.map((link) => (
            <li>
              <a class="nav-tabs-item" {...menus.outside(context, link.href)}>
                {context.icons.of(link.icon)}
                {link.label}
              </a>
            </li>
          ))}
          {options.filter(align).map(item)}
        </ul>
      </nav>
    </div>
  );
}

function tab(context: ChromeContext, section: NavSection, active: boolean): JsxNode {
  const label: JsxChild = [context.icons.of(section.icon), section.label];
  const items = menus.menuEntries(context, section);
  if (items.length === 0)
    return (
      <a class="nav-tabs-item" {...menus.activeMark(active)} {...menus.sectionLink(context, section)}>
        {label}
      </a>
    );
  return (
    <details class="menu menu-tab" name="menu">
      <summary class="nav-tabs-item" data-open-tab={active ? "true" : undefined}>
        {label}
        <Glyph name="down" className="menu-arrow" />
      </summary>
      <ul class="menu-panel nav-dropdown-content">{items.map((item) => menus.MenuEntry(context, item))}</ul>
    </details>
  );
}

/** The key under which a browser stores that the banner is closed. New content has a new key. */
export const bannerKey = ({ dismissible, content }: Banner): string | undefined =>
  dismissible ? createHash("sha256").update(content).digest("hex").slice(0, 8) : undefined;

export const bannerOf = (
  banner: Banner,
  messages: Messages,
  renderInline: (markdown: string) => ElementContent[],
): JsxNode => (
  <div
    id="banner"
    class="site-banner"
    role="region"
    aria-label={messages.announcement}
    data-banner-type={banner.type}
    data-tint={tintOf(banner.color)}
  >
    <div class="banner-content">{renderInline(banner.content)}</div>
    {banner.dismissible && (
      <button type="button" class="banner-dismiss" aria-label={messages.dismiss}>
        <Glyph name="close" />
      </button>
    )}
  </div>
);
