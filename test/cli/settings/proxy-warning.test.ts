import { expect, test } from "vitest";
import { warnOfUnnamedProxy } from "../../../src/cli/settings/api.js";

const cases: readonly [
  rule: string,
  env: NodeJS.ProcessEnv,
  publicUrl: string | undefined,
  sign: string | undefined,
][] = [
  ["on a separate machine", {}, "http://127.0.0.1:7070", undefined],
  ["with a public URL that a proxy serves", {}, "https://api.acme.com", "the public URL is https://api.acme.com"],
  ["in Kubernetes", { KUBERNETES_SERVICE_HOST: "10.0.0.1" }, undefined, "KUBERNETES_SERVICE_HOST is set"],
  [
    "in Kubernetes with a named proxy",
    { KUBERNETES_SERVICE_HOST: "a", OFFPRINT_TRUSTED_PROXIES: "10.0.0.0/8" },
    undefined,
    undefined,
  ],
];
for (const [rule, env, publicUrl, sign] of cases)
  test(`a server ${rule} ${sign === undefined ? "does not warn" : "warns"} about an unnamed proxy`, () => {
    const warnings: string[] = [];
    warnOfUnnamedProxy(env, publicUrl, (level, message) => void warnings.push(`${level} ${message}`));
    expect(warnings).toEqual(
      sign === undefined
        ? []
        : [
            expect.stringMatching(
              `^warn This server seems to be behind a proxy .*${sign}.*OFFPRINT_TRUSTED_PROXIES is not set`,
            ),
          ],
    );
  });
