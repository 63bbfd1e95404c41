import assert from "node:assert/strict";
import { test } from "vitest";
import { shareReads } from "../../../src/service/http/assistant/assistant-deps.js";
import type { ApiKey, Project } from "../../../src/service/jobs/index.js";

const key = { keyId: "key_1", organizationId: "org_1" } as ApiKey;
const project = { projectId: "prj_1" } as Project;

test("requests of one turn of the event loop read their key and site once, those of the next turn again", async () => {
  const reads: string[] = [];
  let isRevoked = false;
  const accounts = shareReads({
    findKey: async (secret) => {
      reads.push(secret);
      return isRevoked ? undefined : key;
    },
    markKeyUsed: async ({ keyId }) => void reads.push(`used ${keyId}`),
    projectByName: async (organizationId, name) => {
      reads.push(`${organizationId} ${name}`);
      return project;
    },
  });
  const request = async (secret: string, name: string) => {
    const found = await accounts.findKey(secret);
    if (!found) return undefined;
    await accounts.markKeyUsed(found);
    return accounts.projectByName(found.organizationId, name);
  };
  assert.deepEqual(await Promise.all([request("a", "docs"), request("a", "docs"), request("b", "blog")]), [
    project,
    project,
    project,
  ]);
  assert.deepEqual(reads, ["a", "b", "used key_1", "org_1 docs", "org_1 blog"]);
  isRevoked = true;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await request("a", "docs"), undefined);
});
