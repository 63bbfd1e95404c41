import type { SpecFormat } from "../site/api-spec.js";
import { arazzo } from "./arazzo/kind.js";
import { asyncapi } from "./asyncapi/kind.js";
import { graphql } from "./graphql/kind.js";
import { openapi } from "./openapi/kind.js";
import type { ReferenceKind } from "./reference-kind.js";

/**
 * How the reference shows each kind of specification; `site/specs/kinds.ts` says how it is read. Nothing else here
 * imports from the folders of the kinds: to remove a kind, delete its folder and its line.
 */
export const referenceKinds: Readonly<Partial<Record<SpecFormat, ReferenceKind>>> = {
  openapi,
  asyncapi,
  graphql,
  arazzo,
};
