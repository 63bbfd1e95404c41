import { createRequire } from "node:module";
import { lazy } from "../../../lib/memo.js";
import { builtFile } from "../../../lib/package-root.js";

/** What is used of the syntax trees of the package `graphql`. */
export interface GraphNode {
  readonly kind: string;
  readonly name?: { readonly value: string };
  readonly description?: { readonly value: string };
  readonly type?: GraphNode;
  readonly operation?: string;
  readonly operationTypes?: readonly GraphNode[];
  readonly fields?: readonly GraphNode[];
  readonly arguments?: readonly GraphNode[];
  readonly values?: readonly GraphNode[];
  readonly types?: readonly GraphNode[];
  readonly interfaces?: readonly GraphNode[];
  readonly directives?: readonly GraphNode[];
  readonly defaultValue?: GraphNode;
  readonly value?: GraphNode | string;
  readonly loc?: { readonly startToken: { readonly line: number; readonly column: number } };
}

interface GraphLibrary {
  parse(text: string, options: { readonly maxTokens: number }): { readonly definitions: readonly GraphNode[] };
  print(node: GraphNode): string;
  buildClientSchema(introspection: unknown): unknown;
  printSchema(schema: unknown): string;
}

/** Loaded when a site has a GraphQL schema, because most have none. */
export const graphLibrary = lazy(() => createRequire(import.meta.url)(builtFile("graphql.js")) as GraphLibrary);
