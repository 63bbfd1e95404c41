/**
 * In:  the plan of a page, its tree as content gives it (snippets, variables and expressions done), the definitions of
 *      the components, and ports that draw code, formulas, diagrams and icons.
 * Out: the page's own HTML, with every link and picture relative to where the page will stand and nothing in it that
 *      runs code but the scripts its writer put there; and what the site needs of it: outline, links with their places,
 *      requests to other hosts, style sheets, files, diagnostics.
 *
 * The way: survey the tree -> wait for the ports -> remark-rehype with our handlers -> tidy -> HTML.
 */
export { createRenderer, type Renderer, type RendererOptions } from "./create-renderer.js";
export type { InlineParser } from "./inline-markdown.js";
export type { CodePort, DiagramPort, IconPort, MathPort } from "./ports.js";
export type { ExternalUse, LinkUse, PageSection, RenderedPage, TocEntry } from "./rendered-page.js";
