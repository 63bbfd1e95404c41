/** The functions used from the package `graphql`. The build makes a separate file of them, which is loaded on demand. */
export { buildClientSchema, parse, print, printSchema } from "graphql";
