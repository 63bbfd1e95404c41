/**
 * In:  the plan of a page, its tree from page/content (snippets, variables and expressions evaluated), the components,
 *      and ports that render code, formulas, diagrams and icons.
 * Out: the page's own HTML, with links and images relative to its output path and no code except the page's own
 *      scripts; and facts for the rest of the site: outline, links with their locations, requests to other hosts,
 *      style sheets, files, diagnostics.
 *
 * Steps: collect requirements -> wait for the ports -> remark-rehype with our handlers -> normalize -> HTML.
 */

export { createRenderer, type Renderer, type RendererOptions } from "./create-renderer.js";
export { iconAtAddress } from "./css-urls.js";
export { misspeltProperty } from "./element-attributes.js";
export { createHtmlJoiner } from "./html-nodes.js";
export { createImageMeter, type ImageMeter } from "./image-meter.js";
export { isElement, isTextElement } from "./nodes.js";
export type { CodePort, DiagramPort, IconChoice, IconPort, MathPort } from "./ports.js";
export { isRecord } from "./prop-values.js";
export type { ExternalUse, LinkUse, PageSection, RenderedPage, TocEntry } from "./rendered-page.js";
