import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { ElementContent } from "hast";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { createPageIds, type PageIds } from "./page-ids.js";
import type { ExternalUse, LinkUse, PageSection, TocEntry } from "./rendered-page.js";

/** Repetitions of one mistake that a repair can mend at once. */
const mostPlaces = 1000;

/**
 * The style sheet of what the code of a page shows: the `style` attributes as classes, and what `style` elements of live
 * components hold.
 */
class IslandStyles {
  /** How often something has used the style sheet. */
  useCount = 0;
  private readonly rules = new Map<string, string>();

  /** The class that has these declarations. An id in the selector, which no page has, lets it win as an attribute would. */
  classOf(declarations: string, pagePath: string): string {
    this.useCount++;
    const name = `style-${hashOf(declarations)}`;
    const own = fromSheet(declarations.replace(/[{}]/g, ""), pagePath);
    this.rules.set(name, `.${name}:not(#\\_):not(#\\_){${own}}`);
    return name;
  }

  add(css: string, pagePath: string): void {
    this.useCount++;
    this.rules.set(css, fromSheet(css, pagePath));
  }

  /** Absent if there is no rule. */
  file(): { readonly outputPath: string; readonly bytes: Uint8Array } | undefined {
    if (this.rules.size === 0) return undefined;
    const css = [...this.rules.values()].join("\n");
    return { outputPath: `_offprint/i/${hashOf(css)}.css`, bytes: Buffer.from(`${css}\n`) };
  }
}

/** What the handlers gather while they render one page. */
export class RenderCollector {
  readonly ids: PageIds;
  readonly toc: TocEntry[] = [];
  readonly uses: LinkUse[] = [];
  readonly external: ExternalUse[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly panel: ElementContent[] = [];
  /** The part of `panel` that the search reads. */
  readonly panelTexts: ElementContent[] = [];
  readonly lead: ElementContent[] = [];
  readonly islandStyles = new IslandStyles();
  readonly updateTags = new Set<string>();
  readonly views: { readonly id: string; readonly title: string }[] = [];
  readonly sections: PageSection[] = [];
  /** Titles of components that are search sections of their own, by id. */
  readonly sectionTitles = new Map<string, string>();
  tableCount = 0;
  /** Empty cells added to table rows that are too short. */
  addedCells = 0;
  private readonly reported = new Map<string, Diagnostic>();

  constructor(idPrefix: string) {
    this.ids = createPageIds(idPrefix);
  }

  /** Reports a mistake unless one with this key has been reported on the page. */
  reportOnce(key: string, diagnostic: () => Diagnostic): void {
    if (this.reported.has(key)) return;
    const made = diagnostic();
    this.reported.set(key, made);
    this.diagnostics.push(made);
  }

  /** As `reportOnce`; an edit that takes the mistake away also has to be made at the further locations. */
  reportAt(location: Location, key: string, diagnostic: () => Diagnostic): void {
    const places = this.reported.get(key)?.rewrites?.[0]?.places as Location[] | undefined;
    if (places && places.length < mostPlaces) places.push(location);
    else this.reportOnce(key, diagnostic);
  }

  /** Reports what a port has found, each mistake once. */
  reportEach(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.reportOnce(`${diagnostic.code} ${diagnostic.what}`, () => diagnostic);
  }

  /** A number that grows with everything gathered except ids and section titles. */
  get traceCount(): number {
    return [
      this.toc,
      this.uses,
      this.external,
      this.diagnostics,
      this.panel,
      this.panelTexts,
      this.lead,
      this.views,
    ].reduce(
      (sum, list) => sum + list.length,
      this.updateTags.size + this.reported.size + this.islandStyles.useCount + this.tableCount + this.addedCells,
    );
  }
}

/** Addresses of the page, which are written in this form, as the style sheet has them. */
const fromSheet = (css: string, pagePath: string): string =>
  css.replace(/(url\(|@import )"(?![a-z][a-z\d+.-]*:|[/#])([^"]+)"/gi, (_, kind: string, path: string) => {
    const address = posix.join("../..", posix.dirname(pagePath), path);
    return `${kind}"${address}"`;
  });

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);
