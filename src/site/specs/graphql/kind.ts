import type { SpecKind } from "../spec-kind.js";

const lists = [
  { list: "queries", label: "Queries" },
  { list: "mutations", label: "Mutations" },
  { list: "subscriptions", label: "Subscriptions" },
  { list: "types", label: "Types" },
] as const;

/** A GraphQL schema, in the form that `parseGraphql` returns. */
export const graphql: SpecKind = {
  key: "graphql",
  format: "graphql",
  name: "GraphQL",
  accepted: /^schema$/,
  fix: "use the path of a GraphQL schema file.",
  listEntries: ({ members, facts, key }) =>
    lists.flatMap(({ list, label }) =>
      members(list, label).map(([name, pointer, part]) => ({
        ...facts({ description: part["description"] ?? null, tags: [label] }, undefined, pointer),
        kind: "graphql",
        target: { kind: "graphql", spec: key, list, name },
        name,
        pointer,
        title: name,
        deprecated: "deprecated" in part,
      })),
    ),
};
