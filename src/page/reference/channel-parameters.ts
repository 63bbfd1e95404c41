import { entriesAt, type JsonObject, listAt, member, textAt } from "../../lib/json/index.js";
import type { Parameter } from "./operation.js";
import type { PageContext } from "./page-context.js";

/** `{userId}` of an address. */
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
      return [
        {
          name,
          place: "path",
          required: true,
          deprecated: false,
          allowReserved: false,
          description: textAt(written, "description"),
          schema,
          examples: [],
          written,
        },
      ];
    });
}

/** What a WebSocket is opened with. */
export function bindingParameters({ references }: PageContext, ws: JsonObject | undefined): Parameter[] {
  return (["query", "headers"] as const).flatMap((keyword) => {
    const schema = references.followObject(member(ws, keyword));
    const required = listAt(schema, "required");
    return entriesAt(schema, "properties")
      .slice(0, 100)
      .map(([name, property]): Parameter => {
        const followed = references.followObject(property);
        return {
          name,
          place: keyword === "query" ? "query" : "header",
          required: required.includes(name),
          deprecated: false,
          allowReserved: false,
          description: textAt(followed, "description"),
          schema: property,
          examples: [],
          written: followed ?? {},
        };
      });
  });
}
