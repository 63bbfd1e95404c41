import type { ApiSpec } from "../site/api-spec.js";
import { arazzo } from "./arazzo/arazzo.js";
import { asyncapi } from "./asyncapi/asyncapi.js";
import { graphql } from "./graphql/graphql.js";
import { openapi } from "./openapi/openapi.js";
import type { SpecKind } from "./spec-kind.js";

/** The kinds of specifications: nothing else imports from their folders, so deleting one is deleting its folder and its line. */
export const specKinds: Readonly<Partial<Record<ApiSpec["format"], SpecKind>>> = { openapi, asyncapi, graphql, arazzo };
