import type { ApiSpec } from "../site/api-spec.js";
import { arazzo } from "./arazzo/arazzo.js";
import { asyncapi } from "./asyncapi/asyncapi.js";
import { graphql } from "./graphql/graphql.js";
import { openapi } from "./openapi/openapi.js";
import type { SpecKind } from "./spec-kind.js";

/**
 * The kinds of specifications. Nothing else in this room imports from their folders, so a kind is deleted with its folder and
 * its line. To add one, write a `SpecKind` in a folder of its own; how its documents are read, its targets of pages and its
 * checks are in `site/specs`, and an editor in the reader's browser is in `reader/playground`.
 */
export const specKinds: Readonly<Partial<Record<ApiSpec["format"], SpecKind>>> = { openapi, asyncapi, graphql, arazzo };
