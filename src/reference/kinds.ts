import type { SpecFormat } from "../site/api-spec.js";
import { arazzo } from "./arazzo/kind.js";
import { asyncapi } from "./asyncapi/kind.js";
import { graphql } from "./graphql/kind.js";
import { openapi } from "./openapi/kind.js";
import type { ReferenceKind } from "./reference-kind.js";

/**
 * What the reference makes of each kind of specification; `site/specs/kinds.ts` says how the kinds are read. Nothing else in
 * this room imports from their folders, so a kind is deleted with its folder and its line.
 */
export const referenceKinds: Readonly<Partial<Record<SpecFormat, ReferenceKind>>> = {
  openapi,
  asyncapi,
  graphql,
  arazzo,
};
