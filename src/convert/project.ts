import type { SiteFiles } from "../site/source/index.js";
import type { Data } from "./data.js";
import type { PageText } from "./page-text.js";

/** Something that the writer has to check, or should know. */
export interface Note {
  readonly sourcePath: string;
  readonly line?: number | undefined;
  /** The fact, as a sentence. */
  readonly what: string;
  /** Notes of one kind are grouped in the report. */
  readonly kind: string;
}

/** What is lost, for the kinds of notes that report a loss; all other notes are for the author to check. */
const lossOfKind: Readonly<Record<string, "page" | "navigation" | "code">> = {
  page: "page",
  size: "page",
  navigation: "navigation",
  settings: "navigation",
  code: "code",
};

/** What the new site lacks, if the note reports a loss. */
export const lossOf = ({ kind }: Note): "page" | "navigation" | "code" | undefined =>
  Object.hasOwn(lossOfKind, kind) ? lossOfKind[kind] : undefined;

export type AddNote = (sourcePath: string, kind: string, what: string, line?: number) => void;

/** An entry of a navigation. */
export type NavEntry =
  | {
      readonly kind: "page";
      readonly source: string;
      readonly label?: string | undefined;
      readonly icon?: string | undefined;
      readonly tag?: string | undefined;
    }
  | {
      readonly kind: "group";
      readonly label: string;
      readonly entries: readonly NavEntry[];
      readonly icon?: string | undefined;
      /** A badge after the label. */
      readonly tag?: string | undefined;
      /** The page that the label opens. */
      readonly root?: string | undefined;
      /** The page that the label opens if the old tool makes it: a list of the entries. */
      readonly index?: IndexPage | undefined;
      readonly expanded?: boolean | undefined;
      readonly openapi?: string | undefined;
    }
  | { readonly kind: "link"; readonly label: string; readonly href: string };

export interface IndexPage {
  /** As of a `ProjectPage`. */
  readonly address: string;
  readonly title: string;
  readonly description?: string | undefined;
}

/** A part of a navigation that readers choose. */
export interface NavTab {
  readonly label: string;
  /** A tab if absent. */
  readonly kind?: "tab" | "language" | "version" | undefined;
  /** Of a language, its code: `pt-BR`. */
  readonly code?: string | undefined;
  readonly icon?: string | undefined;
  readonly entries: readonly NavEntry[];
  /** Parts inside this one, in place of entries. */
  readonly parts?: readonly NavTab[] | undefined;
}

export interface ProjectPage {
  readonly source: string;
  /** Its address in the old site, relative to the site: `guides/install`; "" for the start page. */
  readonly address: string;
  readonly label?: string | undefined;
  /** Front matter that the tool keeps outside of the page. */
  readonly head?: Data | undefined;
}

/** A site as the files of a tool describe it, before its pages are converted. */
export interface Project {
  /** Settings of docs.json that the tool also has. */
  readonly settings: Data;
  /** The tool's own settings and the files they are in; without data, the files are scripts, which are searched for settings. */
  readonly look?: { readonly files: readonly string[]; readonly data?: Data };
  readonly name?: string | undefined;
  /** Address of the published site. */
  readonly url?: string | undefined;
  readonly pages: readonly ProjectPage[];
  /** A single tab without a label is the whole navigation. */
  readonly tabs: readonly NavTab[];
  /** Folders whose files have addresses without the name of the folder: `static`, `public`. */
  readonly assetFolders: readonly string[];
  /** The folder that relative links to pages start from; undefined for the folder of each page. */
  readonly linkFolder?: string | undefined;
  /** Files that the settings name, such as a logo; copied. */
  readonly files?: readonly string[];
  readonly redirects?: readonly { readonly source: string; readonly destination: string }[];
  /** Redirects in the form of vercel.json, as its host has read them. */
  readonly hostRules?: unknown;
  /** Folder of the pages made from an API specification. */
  readonly generated?: string | undefined;
  /** The path of the site on its host, which links in pages may begin with: `/docs`. */
  readonly basePath?: string | undefined;
  /**
   * The address prefix of each language, the first language first: `["", "fr/"]`. A page without a translation is shown in the
   * first language.
   */
  readonly languages?: readonly string[] | undefined;
  /** Texts of the settings by name, which pages insert: `{{ version }}`. */
  readonly variables?: ReadonlyMap<string, string> | undefined;
  /** Replaces the function of the tool if the settings change it. */
  readonly isMarkdown?: Tool["isMarkdown"] | undefined;
  /** Files in Markdown that list the pages, such as SUMMARY.md. */
  readonly navigationFiles?: readonly string[] | undefined;
  /** Whether the settings exclude a file in the folders of the pages. */
  isLeftOut?(path: string): boolean;
  /** Replaces the rule of the tool if the settings change it. */
  readonly slugs?: SlugRule | undefined;
}

export interface ToolContext {
  readonly files: SiteFiles;
  /** The folder of the tool's settings: "" or `docs`. */
  readonly base: string;
  /** The folder that the user named, within the files. */
  readonly start: string;
  readonly note: AddNote;
  /**
   * Evaluates settings files in JavaScript or TypeScript. A value from a package or the environment is an `Unknown`;
   * a file that cannot be evaluated has the value undefined, and a note.
   */
  evaluate(sourcePaths: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** Resolves a path of the settings against a folder. It may lead out of the folder that the user named. */
  path(folder: string, written: string): string;
  /** The path that `@assets/a.png` stands for, by the aliases in tsconfig.json or jsconfig.json. */
  alias(written: string): string | undefined;
}

export interface PageContext extends ToolContext, Pick<Project, "variables"> {
  readonly page: ProjectPage;
  readonly frontmatter: Data;
  /** Pages that list the entries of their group. */
  readonly lists: Set<string>;
  /** Adds a note about the page. */
  report(kind: string, what: string, line?: number): void;
  /** Adds only the first note of its kind about the page. */
  reportOnce(kind: string, what: string, line?: number): void;
  /** The text of another file of the project, without front matter. */
  include(path: string, from: string): string | undefined;
}

export interface Tool {
  readonly name: string;
  /** The folder of the tool's settings; undefined if the files are not of this tool. */
  detect(files: SiteFiles, start: string): string | undefined;
  read(context: ToolContext): Promise<Project> | Project;
  /** The body in our dialect. */
  convert(text: PageText, context: PageContext): PageText;
  /** Front matter with our names for the fields. */
  frontmatter?(data: Data): Data;
  /** Whether a page is Markdown, in which a brace is text, and not MDX. */
  readonly isMarkdown: (page: ProjectPage) => boolean;
  /** Whether `:rocket:` is an emoji, which the tool reads before or after it makes the anchors of headings. */
  readonly emoji?: "before anchors" | "after anchors";
  /** The anchor that the tool gives to a heading. */
  readonly slugs: SlugRule;
}

/** How a tool makes the anchors of headings. */
export interface SlugRule {
  slug(text: string): string;
  /** Separates a repeated anchor from its number, which counts from 1. */
  readonly joint: "-" | "_";
}
