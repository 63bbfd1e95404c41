import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, graphql } from "graphql";

export interface GraphApi {
  readonly url: string;
  /** Bodies and headers of the requests. */
  readonly arrivals: {
    readonly body: {
      readonly query: string;
      readonly variables?: Record<string, unknown>;
      readonly operationName?: string;
    };
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  }[];
  close(): Promise<void>;
}

/** The API of the herbarium, on loopback, for pages of any origin. */
export async function startGraphApi(schemaPath: string): Promise<GraphApi> {
  const schema = buildSchema(readFileSync(schemaPath, "utf8"));
  const willow = {
    __typename: "Specimen",
    id: "7",
    name: "Salix alba",
    rank: "SPECIES",
    tags: ["tree", "<b>bold</b>"],
  };
  const ada = { __typename: "Collector", id: "1", name: "Ada", specimens: [willow] };
  const rootValue = {
    specimen: ({ id }: { id: string }) => {
      if (id !== "7") throw new Error(`No specimen ${id}`);
      return {
        ...willow,
        collector: ada,
        nearby: ({ within }: { within: number }) => [{ ...willow, id: `${within}` }],
      };
    },
    search: ({ filter }: { filter: { text?: string } }) => (filter.text === "Ada" ? [ada] : [willow, ada]),
    count: () => 2,
    addSpecimen: ({ specimen }: { specimen: object }) => ({ ...willow, id: "8", ...specimen }),
  };
  const arrivals: GraphApi["arrivals"] = [];
  const server = createServer(async (request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Headers", request.headers["access-control-request-headers"] ?? "*");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text);
    arrivals.push({ body, headers: request.headers });
    const { query, variables, operationName } = body;
    const answer = await graphql({ schema, source: query, rootValue, variableValues: variables, operationName });
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    arrivals,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
