/** A specification that is made to fill the memory ends in a diagnostic; the whole process stays below 512 MB. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "vitest";
import { sweeping } from "../quality/bundle.js";
import { runCli } from "../support/cli.js";
import { newFolder, writeSite } from "./site-folder.js";

const start = '{"openapi":"3.1.0","info":{"title":"T","version":"1"}';
const ref = (i: number): string => `{"$ref":"#/components/schemas/S${i}"}`;
/** Schemas of which each has all the others, as properties, conditions and options. */
const circles = (count: number): string => {
  const all = Array.from({ length: count }, (_, i) => ref(i));
  const schema = (_: unknown, i: number): string =>
    `"S${i}":{"properties":{${all.map((each, k) => `"p${k}":${each}`).join(",")}},"if":${ref((i + 1) % count)},"then":${ref((i + 2) % count)},"not":${ref(i)},"oneOf":[${all.join(",")}],"discriminator":{"propertyName":"p0"}}`;
  const content = `{"content":{"application/json":{"schema":${ref(0)}}}}`;
  return `${start},"paths":{"/a":{"post":{"requestBody":${content},"responses":{"200":${content}}}}},"components":{"schemas":{${Array.from({ length: count }, schema).join(",")}}}}`;
};

/** Types of which each has all the others. */
const graph = (count: number): string => {
  const each = (write: (i: number) => string): string => Array.from({ length: count }, (_, i) => write(i)).join(" ");
  return `type Query { a: T0 } ${each((i) => `type T${i} { ${each((k) => `f${k}(a: I${k}): T${k}!`)} } input I${i} { ${each((k) => `f${k}: I${k}`)} }`)}`;
};
const events = '{"asyncapi":"3.0.0","info":{"title":"T","version":"1"}';

type Case = readonly [about: string, code: string | undefined, text: () => string, format?: "asyncapi" | "graphql"];
const cases: readonly Case[] = [
  ["10,000 levels", "SPEC_TOO_DEEP", () => `${start},"x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
  ["4,000,000 values", "SPEC_TOO_LARGE", () => `${start},"x":[${"0,".repeat(4_000_000)}0]}`],
  ["schemas in circles", undefined, () => circles(sweeping ? 60 : 8)],
  ...(sweeping
    ? ([
        ["50 MB", "SPEC_TOO_LARGE", () => `${start},"x":"${"a".repeat(50_000_000)}"}`],
        [
          "10,000 levels of AsyncAPI",
          "SPEC_TOO_DEEP",
          () => `${events},"channels":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
          "asyncapi",
        ],
        [
          "50 MB of GraphQL",
          "SPEC_TOO_LARGE",
          () => `"""${"a".repeat(50_000_000)}""" type Query { a: Int }`,
          "graphql",
        ],
        [
          "10,000 levels of GraphQL",
          "SPEC_TOO_DEEP",
          () => `type Query { a: ${"[".repeat(10_000)}Int${"]".repeat(10_000)} }`,
          "graphql",
        ],
        ["types in circles", "SPEC_TOO_LARGE", () => graph(300), "graphql"],
      ] as const)
    : []),
];

describe("the peak memory of an export with", () => {
  for (const [about, code, text, format = "openapi"] of cases)
    test(about, async () => {
      const file = format === "graphql" ? "api.graphql" : "api.json";
      const folder = newFolder("bad-input-memory");
      const source = writeSite(join(folder, "site"), {
        "docs.json": {
          theme: "mint",
          name: "T",
          colors: { primary: "#0f766e" },
          navigation: {
            tabs: [
              { tab: "A", pages: ["index"] },
              { tab: "B", [format]: file },
            ],
          },
        },
        "index.mdx": "---\ntitle: Start\n---\n\nHello.\n",
        [file]: text(),
      });
      const report = "data:text/javascript,process.on('exit',()=>console.error('peak',process.resourceUsage().maxRSS))";
      const {
        code: exit,
        stdout,
        stderr,
      } = await runCli(["export", source, "--output", join(folder, "out"), "--json", "--no-cache"], {
        env: { ...process.env, NODE_OPTIONS: `--import="${report}"` },
      });
      assert.equal(exit, 0, stderr);
      if (code !== undefined) assert.ok(stdout.includes(code), stdout);
      const peakMb = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
      assert.ok(peakMb < 512, `${peakMb} MB`);
    });
});
