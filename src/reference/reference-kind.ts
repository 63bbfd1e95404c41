import type { RootContent } from "mdast";
import type { JsonObject } from "../lib/json/index.js";
import type { Messages } from "../lib/language/index.js";
import type { ApiSpec } from "../site/api-spec.js";
import type { ApiConfig } from "../site/config/index.js";
import type { ApiTarget } from "../site/specs/index.js";
import type { ReferenceFile } from "./forms/playground.js";
import type { Server } from "./operations/server.js";
import type { PageContext, SectionWriter } from "./pages/page-context.js";

/** The pages and files of a kind of specification: a folder and a line in `kinds.ts`. See also `SpecKind`. */
export interface ReferenceKind {
  /** `OpenAPI` */
  readonly name: string;
  /** Heading above a list of the document's entries. */
  readonly entriesTitle: keyof Messages;
  /** The overview lists all entries, because they have no tags. */
  readonly overviewListsEntries?: true;
  /** The subject of a page; undefined if the document has no such part. */
  subject(context: PageContext, target: ApiTarget): Subject | undefined;
  /** The servers of the whole API; default: those that the document lists as `servers`. */
  servers?(context: PageContext): readonly Server[];
  /** The members of a published document that hold the parts of these pages; absent: it is not published. */
  published?(spec: ApiSpec, targets: readonly ApiTarget[], links: DocumentLinks): JsonObject;
  /** A collection of requests for an API client; undefined if there are none. */
  collection?(spec: ApiSpec, targets: readonly ApiTarget[], api: Pick<ApiConfig, "examples">): JsonObject | undefined;
  /** A file that all playgrounds of a document load; undefined if it has no playground. */
  playgroundFile?(document: JsonObject): ReferenceFile | undefined;
  /** Reads a page that describes an endpoint with fields of its own; undefined if its front matter names none. */
  writtenPage?(endpoint: WrittenEndpoint, own: readonly RootContent[], api: ApiConfig): WrittenPage | undefined;
}

/** What a page is about, with its schemas added to the outline. */
export interface Subject {
  readonly description: string | undefined;
  /** Comes before the description. */
  readonly lead?: readonly RootContent[];
  /** Where it is in the document. */
  readonly pointer: string;
  /** Pointers of the parts of the document that AI agents read; absent if the page itself shows everything. */
  readonly excerpt?: readonly string[];
  readonly write: SectionWriter;
}

export interface DocumentLinks {
  /** The target of a reference in the document. */
  readonly follow: (value: JsonObject[string] | undefined) => JsonObject | undefined;
  /** Published addresses of other documents, by the names that this one gives them. */
  readonly sourceUrls: Readonly<Record<string, string>>;
}

/** Front matter of a page that describes an endpoint with fields of its own. */
export interface WrittenEndpoint {
  /** `POST /users/{id}`, `GET https://api.example.com/users`. */
  readonly api?: unknown;
  /** `bearer`, `basic`, `key`, `cobo` or `none`; default: the site's setting. */
  readonly authMethod?: unknown;
  /** Media type of the body. */
  readonly contentType?: unknown;
}

/** A page whose author describes an endpoint, as a specification with one operation. */
export interface WrittenPage {
  readonly spec: ApiSpec;
  readonly write: (context: PageContext) => SectionWriter;
  /** Generated sections are inserted before this node of the page. */
  readonly insertAt: number;
}
