import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasBrowser } from "../../src/cli/commands/preview.js";
import type { Environment } from "../../src/cli/environment.js";
import { finish, page, startCli, temporaryFolder, writeSite } from "../support/cli.js";
import { waitUntil } from "../support/wait-until.js";

async function startPreview(args: readonly string[], env: Record<string, string> = {}) {
  const folder = writeSite(temporaryFolder(), { "index.mdx": page("Start", "Text.") });
  const temporary = temporaryFolder();
  mkdirSync(join(temporary, "tmp"));
  const child = startCli(["preview", folder, ...args], {
    env: { ...process.env, TMPDIR: join(temporary, "tmp"), ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { text: "" };
  child.stdout!.on("data", (text: Buffer) => (printed.text += text.toString()));
  const run = finish(child);
  await waitUntil("the preview is ready", () => /"ready"|http:\/\/localhost/.test(printed.text));
  return { child, run, printed, temporary: join(temporary, "tmp") };
}

describe("offprint preview", () => {
  test("prints one event a line, and at SIGINT ends at once and leaves nothing", async () => {
    const { child, run, printed, temporary } = await startPreview(["--json", "--port", "0"]);
    const { port } = JSON.parse(printed.text.split("\n")[0]!) as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: "text/html" } });
    const [, events = ""] = /data-events="([^"]+)"/.exec(await response.text())!;
    await fetch(`http://127.0.0.1:${port}${events}?path=`);
    expect(readdirSync(temporary).length).toBeGreaterThan(0);
    // The stream of events stays open: a command that waits for its end never ends.
    child.kill("SIGINT");
    const { code, stdout, stderr } = await run;
    expect([code, stderr]).toEqual([0, ""]);
    expect(readdirSync(temporary)).toEqual([]);
    const types = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types.slice(0, 2)).toEqual(["ready", "page"]);
  });

  test("shows the site of another tool with --from, in place of a site", async () => {
    const child = startCli(["preview", "--from", "fixtures/import/mkdocs", "--json", "--port", "0", "--no-open"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const run = finish(child);
    await new Promise((ready) => child.stdout!.once("data", ready));
    child.kill("SIGINT");
    const { code, stdout } = await run;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\{"type":"ready",.*"pages":\d/)]);
    for (const none of [["preview"], ["preview", ".", "--from", "."]])
      expect(await finish(startCli(none))).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("needs one folder"),
      });
  });

  test("takes the next port if 3000 is taken, but not in place of one that was asked for", async () => {
    const server = createServer().listen(3000, "127.0.0.1");
    // Somebody else may have it, which is as good.
    await Promise.race([once(server, "listening"), once(server, "error")]);
    onTestFinished(() => void server.close());
    const { printed } = await startPreview([]);
    const port = Number(/http:\/\/localhost:(\d+)\//.exec(printed.text)![1]);
    expect(port).toBeGreaterThan(3000);
    const taken = await finish(startCli(["preview", writeSite(temporaryFolder(), {}), "--port", String(port)]));
    expect([taken.code, taken.stderr]).toEqual([3, expect.stringContaining("EADDRINUSE")]);
  });

  test("over SSH prints the command for the other end, and warns where others can read the site", async () => {
    const { child, run, printed } = await startPreview(["--port", "0", "--host", "0.0.0.0"], {
      SSH_CONNECTION: "10.0.0.2 5000 10.0.0.9 22",
    });
    await waitUntil("the hint", () => printed.text.includes("ssh -L"));
    expect(printed.text).toMatch(/ssh -L (\d+):localhost:\1 \S+@10\.0\.0\.9/);
    child.kill("SIGTERM");
    expect((await run).stderr).toContain("everyone who can reach 0.0.0.0");
  });

  test("needs a folder", async () => {
    const { code, stderr } = await finish(startCli(["preview", join(temporaryFolder(), "none")]));
    expect([code, stderr]).toEqual([2, expect.stringContaining("There is no folder")]);
  });

  test("opens a browser only if somebody can see it", () => {
    const at = (env: Record<string, string>, isTTY = true, platform = "linux"): boolean =>
      hasBrowser({ env, stdout: { isTTY }, platform } as unknown as Environment);
    expect(at({ DISPLAY: ":0" })).toBe(true);
    expect(at({}, true, "darwin")).toBe(true);
    expect(at({})).toBe(false);
    expect(at({ DISPLAY: ":0" }, false)).toBe(false);
    expect(at({ DISPLAY: ":0", SSH_CONNECTION: "a 1 b 2" })).toBe(false);
    expect(at({ DISPLAY: ":0", CI: "1" })).toBe(false);
  });
});
