import { locationOfSetting } from "../lib/diagnostic/index.js";
import { engineVersion } from "../lib/package-root.js";
import type { CallMain } from "../lib/queue/index.js";
import { componentDefinitions } from "../page/components/index.js";
import { createDiagramClient } from "../page/diagrams/index.js";
import { createCode } from "../page/highlight/index.js";
import { createMath } from "../page/math/index.js";
import { createRenderer } from "../page/render/index.js";
import type { ContentStage } from "./content-stage.js";
import type { PageThread } from "./open-page-thread.js";

export type RenderStage = Awaited<ReturnType<typeof createRenderStage>>;

/** Tree -> HTML of the page's body. */
export async function createRenderStage(
  { site, bodySite, files, bodyAddresses, measure, icons, assets, cache }: PageThread,
  { readInline }: ContentStage,
  call: CallMain,
) {
  const code = createCode({
    style: bodySite.config.styling.codeblocks,
    files,
    locationOfGrammar: (index) => locationOfSetting(site.config, `styling.codeblocks.languages.custom[${index}]`),
    cache,
    version: engineVersion(),
  });
  const renderer = await createRenderer({
    site: bodySite,
    addresses: bodyAddresses,
    measure,
    components: componentDefinitions,
    code,
    math: createMath(),
    diagrams: createDiagramClient((sources) => call("diagrams", sources)),
    icons,
    parts: assets.parts,
    componentParts: assets.componentParts,
    parseInline: readInline,
  });
  // About the site's own grammars.
  return { ...renderer, diagnostics: code.diagnostics };
}
