import type { RootContent } from "mdast";
import type { Messages } from "../../lib/language/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import type { ApiConfig } from "../../site/config/index.js";
import type { ApiTarget, SpecEntry, SpecTag } from "../../site/specs/index.js";
import type { SpecExcerpts } from "../downloads/spec-excerpt.js";
import type { Playground } from "../forms/playground.js";
import type { Sampler } from "../samples/sample-value.js";
import type { SchemaReader } from "../schema/flat-schema.js";
import type { NamedModel, OutlineModels } from "../schema/models.js";
import type { References } from "../schema/references.js";
import { createFieldWriter, type FieldWriter } from "../schema/schema-fields.js";
import { createSchemaOutline, type SchemaOutline } from "../schema/schema-outline.js";
import { type Anchors, createAnchors } from "./anchors.js";
import type { Describer } from "./describe.js";
import type { SharedContents } from "./shared-contents.js";

/** What all pages of a specification share. */
export interface SpecContext {
  /** Names the specification in the targets of pages. */
  readonly key: string;
  readonly spec: ApiSpec;
  readonly entries: () => readonly SpecEntry[];
  readonly tags: () => readonly SpecTag[];
  readonly references: References;
  readonly reader: SchemaReader;
  readonly sampler: Sampler;
  readonly sharedIn: (messages: Messages) => SharedContents;
  /** The name of a schema object, as `createModelNames` gives it. */
  readonly modelOf: (schema: object) => NamedModel | undefined;
  /** As `findReused` finds them. */
  readonly reusedSchemas: () => ReadonlySet<object>;
  /** The part of the specification that a page is about. */
  readonly excerpt: SpecExcerpts;
}

/** What the sections of one page are written with. */
export interface PageContext extends SpecContext {
  readonly api: ApiConfig;
  readonly messages: Messages;
  readonly describe: Describer;
  readonly playground: Playground;
  readonly outline: SchemaOutline;
  readonly shared: SharedContents;
  readonly models?: PageModels | undefined;
  readonly anchors: Anchors;
  readonly fields: FieldWriter;
  /** The address of the page about a part of the specification; undefined if there is none. */
  readonly pageOf: (target: ApiTarget) => string | undefined;
  /** The file of that page, relative to the file of this page. */
  readonly fileOf: (target: ApiTarget) => string | undefined;
  /** Another specification of the site, by its key. */
  readonly otherSpec: (key: string) => SpecContext | undefined;
}

/** The pages of models that a page can refer to. */
export interface PageModels extends OutlineModels {
  /** The address of a file, relative to this page. */
  readonly hrefTo: (outputPath: string) => string;
  /** The folder of the pages of models. */
  readonly folder: () => string;
}

/**
 * Writes a section of a page. Creating the writer adds the section's schemas to the outline; calling it, after the outline
 * is open, returns the nodes, or none if the section is empty.
 */
export type SectionWriter = () => RootContent[];

export function createPageContext(
  known: SpecContext,
  options: Pick<PageContext, "api" | "messages" | "describe" | "playground" | "pageOf" | "fileOf" | "otherSpec">,
  models?: PageModels,
): PageContext {
  const { api, messages, describe } = options;
  const { reader } = known;
  const anchors = createAnchors();
  return {
    ...known,
    ...options,
    outline: createSchemaOutline(reader, models),
    models,
    shared: known.sharedIn(messages),
    anchors,
    fields: createFieldWriter({
      messages,
      reader,
      anchors,
      describe: describe.field,
      params: api.params,
      hrefOf: ({ outputPath }) => models?.hrefTo(outputPath) ?? "",
    }),
  };
}
