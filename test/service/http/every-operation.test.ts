import { expect, test } from "vitest";
import { sampleOf } from "../../quality/bundle.js";
import { adminToken, calls, expectedStatuses, openService } from "../../support/all-operations.js";
import type { OperationCall } from "../../support/operation-client.js";

test.each(sampleOf(["sqlite", "postgres"] as const, 1))(
  "every operation of the document succeeds over a socket, and gives no other status than it documents: %s",
  async (database) => {
    const service = await openService(database);
    expect(Object.keys(calls).toSorted(), "Write a call of each operation.").toEqual(
      service.operations.map(({ id }) => id).toSorted(),
    );
    const failures: string[] = [];
    for (const { id, bodyTypes, statuses } of service.operations) {
      const succeeds = async (way: string, change: (call: OperationCall) => OperationCall): Promise<void> => {
        const { status, text } = await service.send(id, change(await calls[id]!(service)));
        if (status !== (expectedStatuses[id] ?? statuses[0]))
          failures.push(`${id} ${way}: ${status} ${text.slice(0, 200)}`);
      };
      await succeeds("as documented", (call) => call);
      // An operation without a body ignores one.
      if (!bodyTypes) await succeeds("with a body", (call) => ({ ...call, body: {} }));
      const { body: _, ...withoutBody } = await calls[id]!(service);
      const { token: _token, ...withoutToken } = await calls[id]!(service);
      const bad: readonly (readonly [way: string, call: OperationCall, expected: readonly number[]])[] = [
        ...(bodyTypes ? [["without a body", withoutBody, [204, 400, 415]] as const] : []),
        ...(bodyTypes ? [["with a body that is not JSON", { ...withoutBody, body: "{" }, [204, 400]] as const] : []),
        ["without a token", withoutToken, _token === undefined ? [expectedStatuses[id] ?? statuses[0]!] : [401]],
      ];
      for (const [way, call, expected] of bad) {
        const { status, text } = await service.send(id, call);
        if (!expected.includes(status)) failures.push(`${id} ${way}: ${status} ${text.slice(0, 200)}`);
      }
    }
    expect(failures).toEqual([]);
  },
);

test("a leaked key is revoked by a DELETE without a body, and a site is removed by one", async () => {
  const service = await openService();
  const { key, secret } = await service.newKey();
  const { organizationId } = service;
  expect((await service.send("listStaticExportJobs", { token: secret })).status).toBe(200);
  const revoked = await service.send("revokeKey", {
    parameters: { organizationId, keyId: key.keyId },
    token: adminToken,
  });
  expect(revoked.status).toBe(204);
  expect((await service.send("listStaticExportJobs", { token: secret })).status).toBe(401);
  const removed = await service.send("removeSite", {
    parameters: { organizationId, domain: await service.site() },
    token: adminToken,
  });
  expect(removed.status).toBe(200);
});
