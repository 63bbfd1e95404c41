/**
 * In:  the files of a site.
 * Out: `SiteConfig`, what docs.json (or mint.json) says with every default filled in, and a diagnostic at its place for
 *      everything in it that cannot be meant.
 */
export { configDefaults } from "./defaults.js";
export { filesOfPair } from "./image-pair.js";
export { type LoadedConfig, loadConfig } from "./load-config.js";
export type * from "./site-config.js";
export type {
  ApiConfig,
  Banner,
  CodeblockStyle,
  ContextualOption,
  Directory,
  FontChoice,
  Footer,
  IconChoice,
  IconLibrary,
  LightDark,
  Navbar,
  NavbarLink,
  NavContainer,
  NavEntry,
  Navigation,
  NavKind,
  NavPage,
  Redirect,
  Seo,
  SiteConfig,
  SiteSettings,
  SpecRef,
  ThemeName,
} from "./site-config.js";
