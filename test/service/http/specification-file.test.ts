import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openApiWorld } from "../../support/api-world.js";

test("the handbook shows the specification that the API serves", async () => {
  const { specification } = await openApiWorld({ publicUrl: "http://127.0.0.1:7070", adminToken: "-".repeat(32) });
  const shown = JSON.parse(await readFile("fixtures/handbook/service/openapi.json", "utf8"));
  expect(shown, "Write it anew: npm run build && node scripts/write-specification.js").toEqual(specification);
});
