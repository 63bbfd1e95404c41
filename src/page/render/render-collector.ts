import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { ElementContent } from "hast";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import type { ExternalUse, LinkUse, PageSection, TocEntry } from "./rendered-page.js";

/** Limit of repetitions of one mistake that a repair can correct at once. */
const maxPlaces = 1000;

/** The colour of text on a box that is light (or dark) in both modes, like `[data-ground]` in ground.css. */
const textOn = { light: ":where(html.dark $){color:#3a3c44}", dark: ":where(html:not(.dark) $){color:#dfe1e6}" };

/** The style sheet of islands and embedded content: classes for `style` attributes, and `style` elements. */
class IslandStyles {
  /** Number of calls that added a rule. */
  useCount = 0;
  private readonly rules = new Map<string, string>();

  /** Returns a class with these declarations. Unused ids in its selector give it the precedence of an attribute. */
  classOf(declarations: string, ground: unknown, pagePath: string): string {
    this.useCount++;
    const name = `style-${hashOf(declarations)}`;
    const rules = fromSheet(declarations.replace(/[{}]/g, ""), pagePath);
    const text = ground === undefined ? "" : textOn[ground === "light" ? "light" : "dark"].replace("$", `.${name}`);
    this.rules.set(name, `.${name}:not(#\\_):not(#\\_){${rules}}${text}`);
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

/** Collects the results of the handlers for one page. */
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
  /** Whether a box is painted in one colour: see `setGround`. */
  hasGround = false;
  /** Empty cells added to table rows that are too short. */
  addedCells = 0;
  private readonly reported = new Map<string, Diagnostic>();

  constructor(idPrefix: string) {
    this.ids = createPageIds(idPrefix);
  }

  /** Reports a mistake unless one with this key has been reported on the page. */
  reportOnce(key: string, diagnostic: () => Diagnostic): void {
    if (this.reported.has(key)) return;
    const reported = diagnostic();
    this.reported.set(key, reported);
    this.diagnostics.push(reported);
  }

  hasReported(key: string): boolean {
    return this.reported.has(key);
  }

  /** Like `reportOnce`, but adds the locations of repetitions, where the mistake has to be corrected too. */
  reportAt(location: Location, key: string, diagnostic: () => Diagnostic): void {
    const places = this.reported.get(key)?.rewrites?.[0]?.places as Location[] | undefined;
    if (places && places.length < maxPlaces) places.push(location);
    else this.reportOnce(key, diagnostic);
  }

  /** Reports the diagnostics of a port, each once. */
  reportEach(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.reportOnce(`${diagnostic.code} ${diagnostic.what}`, () => diagnostic);
  }

  /** A number that grows with everything collected, except ids and section titles. */
  get traceCount(): number {
    const { toc, uses, external, diagnostics, panel, panelTexts, lead, views } = this;
    const lists = [toc, uses, external, diagnostics, panel, panelTexts, lead, views];
    const others = this.updateTags.size + this.reported.size + this.islandStyles.useCount;
    return lists.reduce((sum, list) => sum + list.length, others + this.tableCount + this.addedCells);
  }
}

/** Makes addresses relative to the style sheet instead of the page. */
const fromSheet = (css: string, pagePath: string): string =>
  css.replace(/(url\(|@import )"(?![a-z][a-z\d+.-]*:|[/#])([^"]+)"/gi, (_, kind: string, path: string) => {
    const address = posix.join("../..", posix.dirname(pagePath), path);
    return `${kind}"${address}"`;
  });

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** The ids of one page. An id that the author wrote stays; an id made from text gets `-2`, `-3` … if it is taken. */
export interface PageIds {
  /** Reserves a written id before any id is made from text. */
  reserve(id: string): void;
  /** Returns a written id: unchanged the first time, numbered after that. */
  claim(id: string): string;
  /** Returns an id made from text that is neither reserved nor taken. */
  make(slug: string): string;
  /** Runs `work` and returns the ids it took; undefined if one differs from the requested one. */
  record<T>(work: () => T): { readonly result: T; readonly ids: RecordedIds | undefined };
  /** Takes recorded ids again if all of them are free, otherwise none. */
  repeat(ids: RecordedIds): boolean;
}

/** Ids that were all free when they were requested. */
export interface RecordedIds {
  readonly claimed: readonly string[];
  readonly made: readonly string[];
}

/** @param prefix added to ids made from text. */
export function createPageIds(prefix = ""): PageIds {
  const reserved = new Set<string>();
  const taken = new Set<string>();
  const next = new Map<string, number>();

  let log: { claimed: string[]; made: string[]; isAsRequested: boolean } | undefined;

  const make = (slug: string): string => {
    let id = prefix + slug;
    let count = next.get(slug) ?? 2;
    while (reserved.has(id) || taken.has(id)) id = `${prefix}${slug}-${count++}`;
    next.set(slug, count);
    taken.add(id);
    if (log) {
      log.made.push(id);
      log.isAsRequested &&= id === slug;
    }
    return id;
  };
  const claim = (id: string): string => {
    if (taken.has(id)) {
      if (log) log.isAsRequested = false;
      return make(id);
    }
    taken.add(id);
    log?.claimed.push(id);
    return id;
  };
  return {
    reserve: (id) => void reserved.add(id),
    claim,
    make,
    record(work) {
      const requests = { claimed: [], made: [], isAsRequested: true };
      log = requests;
      try {
        const result = work();
        const { claimed, made, isAsRequested } = requests;
        return { result, ids: isAsRequested ? { claimed, made } : undefined };
      } finally {
        log = undefined;
      }
    },
    repeat({ claimed, made }) {
      if (claimed.some((id) => taken.has(id)) || made.some((id) => taken.has(id) || reserved.has(id))) return false;
      for (const id of claimed) claim(id);
      for (const slug of made) make(slug);
      return true;
    },
  };
}
