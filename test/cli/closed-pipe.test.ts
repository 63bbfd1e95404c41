import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startCli } from "../support/cli.js";

const site = fileURLToPath(new URL("../../fixtures/mistakes/property-values", import.meta.url));

/** Exit code and errors of a check whose output nobody reads. */
async function checkUnread(...options: readonly string[]): Promise<{ code: number; errors: string }> {
  const child = startCli(["check", site, "--all", ...options]);
  child.stdout!.destroy();
  let errors = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const [code] = (await once(child, "close")) as [number];
  return { code, errors };
}

for (const format of ["text", "json"])
  test(`a check as ${format}, whose reader has ended, ends with its own exit code`, async () => {
    const { code, errors } = await checkUnread("--format", format, "--max-warnings", "0");
    expect(errors).not.toMatch(/EPIPE|node:events/);
    expect(code).toBe(1);
  });
