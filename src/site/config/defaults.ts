import type { SiteConfig, SpecRefs } from "./site-config.js";

export const noSpecs = { openapi: [], asyncapi: [], graphql: [], arazzo: [] } as const satisfies SpecRefs;

export const configDefaults = {
  theme: "mint",
  name: "Documentation",
  colors: { primary: "#0F766E", light: "#2DD4BF", dark: "#0F766E" },
  appearance: { default: "system", strict: false },
  fonts: {},
  icons: { library: "fontawesome" },
  background: {},
  styling: {
    codeblocks: { mode: "system", theme: { light: "github-light-default", dark: "dark-plus" }, customLanguages: [] },
  },
  thumbnails: {},
  navbar: { links: [] },
  footer: { socials: [], links: [] },
  interaction: {},
  feedback: { edits: false, issues: false },
  redirects: [],
  variables: {},
  metadata: { timestamp: false },
  notFound: { redirect: true },
  markdown: { schema: true, instructions: [] },
  seo: { indexing: "navigable", metatags: {}, paths: [], trailingSlash: false },
  search: {},
  variations: [],
  integrations: {},
  api: {
    ...noSpecs,
    playground: { display: "interactive", proxy: true, credentials: false },
    params: { expanded: "closed", order: "required", post: [] },
    downloads: true,
    examples: { languages: [], defaults: "examples", prefill: false, autogenerate: true },
    mdx: { servers: [] },
  },
  navigation: { children: [], global: [], ...noSpecs },
} as const satisfies Omit<SiteConfig, "sourcePath" | "locations">;

/** Defaults of optional parts, which apply only if the part is present. */
export const partDefaults = {
  banner: { dismissible: false, type: "info" },
  contextual: { display: "header" },
  redirect: { permanent: true },
} as const;
