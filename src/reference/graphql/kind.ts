import { isObject, pointerTo, textAt } from "../../lib/json/index.js";
import type { ReferenceKind } from "../reference-kind.js";
import { graphqlPage } from "./graphql-page.js";
import { graphqlTypesFile } from "./graphql-types.js";

export const graphql: ReferenceKind = {
  name: "GraphQL",
  entriesTitle: "operations",

  subject(context, target) {
    if (target.kind !== "graphql") return undefined;
    const pointer = pointerTo(target.list, target.name);
    const part = context.spec.resolve(pointer);
    if (!isObject(part)) return undefined;
    return { description: textAt(part, "description"), pointer, write: graphqlPage(context, target, part) };
  },

  playgroundFile: graphqlTypesFile,
};
