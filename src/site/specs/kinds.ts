import type { SpecFormat } from "../api-spec.js";
import { arazzo } from "./arazzo/kind.js";
import { asyncapi } from "./asyncapi/kind.js";
import { graphql } from "./graphql/kind.js";
import { openapi, swagger } from "./openapi/kind.js";
import type { SpecKind } from "./spec-kind.js";

/** All supported kinds of specifications. A new one needs a folder, a line here, and a name in `specFormats`. */
export const specKinds: readonly SpecKind[] = [openapi, asyncapi, swagger, arazzo, graphql];

export const kindOf = (format: SpecFormat): SpecKind => specKinds.find((kind) => kind.format === format)!;
