import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, watch } from "node:fs";
import { userInfo } from "node:os";
import { styleText } from "node:util";
import { tuneProcess } from "../../export/index.js";
import { type Diagnostic, formatDiagnostic, InvalidOption } from "../../index.js";
import { isRepairable } from "../../lib/diagnostic/index.js";
import { openPreview, type PreviewEvent } from "../../preview/open-preview.js";
import { isLoopback } from "../../preview/preview-server.js";
import { type Input, stoppableCommand } from "../command.js";
import { type Environment, UsageError } from "../environment.js";
import { groupsOf, portNumber } from "../options.js";
import { count, printableLine } from "../print/terminal.js";
import { cacheFolder } from "../settings/cache.js";
import { createReader, openSiteSource, type SiteSource } from "../site-source.js";
import type texts from "./texts/preview.json";

export const commands = { preview: stoppableCommand(parse, run) };

function parse({ argument, values }: Input<typeof texts, "preview">) {
  if ((argument === "") === (values.from === undefined))
    throw new UsageError(
      '"offprint preview" needs one folder. Example: offprint preview ./docs, or --from ../old-docs',
    );
  return {
    site: values.from ?? argument,
    isOld: values.from !== undefined,
    port: portNumber("--port", values.port),
    host: values.host,
    opens: !values["no-open"],
    audience: groupsOf("--audience", values.audience),
    poll: values.poll ?? false,
    cache: !values["no-cache"],
    json: values.json ?? false,
  };
}

/** Runs until a signal ends it. */
async function run(
  args: ReturnType<typeof parse>,
  environment: Environment,
  controller: AbortController,
): Promise<number> {
  const { site, port, host, poll, audience } = args;
  if (!statSync(site, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`There is no folder "${site}". Name the folder that contains docs.json.`);
  tuneProcess();
  const source = await openSiteSource(site, args.isOld);
  const { signal } = controller;
  const stopped = once(signal, "abort");
  const stop = (): void => controller.abort();
  // The terminal is closed, or the editor that reads the events has ended.
  environment.on("SIGHUP", stop);
  environment.stdout.on("error", stop);
  const onEvent = args.json
    ? (event: PreviewEvent) => void environment.stdout.write(`${JSON.stringify(event)}\n`)
    : createPrinter(source, site, environment);
  try {
    environment.stderr.write(args.json ? "" : source.hint);
    if (source.conversion) followChanges(site, source, signal);
    if (host !== undefined && !isLoopback(host))
      environment.stderr.write(
        `While the preview runs, everyone who can reach ${host} on this port can read the site.\n`,
      );
    const preview = await openPreview({
      ...{ source: source.folder, port, host, poll, audience, onEvent, signal },
      cacheFolder: args.cache && !source.conversion ? cacheFolder(environment) : undefined,
    });
    if (!args.json) environment.stdout.write(sshHint(preview.port, environment));
    if (args.opens && !args.json && hasBrowser(environment)) openBrowser(preview.url, environment);
    await stopped;
    await preview.close();
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    if (error instanceof InvalidOption) throw new UsageError(error.message);
    throw error;
  } finally {
    environment.off("SIGHUP", stop);
    environment.stdout.off("error", stop);
    source.close();
  }
}

/** Converts the folder again after each change; the preview watches the result. */
function followChanges(site: string, source: SiteSource, signal: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  watch(site, { recursive: true, signal }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!signal.aborted) void source.refresh();
    }, 100);
  }).on("error", () => {});
}

/** How to reach the preview from the other end of an SSH connection. */
function sshHint(port: number, { env }: Environment): string {
  const [, , address] = env["SSH_CONNECTION"]?.split(" ") ?? [];
  if (address === undefined) return "";
  return `You are connected over SSH: run this on your own machine, then open the URL there:\n\n  ssh -L ${port}:localhost:${port} ${userInfo().username}@${address}\n\n`;
}

const maxDiagnostics = 5;

function createPrinter(
  source: SiteSource,
  site: string,
  { stdout, stderr }: Environment,
): (event: PreviewEvent) => void {
  const dim = (text: string): string => (stdout.isTTY ? styleText("dim", text) : text);
  const printDiagnostics = (diagnostics: readonly Diagnostic[]): void => {
    const read = createReader(site);
    const all = source.atOrigin(diagnostics);
    for (const diagnostic of all.slice(0, maxDiagnostics)) stderr.write(`${formatDiagnostic(diagnostic, read)}\n\n`);
    const repairable = all.filter(isRepairable).length;
    if (repairable > 0) stderr.write(`"offprint fix" repairs ${repairable} of these.\n\n`);
    const hidden = all.length - maxDiagnostics;
    if (hidden > 0) stderr.write(`… and ${hidden} more: "offprint check --all" prints each.\n\n`);
  };
  return (event) => {
    if (event.type === "ready") {
      const ready = `${count(event.pages, "page")}, ready in ${Math.round(event.ms)} ms. Press Ctrl+C to stop the preview.`;
      stdout.write(`\n  ${event.url}\n\n${dim(ready)}\n\n`);
    } else if (event.type === "changed") {
      const [first = "the folder", ...others] = event.files ?? [];
      const more = others.length === 0 ? "" : ` and ${others.length} more`;
      stdout.write(`${printableLine(first)}${more} changed ${dim(`${Math.round(event.ms)} ms`)}\n`);
    } else if (event.type === "diagnostics") {
      printDiagnostics(event.diagnostics);
      if (event.diagnostics.length === 0) stdout.write(`${event.path ?? "The site"} has no more findings.\n`);
    } else if (event.type === "error") stderr.write(`${event.message}\n`);
  };
}

/** Whether somebody sits at this machine, before a terminal and with a desktop. */
export function hasBrowser({ stdout, env, platform }: Environment): boolean {
  if (!stdout.isTTY || env["CI"] || env["SSH_CONNECTION"] || env["SSH_TTY"]) return false;
  return platform === "darwin" || platform === "win32" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/** Ignores failures: the address is also in the terminal. */
function openBrowser(url: string, { platform }: Environment): void {
  const [program, ...args]: readonly [string, ...string[]] =
    platform === "darwin" ? ["open", url] : platform === "win32" ? ["explorer.exe", url] : ["xdg-open", url];
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
