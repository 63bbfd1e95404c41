import { createHeadMetadata, isPublicAddress, type PageOutputs, specDownloads } from "../bundle/outputs/index.js";
import { scopesFor, searchScopes } from "../bundle/search/index.js";
import { locationOfKey } from "../page/content/index.js";
import type { RenderedPage } from "../page/render/index.js";
import { createTheme, type Theme } from "../page/theme/index.js";
import type { PagePlan, Site } from "../site/site.js";
import { createIconChecks } from "./icon-checks.js";
import { createInlineTexts, type InlineText, type PreparedTexts } from "./inline-texts.js";
import type { PageThread } from "./open-page-thread.js";
import type { RenderStage } from "./render-stage.js";

/** A page's whole document, with what its texts and its icon add to what the body reports. */
export interface PageDocument extends Pick<RenderedPage, "uses" | "external" | "stylesheets" | "diagnostics"> {
  /** In pieces: see `Theme.document`. */
  readonly html: readonly string[];
}

export interface ThemeStage {
  document(plan: PagePlan, source: string, body: RenderedPage, outputs: PageOutputs): Promise<PageDocument>;
  readonly theme: Theme;
  readonly checkIcon: ReturnType<typeof createIconChecks>;
  /** Renders banners and `texts` for a page; the theme's next document contains them. */
  prepareTexts(plan: PagePlan, texts: readonly InlineText[], root?: string): Promise<PreparedTexts>;
  /** Whether the bundle has a file at this output path, as far as it is known before the pages are made. */
  isBundled(outputPath: string): boolean;
}

/** Body -> document. */
export function createThemeStage(thread: PageThread, renderer: RenderStage): ThemeStage {
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
  const isBundled = (path: string): boolean => bundled.has(path) || thread.embeddedPaths.has(path);
  const checkIcon = createIconChecks(icons, isBundled, addresses);
  const banners = bannersOf(site);
  /** Of a menu that the page itself sets; `checkIcon` knows those of the site. */
  const ownIcons = ({ contextual }: PagePlan) =>
    (contextual?.options ?? []).flatMap((option) => (typeof option === "string" ? [] : (option.icon ?? [])));
  const menuSheets = ({ contextual }: PagePlan): string[] =>
    (contextual ? contextual.options.length > 0 : site.config.contextual) ? [assets.parts["page-menu"]!] : [];
  const prepareTexts: ThemeStage["prepareTexts"] = (plan, texts, root) =>
    inline.prepare(plan, [...texts, ...banners], root);

  return {
    theme,
    checkIcon,
    prepareTexts,
    isBundled,
    async document(plan, source, body, { feed, markdown }) {
      const locationOf = (key: string) => locationOfKey(source, plan.sourcePath, key);
      const description = { markdown: plan.description, location: () => locationOf("description") };
      const texts = await prepareTexts(plan, [description]);
      const icons = [
        ...(plan.icon ? [checkIcon(plan.icon, () => locationOf("icon"))] : []),
        ...ownIcons(plan).map((icon) => checkIcon(icon, () => locationOf("contextual"))),
      ];
      const stylesheets = [...new Set([...body.stylesheets, ...texts.stylesheets, ...menuSheets(plan)])];
      const metadata = head(plan, { hasFeed: feed !== undefined });
      return {
        html: theme.document(plan, { ...body, stylesheets }, { metadata, feed, markdown }),
        uses: [...body.uses, ...texts.uses],
        external: [...body.external, ...texts.external, ...icons.flatMap(({ external }) => external)],
        stylesheets,
        diagnostics: [...body.diagnostics, ...texts.diagnostics, ...icons.flatMap(({ diagnostics }) => diagnostics)],
      };
    },
  };
}

function bannersOf({ config, sections }: Site): InlineText[] {
  const banners = [config.banner, ...sections.map((section) => section.banner)];
  return banners.flatMap((banner) =>
    banner ? [{ markdown: banner.content, location: () => banner.location ?? { sourcePath: config.sourcePath } }] : [],
  );
}
