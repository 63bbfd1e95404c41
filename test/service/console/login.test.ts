import { expect, test } from "vitest";
import { openConsoleWorld } from "../../support/console-world.js";

test("somebody with a password logs in, sees a page and logs out", async () => {
  const world = await openConsoleWorld();
  await world.person("ada@acme.com", "owner");
  const ada = world.browser();
  const closed = await ada.get("/console?x=1");
  expect([closed.status, closed.to]).toEqual([303, "/console/login?to=%2Fconsole%3Fx%3D1"]);
  const form = await ada.get(closed.to!);
  expect(form.text).toContain('name="to" value="/console?x=1"');
  const entered = await ada.logIn("Ada@acme.com", "/console?x=1");
  expect([entered.status, entered.to]).toEqual([303, "/console?x=1"]);
  const page = await ada.get("/console");
  expect(page.status).toBe(200);
  expect(page.text).toContain("Acme");
  expect((await ada.post("/console/logout")).to).toBe("/console/login");
  expect((await ada.get("/console")).status).toBe(303);
});
