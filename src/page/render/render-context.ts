import type { ElementContent } from "hast";
import type { Messages } from "../../lib/language/index.js";
import type { IconLibrary } from "../../site/config/index.js";
import type { Addresses } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import type { ComponentDefinition } from "../components/index.js";
import type { ImageMeter } from "./image-meter.js";
import type { InlineReader } from "./inline-markdown.js";
import type { SharedRequirements } from "./page-requirements.js";
import type { CodePort, IconPort, MathPort } from "./ports.js";
import type { SharedHtmls } from "./shared-html.js";

/** What all pages of a site share while they are rendered. */
export interface RenderTools {
  readonly components: ReadonlyMap<string, ComponentDefinition>;
  readonly iconLibrary: IconLibrary;
  readonly code: CodePort;
  readonly math: MathPort;
  readonly icons: IconPort;
  readonly addresses: Addresses;
  readonly measure: ImageMeter;
  readonly readInline: InlineReader;
  readonly sharedHtml: SharedHtmls;
  readonly sharedRequirements: SharedRequirements;
}

/** What one page is rendered with. */
export interface RenderContext {
  readonly tools: RenderTools;
  readonly plan: PagePlan;
  /** Texts of the components, in the language of the page. */
  readonly messages: Messages;
  /** Diagrams, rendered beforehand, by the node of their source. */
  readonly diagrams: ReadonlyMap<object, ElementContent>;
  /** Whether the text is collected for the search. */
  readonly searchable: boolean;
}
