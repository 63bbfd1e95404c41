import { entriesAt, type JsonObject, listAt, member, textAt } from "../../lib/json/index.js";
import type { PageContext } from "./page-context.js";
import type { Parameter } from "./parameter.js";

/** Parameters of a channel's address: `{userId}`. */
export function channelParameters({ references }: PageContext, channel: JsonObject): Parameter[] {
  return entriesAt(channel, "parameters")
    .slice(0, 100)
    .flatMap(([name, each]): Parameter[] => {
      const written = references.followObject(each);
      if (written === undefined) return [];
      const { enum: values, default: fallback, examples } = written;
      const schema: JsonObject = {
        type: "string",
        ...(values === undefined ? {} : { enum: values }),
        ...(fallback === undefined ? {} : { default: fallback }),
        ...(examples === undefined ? {} : { examples }),
      };
      return [parameterOf({ name, place: "path", required: true, schema, written })];
    });
}

/** Parameters of a WebSocket's opening request. */
export function bindingParameters({ references }: PageContext, ws: JsonObject | undefined): Parameter[] {
  return (["query", "headers"] as const).flatMap((keyword) => {
    const schema = references.followObject(member(ws, keyword));
    const required = listAt(schema, "required");
    return entriesAt(schema, "properties")
      .slice(0, 100)
      .map(([name, property]): Parameter => {
        const written = references.followObject(property) ?? {};
        const place = keyword === "query" ? "query" : "header";
        return parameterOf({ name, place, required: required.includes(name), schema: property, written });
      });
  });
}

const parameterOf = (given: Pick<Parameter, "name" | "place" | "required" | "schema" | "written">): Parameter => ({
  ...given,
  description: textAt(given.written, "description"),
  deprecated: false,
  allowReserved: false,
  examples: [],
});
