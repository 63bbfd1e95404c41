import type { ElementContent } from "hast";
import { isPublicAddress } from "../../bundle/outputs/address.js";
import { createHeadMetadata } from "../../bundle/outputs/head-metadata.js";
import type { PageOutputs } from "../../bundle/outputs/page-outputs.js";
import { specDownloads } from "../../bundle/outputs/spec-downloads.js";
import { scopesFor, searchScopes } from "../../bundle/search/index.js";
import { type Diagnostic, type Location, quoted, warningOf } from "../../lib/diagnostic/index.js";
import { raw } from "../../lib/jsx/raw.js";
import { locationOfKey } from "../../page/content/index.js";
import type { IconPort, RenderedPage, Renderer } from "../../page/render/index.js";
import { pictureOfIcon } from "../../page/theme/icons.js";
import { createTheme } from "../../page/theme/theme.js";
import type { IconChoice } from "../../site/config/index.js";
import { type Addresses, addImage } from "../../site/links/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import type { RenderStage } from "./body-stages.js";
import type { PageThread } from "./open-page-thread.js";

/** A page's whole document. The lists cover its body, its texts and its icons. */
export interface PageDocument extends Pick<RenderedPage, "uses" | "external" | "stylesheets" | "diagnostics"> {
  /** In parts: see `Theme.document`. */
  readonly html: readonly string[];
}

export type ThemeStage = ReturnType<typeof createThemeStage>;

/** Puts the document around the body of a page. */
export function createThemeStage(thread: PageThread, renderer: RenderStage) {
  const { frameSite: site, frameAddresses: addresses, assets, icons, baseUrl } = thread;
  const inline = createInlineTexts(renderer);
  const head = createHeadMetadata(site, { baseUrl });
  const scopes = searchScopes(site);
  const downloads = specDownloads(thread.site);
  const theme = createTheme({
    site,
    addresses,
    manifest: assets,
    icon: (choice) => icons.icon(choice).node,
    isPublic: isPublicAddress(baseUrl) && thread.features.assistants,
    imageSize: renderer.imageSize,
    specFile: (key) => downloads.get(key)?.spec,
    renderInline: inline.render,
    searchIndexes: (division) => scopesFor(site, scopes, division).map(({ id }) => id),
  });
  const bundled = new Set([
    ...thread.otherFiles,
    ...site.pages.map((plan) => plan.outputPath),
    // The theme reports these links; the check of each page must not report them again.
    ...theme.faults().targets,
  ]);
  /** Whether the bundle has a file at this output path, as far as that is known before the pages are made. */
  const isBundled = (path: string): boolean => bundled.has(path) || thread.embeddedPaths.has(path);
  const checkIcon = createIconChecks(icons, isBundled, addresses);
  const banners = bannersOf(site);
  /** Icons of a menu that the page itself sets; `checkIcon` checks those of the site. */
  const ownIcons = ({ contextual }: PagePlan) =>
    (contextual?.options ?? []).flatMap((option) => (typeof option === "string" ? [] : (option.icon ?? [])));
  const themeSheets = ({ contextual, directory }: PagePlan): string[] => {
    const hasMenu = contextual ? contextual.options.length > 0 : site.config.contextual;
    const hasDirectory = directory.style !== "none" && directory.pages.length > 0;
    return [...(hasMenu ? ["page-menu"] : []), ...(hasDirectory ? ["directory"] : [])].map(
      (name) => assets.parts[name]!,
    );
  };
  /** Renders banners and `texts` for a page; the theme's next document contains them. */
  const prepareTexts = (plan: PagePlan, texts: readonly InlineText[], root?: string): Promise<PreparedTexts> =>
    inline.prepare(plan, [...texts, ...banners], root);

  return {
    theme,
    checkIcon,
    prepareTexts,
    isBundled,
    async document(
      plan: PagePlan,
      source: () => string,
      body: RenderedPage,
      { feed, markdown }: PageOutputs,
    ): Promise<PageDocument> {
      const locationOf = (key: string) => locationOfKey(plan.sourcePath, source(), key);
      const description = { markdown: plan.description, location: () => locationOf("description") };
      const texts = await prepareTexts(plan, [description]);
      const icons = [
        ...(plan.icon ? [checkIcon(plan.icon, () => locationOf("icon"))] : []),
        ...ownIcons(plan).map((icon) => checkIcon(icon, () => locationOf("contextual"))),
      ];
      const stylesheets = [...new Set([...body.stylesheets, ...texts.stylesheets, ...themeSheets(plan)])];
      const metadata = head(plan, { hasFeed: feed !== undefined });
      return {
        html: theme.document(plan, { ...body, stylesheets }, { metadata, feed, markdown }),
        uses: [...body.uses, ...texts.uses],
        external: [...body.external, ...texts.external, ...icons.flatMap(({ external }) => external)],
        stylesheets,
        diagnostics: [
          ...body.diagnostics,
          ...texts.diagnostics,
          ...icons.flatMap(({ diagnostics }) => diagnostics),
          ...missingPreviews(plan, addresses, site.config.sourcePath, locationOf),
        ],
      };
    },
  };
}

