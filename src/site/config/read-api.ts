import { withoutUndefined } from "../../lib/without-undefined.js";
import { configDefaults } from "./defaults.js";
import { memberOf } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import { converted, flag, list, object, oneOf, oneOrList, type Reader, text } from "./readers.js";
import { inQuotes, reportAt } from "./report-setting.js";
import type { ApiConfig } from "./site-config.js";
import { href, specLists } from "./values.js";

const defaults: ApiConfig = configDefaults.api;

/** Warns if the playground is set to use a proxy. */
const playground = converted(
  object({ display: oneOf(["interactive", "simple", "none", "auth"]), proxy: flag, credentials: flag }),
  (read, value, report) => {
    const { display = defaults.playground.display } = read;
    const proxy = memberOf(value, "proxy");
    if (read.proxy === true && proxy !== undefined && display === "interactive") {
      const what = `${inQuotes(proxy)} is true, but a bundle has no proxy: the playground sends requests from the reader's browser directly to the API.`;
      const fix =
        'allow other origins in the API (CORS) and write "proxy": false, or hide the playground with "display": "simple".';
      reportAt(proxy, report, "PLAYGROUND_WITHOUT_PROXY", what, fix);
    }
    return read;
  },
);

/** The settings of API reference pages. */
export const api: Reader<ApiConfig> = converted(
  object(
    {
      ...specLists,
      playground,
      params: object({ expanded: oneOf(["all", "closed"]), order: oneOf(["required", "source"]), post: list(text) }),
      url: oneOf(["full"]),
      downloads: flag,
      examples: object({
        languages: list(oneOf(knownNames.sampleLanguages)),
        defaults: oneOf(["required", "examples", "all"]),
        prefill: flag,
        autogenerate: flag,
      }),
      mdx: object({
        auth: object({ method: oneOf(["bearer", "basic", "key", "cobo"]), name: text }),
        server: oneOrList(href),
      }),
    },
    { hints: { baseUrl: 'write "mdx": { "server": "…" }.', auth: 'put "auth" into "mdx".' } },
  ),
  ({ playground, params, examples, mdx, ...read }) => ({
    ...defaults,
    ...read,
    playground: { ...defaults.playground, ...playground },
    params: { ...defaults.params, ...params },
    examples: { ...defaults.examples, ...examples },
    mdx: withoutUndefined({
      authMethod: mdx?.auth?.method,
      authName: mdx?.auth?.name,
      servers: mdx?.server ?? defaults.mdx.servers,
    }),
  }),
);
