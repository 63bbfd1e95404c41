import { withoutUndefined } from "../../lib/without-undefined.js";
import { configDefaults } from "./defaults.js";
import { memberOf } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import {
  described,
  flag,
  inQuotes,
  list,
  object,
  oneOf,
  oneOrList,
  type Reader,
  reportAt,
  schemaOf,
  text,
  turned,
} from "./readers.js";
import type { ApiConfig } from "./site-config.js";
import { graphRefs, href, specRefs } from "./values.js";

const playgroundFields = object({
  display: oneOf(["interactive", "simple", "none", "auth"]),
  proxy: flag,
  credentials: flag,
});

/** Warns if the playground is set to use a proxy. */
const playground = described<typeof playgroundFields>(
  (value, report) => {
    const read = playgroundFields(value, report);
    const { display } = { ...configDefaults.api.playground, ...read };
    const proxy = value.kind === "object" ? memberOf(value, "proxy") : undefined;
    if (read?.proxy === true && proxy !== undefined && display === "interactive") {
      const what = `${inQuotes(proxy)} is true, but a bundle has no proxy: requests of the playground go from the reader's browser straight to the API.`;
      const fix =
        'let the API answer pages of other origins (CORS) and write "proxy": false, or write "display": "simple".';
      reportAt(proxy, report, "PLAYGROUND_WITHOUT_PROXY", what, fix);
    }
    return read;
  },
  () => schemaOf(playgroundFields),
);

const fields = object({
  openapi: specRefs,
  asyncapi: specRefs,
  graphql: graphRefs,
  arazzo: specRefs,
  playground,
  params: object({ expanded: oneOf(["all", "closed"]), post: list(text) }),
  url: oneOf(["full"]),
  downloads: flag,
  examples: object({
    languages: list(oneOf(knownNames.sampleLanguages)),
    defaults: oneOf(["required", "all"]),
    prefill: flag,
    autogenerate: flag,
  }),
  mdx: object({
    auth: object({ method: oneOf(["bearer", "basic", "key", "cobo"]), name: text }),
    server: oneOrList(href),
  }),
});

/** The settings of API reference pages. */
export const api: Reader<ApiConfig> = turned(
  fields,
  ({ openapi, asyncapi, graphql, arazzo, playground, params, url, downloads, examples, mdx }) => {
    const defaults: ApiConfig = configDefaults.api;
    return withoutUndefined({
      openapi: openapi ?? defaults.openapi,
      asyncapi: asyncapi ?? defaults.asyncapi,
      graphql: graphql ?? defaults.graphql,
      arazzo: arazzo ?? defaults.arazzo,
      playground: { ...defaults.playground, ...playground },
      params: { ...defaults.params, ...params },
      url,
      downloads: downloads ?? defaults.downloads,
      examples: { ...defaults.examples, ...examples },
      mdx: withoutUndefined({
        authMethod: mdx?.auth?.method,
        authName: mdx?.auth?.name,
        servers: mdx?.server ?? defaults.mdx.servers,
      }),
    });
  },
);
