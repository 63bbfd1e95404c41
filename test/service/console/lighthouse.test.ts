import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/service/http/index.js";
import { findChromium } from "../../support/browser.js";
import { fillConsole, pagesOf } from "../../support/console-data.js";
import { openConsoleWorld } from "../../support/console-world.js";
import { freePort } from "../../support/postgres.js";

/** The folder with Lighthouse, which is not a dependency: `node bench/measure-lighthouse.ts --console` names it. */
const folder = process.env["LIGHTHOUSE"];

interface Report {
  readonly categories: {
    readonly accessibility: { readonly score: number; readonly auditRefs: readonly { id: string; weight: number }[] };
  };
  readonly audits: Readonly<Record<string, { readonly score: number | null }>>;
}

test.skipIf(folder === undefined)(
  "Lighthouse gives each page 100 for accessibility, light and dark",
  { timeout: 1_800_000 },
  async () => {
    const from = createRequire(join(resolve(folder!), "package.json"));
    const { default: lighthouse } = (await import(pathToFileURL(from.resolve("lighthouse")).href)) as {
      default: (url: string, flags: object) => Promise<{ lhr: Report }>;
    };
    const world = await openConsoleWorld();
    const filled = await fillConsole(world);
    const { personId } = await world.person("ada@acme.com", "owner");
    const session = await world.store.people.createSession({ personId, stage: "open", browser: "Test" });
    const served = await listen({ api: world.console, port: 0, host: "127.0.0.1" });
    const port = await freePort();
    const browser = await chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? findChromium()!,
      args: [`--remote-debugging-port=${port}`, "--no-sandbox"],
    });
    const debug = process.env["DEBUG"];
    onTestFinished(async () => {
      // Lighthouse sets it.
      if (debug === undefined) delete process.env["DEBUG"];
      else process.env["DEBUG"] = debug;
      await browser.close();
      await served.close();
    });
    const below: string[] = [];
    const addresses = ["/console/login", ...pagesOf(filled)];
    for (const mode of ["light", "dark"])
      for (const address of addresses) {
        const { lhr } = await lighthouse(served.url + address, {
          port,
          onlyCategories: ["accessibility"],
          logLevel: "error",
          extraHeaders: {
            Cookie:
              address === "/console/login" ? `offprint-mode=${mode}` : `offprint=${session}; offprint-mode=${mode}`,
          },
        });
        const { score, auditRefs } = lhr.categories.accessibility;
        const failed = auditRefs.filter(({ id, weight }) => weight > 0 && (lhr.audits[id]!.score ?? 1) < 1);
        console.log(`${Math.round(score * 100)} ${mode} ${address} ${failed.map(({ id }) => id).join(" ")}`);
        if (score < 1) below.push(`${address} ${mode}: ${score} ${failed.map(({ id }) => id).join(" ")}`);
      }
    expect(below).toEqual([]);
  },
);
