/** What is used of the package `graphql`: built by itself, and loaded when a site has a GraphQL schema. */
export { buildClientSchema, parse, print, printSchema } from "graphql";
