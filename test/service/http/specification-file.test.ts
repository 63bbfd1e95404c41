import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openApiWorld } from "../../support/api-world.js";

test("the handbook shows the specification that the API serves", async () => {
  const { specification } = await openApiWorld({ publicUrl: "http://127.0.0.1:7070", adminToken: "-".repeat(32) });
  const file = "fixtures/handbook/service/openapi.json";
  if (process.env["UPDATE_GOLDEN"]) await writeFile(file, `${JSON.stringify(specification, null, 2)}\n`);
  const shown = JSON.parse(await readFile(file, "utf8"));
  expect(shown, "UPDATE_GOLDEN=1 writes it anew.").toEqual(specification);
});
