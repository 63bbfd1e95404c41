import type { Written } from "../build-site.js";

/** Text of an OpenAPI document that describes these paths. It has no version, so that it has no overview. */
export const openapi = (paths: Written, parts: Written = {}): string =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "Orchard" }, paths, ...parts }, null, 2);

/** Two operations on trees, tagged, and one on the whole orchard. */
export const trees = openapi({
  "/trees": {
    get: { summary: "List trees", tags: ["trees"] },
    post: { summary: "Plant a tree", tags: ["trees"] },
  },
  "/health": { get: { summary: "Health" } },
});

/** The same without tags, in two operations. */
export const plain = openapi({ "/fruit": { get: { summary: "List fruit" }, delete: { summary: "Eat it" } } });

export const live = `asyncapi: 3.0.0
info: {title: Live}
channels:
  growth: {address: /growth, title: Growth}
  weather: {address: /weather/now}
`;
