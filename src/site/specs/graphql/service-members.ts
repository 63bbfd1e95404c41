import type { JsonObject } from "../../../lib/json/index.js";
import type { GraphService } from "../../config/index.js";
import { schemesOf } from "../written-schemes.js";

/** What a setting says of the API of a schema, as OpenAPI would say it of the whole document. */
export function serviceMembers({ endpoints, auth, headers = {} }: GraphService): JsonObject {
  const securitySchemes = schemesOf(auth?.method, auth?.name);
  return {
    servers: endpoints.map((url) => ({ url })),
    security: auth?.method === undefined ? [] : [{ auth: [] }],
    components: { securitySchemes },
    parameters: Object.entries(headers).map(([name, value]) => ({
      name,
      in: "header",
      required: true,
      schema: { type: "string" },
      example: value,
    })),
  };
}
