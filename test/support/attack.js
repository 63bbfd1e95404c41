// What code that broke into an export would try. Tests run it in place of the program of an export's process; the paths of
// the task are the targets. The outcome of each attempt is "reached", or the code of the error that stopped it.
import { execFileSync } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { copyFileSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";

process.on("message", async ({ task }) => {
  const target = JSON.parse(task.paths[0]);
  const own = dirname(dirname(task.archive));
  const attempts = {
    "its own site": () => readdirSync(task.source),
    "its own folder": () => writeFileSync(join(own, "mine"), "x"),
    "a file of the system": () => readFileSync("/etc/passwd"),
    "a file of the worker": () => readFileSync(target.workerFile),
    "the checkout of another export": () => readdirSync(target.otherCheckout),
    "a file by a thread": () =>
      new Promise((resolve, reject) => {
        const code = `require("node:fs").readFileSync(${JSON.stringify(target.workerFile)})`;
        new Worker(code, { eval: true }).on("error", reject).on("exit", resolve);
      }),
    "a file by a link": () => {
      symlinkSync(target.workerFile, join(own, "link"));
      readFileSync(join(own, "link"));
    },
    "a file by a second name": () => linkSync(target.workerFile, join(own, "second")),
    "the environment of the worker": () => readFileSync(`/proc/${target.workerPid}/environ`),
    "the worker by a signal": () => process.kill(target.workerPid, 0),
    "a program": () => execFileSync(process.execPath, ["--version"], { env: {} }),
    "a file in its site": () => writeFileSync(join(task.source, "written"), "x"),
    "a file next to its folder": () => writeFileSync(join(own, "..", "written"), "x"),
    "a file of another folder": () => writeFileSync(`${target.workerFile}.written`, "x"),
    "a native program": () => {
      copyFileSync(target.addon, join(own, "addon.node"));
      process.dlopen({ exports: {} }, join(own, "addon.node"));
    },
    "a port": () => connected({ host: "127.0.0.1", port: target.port }),
    "a socket of the system": () => connected({ path: target.socket }),
    "a name server": () => {
      const resolver = new Resolver({ timeout: 500, tries: 1 });
      resolver.setServers([`127.0.0.1:${target.dnsPort}`]);
      return resolver.resolve4("secret.example.com");
    },
  };
  const outcomes = {};
  for (const [name, attempt] of Object.entries(attempts))
    try {
      await attempt();
      outcomes[name] = "reached";
    } catch (error) {
      outcomes[name] = error.code ?? error.message;
    }
  outcomes.environment = Object.keys(process.env).sort();
  outcomes.root = tryList("/");
  const findings = { errors: 0, warnings: 0, diagnostics: [] };
  process.send({ type: "ended", outcome: { kind: "refused", faults: JSON.stringify(outcomes), findings } }, () =>
    process.exit(),
  );
});

const connected = (options) =>
  new Promise((resolve, reject) => {
    connect(options).on("connect", resolve).on("error", reject);
  });

function tryList(folder) {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch (error) {
    return error.code;
  }
}

process.send({ type: "ready" });
