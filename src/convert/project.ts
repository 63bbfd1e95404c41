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

export type AddNote = (sourcePath: string, kind: string, what: string, line?: number) => void;

/** An entry of a navigation. */
export type NavEntry =
  | { readonly kind: "page"; readonly source: string; readonly label?: string | undefined }
  | {
      readonly kind: "group";
      readonly label: string;
      readonly entries: readonly NavEntry[];
      /** The page that the label opens. */
      readonly root?: string | undefined;
      readonly expanded?: boolean | undefined;
      readonly openapi?: string | undefined;
    }
  | { readonly kind: "link"; readonly label: string; readonly href: string };

export interface NavTab {
  readonly label: string;
  readonly entries: readonly NavEntry[];
}

export interface ProjectPage {
  readonly source: string;
  /** Its address in the old site, relative to the site: `guides/install`; "" for the start page. */
  readonly address: string;
  readonly label?: string | undefined;
}

/** A site as the files of a tool describe it, before its pages are converted. */
export interface Project {
  /** Settings of docs.json that the tool also has. */
  readonly settings: Data;
  readonly name?: string | undefined;
  /** Address of the published site. */
  readonly url?: string | undefined;
  readonly pages: readonly ProjectPage[];
  /** A single tab without a label is the whole navigation. */
  readonly tabs: readonly NavTab[];
  /** Folders whose files have addresses without the name of the folder: `static`, `public`. */
  readonly assetFolders: readonly string[];
  /** Files that the settings name, such as a logo; copied. */
  readonly files?: readonly string[];
  readonly redirects?: readonly { readonly source: string; readonly destination: string }[];
  /** Folder of the pages made from an API specification. */
  readonly generated?: string | undefined;
  /** The path of the site on its host, which links in pages may begin with: `/docs`. */
  readonly basePath?: string | undefined;
}

export interface ToolContext {
  readonly files: SiteFiles;
  /** The folder of the tool's settings: "" or `docs`. */
  readonly base: string;
  readonly note: AddNote;
}

export interface PageContext extends ToolContext {
  readonly page: ProjectPage;
  readonly frontmatter: Data;
  /** Adds a note about the page. */
  report(kind: string, what: string, line?: number): void;
  /** The text of another file of the project, without front matter. */
  include(path: string, from: string): string | undefined;
}

export interface Tool {
  readonly name: string;
  /** The folder of the tool's settings; undefined if the files are not of this tool. */
  detect(files: SiteFiles): string | undefined;
  read(context: ToolContext): Project;
  /** The body in our dialect. */
  convert(text: PageText, context: PageContext): PageText;
  /** Front matter with our names for the fields. */
  frontmatter?(data: Data): Data;
  /** Whether a page is Markdown, in which a brace is text, and not MDX. */
  readonly isMarkdown: (page: ProjectPage) => boolean;
}
