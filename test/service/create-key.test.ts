import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createKey, TooManyKeysError } from "../../src/service/create-key.js";
import { openSqliteState } from "../../src/service/jobs/index.js";
import { temporaryFolder } from "../support/cli.js";

test("each organization can create ten keys an hour", async () => {
  let now = Date.UTC(2030, 0, 1, 12);
  const state = await openSqliteState({ file: join(temporaryFolder(), "offprint.db"), now: () => now });
  onTestFinished(() => state.close());
  const make = async (name: string) => {
    const { organizationId } = await state.accounts.organization(name);
    const scopes = ["write"] as const;
    return createKey(state.accounts, { organizationId, kind: "admin", name: "ci", scopes, allowedAddresses: [] });
  };
  for (let i = 0; i < 10; i++) await make("acme");
  await expect(make("acme")).rejects.toThrow(TooManyKeysError);
  expect((await make("umbrella")).secret).toMatch(/^svc_/);
  now += 60 * 60_000;
  expect((await make("acme")).secret).toMatch(/^svc_/);
});
