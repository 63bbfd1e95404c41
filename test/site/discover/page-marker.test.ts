import { expect, test } from "vitest";
import { type Marked, markerOf } from "../../../src/site/discover/plan-pages.js";

const channel = { kind: "channel", spec: "live.yaml", name: "alarms" } as const;
const operation = { kind: "operation", spec: "api.yaml", method: "delete", path: "/x" } as const;
const webhook = { kind: "webhook", spec: "api.yaml", method: "post", name: "felled" } as const;

const cases: readonly (readonly [rule: string, page: Marked, marker: string | undefined])[] = [
  ["is the method of an operation", { frontmatter: {}, api: operation }, "DELETE"],
  ["of a webhook says so", { frontmatter: {}, api: webhook }, "WEBHOOK"],
  ["of a channel is its protocol", { frontmatter: {}, api: channel, protocol: "MQTT" }, "MQTT"],
  ["is left out where a channel has no protocol", { frontmatter: {}, api: channel }, undefined],
  ["is the method that a page writes itself", { frontmatter: { api: "post https://x.example/a" } }, "POST"],
  ["is the method of what could not be read", { frontmatter: { openapi: "api.yaml GET /x" } }, "GET"],
  ["is left out where the writer wants none", { frontmatter: { hideApiMarker: true }, api: operation }, undefined],
  ["of a data model is none", { frontmatter: {}, api: { kind: "schema", spec: "api.yaml", name: "Tree" } }, undefined],
  ["of any other page is none", { frontmatter: { icon: "star" } }, undefined],
];
for (const [rule, page, marker] of cases)
  test(`the marker of a page ${rule}`, () => expect(markerOf(page)).toBe(marker));