/** Images of link previews in the front matter that the site does not have. */
const missingPreviews = (
  { frontmatter }: PagePlan,
  addresses: Addresses,
  settings: string,
  locationOf: (key: string) => Location,
): Diagnostic[] =>
  ["og:image", "twitter:image"].flatMap((key): Diagnostic[] => {
    const source = frontmatter[key];
    if (typeof source !== "string" || !/^[^\s:<#{][^:<{]*$/.test(source)) return [];
    const target = addresses.resolveFile(source, { sourcePath: settings }, "image");
    if (target.kind !== "missing") return [];
    const near = addresses.nearest(target);
    const what = `"${key}" is ${quoted(source)}, but the site has no such file, so links to the page have no picture.`;
    const fix = near ? `write "${near.path}".` : addImage(source);
    return [{ code: "IMAGE_NOT_FOUND", severity: "warning", what, location: locationOf(key), fix }];
  });

function bannersOf({ config, sections }: Site): InlineText[] {
  const banners = [config.banner, ...sections.map((section) => section.banner)];
  return banners.flatMap((banner) =>
    banner ? [{ markdown: banner.content, location: () => banner.location ?? { sourcePath: config.sourcePath } }] : [],
  );
}

interface InlineText {
  readonly markdown: string | undefined;
  /** Called only for a text with markup. */
  readonly location: () => Location;
}

/** Uses, style sheets and diagnostics of all texts together. */
type PreparedTexts = Pick<RenderedPage, "uses" | "external" | "stylesheets" | "diagnostics">;

/** Renders the short Markdown of settings and front matter in advance, since the theme asks for it synchronously. */
function createInlineTexts(renderer: Pick<Renderer, "renderInline">) {
  const prepared = new Map<string, string>();
  return {
    /** Renders texts as parts of a page. `root` precedes relative addresses, for a page shown at any address. */
    async prepare(plan: PagePlan, texts: readonly InlineText[], root = ""): Promise<PreparedTexts> {
      prepared.clear();
      const rendered = [];
      for (const [i, { markdown, location }] of texts.entries()) {
        if (markdown === undefined || !/[^\p{L}\p{N}\s.,;:'"()-]/u.test(markdown)) continue;
        const text = await renderer.renderInline(plan, markdown, location(), `text${i + 1}-`);
        prepared.set(markdown, withRoot(root, text.html));
        rendered.push(text);
      }
      return {
        uses: rendered.flatMap(({ uses }) => uses),
        external: rendered.flatMap(({ external }) => external),
        stylesheets: rendered.flatMap(({ stylesheets }) => stylesheets),
        diagnostics: rendered.flatMap(({ diagnostics }) => diagnostics),
      };
    },
    /** The HTML of a prepared text; a text without markup as it is. */
    render(markdown: string): ElementContent[] {
      const html = prepared.get(markdown);
      return html === undefined ? [{ type: "text", value: markdown }] : [raw(html)];
    },
  };
}

const withRoot = (root: string, html: string): string =>
  root === ""
    ? html
    : html.replace(/ (href|src)="(?![a-z][a-z0-9+.-]*:|[/#])/gi, (_, name: string) => ` ${name}="${root}`);

/**
 * Returns a function that finds the mistakes in an icon of the navigation or of a page's front matter, and what it loads from
 * other hosts.
 *
 * @param isFile whether the bundle has a file at an output path.
 */
function createIconChecks(icons: IconPort, isFile: (path: string) => boolean, addresses: Addresses) {
  const noFault = { diagnostics: [], external: [] };
  return (choice: IconChoice, location: () => Location): Pick<RenderedPage, "diagnostics" | "external"> => {
    const picture = pictureOfIcon(choice);
    if (picture && "url" in picture) {
      const target = addresses.resolveFile(picture.url, location(), "image");
      if (target.kind !== "external") return noFault;
      return { diagnostics: [], external: [{ kind: "image", url: target.url, location: location() }] };
    }
    const isThere = picture ? isFile(picture.sourcePath) : icons.icon(choice).diagnostics.length === 0;
    if (isThere) return noFault;
    const diagnostics = picture ? [iconNotFound(choice.name, location())] : icons.icon(choice, location()).diagnostics;
    return { diagnostics, external: [] };
  };
}

const iconNotFound = (name: string, location: Location): Diagnostic => ({
  ...warningOf("ICON_NOT_FOUND", location),
  what: `The icon is "${name}", but the site has no such file, so it is left out.`,
  fix: "write the path of an image in the site, or the name of an icon.",
});
