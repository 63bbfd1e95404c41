import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, watch } from "node:fs";
import { userInfo } from "node:os";
import { styleText } from "node:util";
import { formatDiagnostic, InvalidOption } from "../../index.js";
import { isMendable } from "../../lib/diagnostic/index.js";
import { openPreview, type PreviewEvent } from "../../preview/open-preview.js";
import { isLoopback } from "../../preview/preview-server.js";
import { type Environment, stopOnSignal, UsageError } from "../environment.js";
import { cacheFolder } from "../settings/cache.js";
import { createReader, openSiteSource, type SiteSource } from "../site-source.js";
import type { PreviewArguments } from "./preview-options.js";

/** `offprint preview`: runs until a signal ends it. */
export async function run(args: PreviewArguments, environment: Environment): Promise<number> {
  const { site, port, host, poll } = args;
  if (!statSync(site, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`There is no folder "${site}". Name the one that holds docs.json.`);
  const source = await openSiteSource(site);
  const { controller, release } = stopOnSignal(environment);
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
      environment.stderr.write(`Everyone who reaches ${host} on this port can read the site while the preview runs.\n`);
    const preview = await openPreview({
      source: source.folder,
      port,
      host,
      poll,
      audience: args.audience,
      cacheFolder: args.cache && !source.conversion ? cacheFolder(environment) : undefined,
      onEvent,
      signal,
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
    release();
    source.close();
  }
}

/** Converts the folder again when somebody saves; the preview watches what is made of it. */
function followChanges(site: string, source: SiteSource, signal: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  watch(site, { recursive: true, signal }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!signal.aborted) source.refresh();
    }, 100);
  }).on("error", () => {});
}

/** How to reach the preview from the machine at the other end. */
function sshHint(port: number, { env }: Environment): string {
  const [, , address] = env["SSH_CONNECTION"]?.split(" ") ?? [];
  if (address === undefined) return "";
  return `Over SSH, run this on your own machine, then open the address there:\n\n  ssh -L ${port}:localhost:${port} ${userInfo().username}@${address}\n\n`;
}

function createPrinter(
  source: SiteSource,
  site: string,
  { stdout, stderr }: Environment,
): (event: PreviewEvent) => void {
  const dim = (text: string): string => (stdout.isTTY ? styleText("dim", text) : text);
  const ms = (value: number): string => dim(`${Math.round(value)} ms`);
  return (event) => {
    if (event.type === "ready") {
      const pages = event.pages === 1 ? "1 page" : `${event.pages} pages`;
      stdout.write(
        `\n  ${event.url}\n\n${dim(`${pages}, ready in ${Math.round(event.ms)} ms. Ctrl+C ends the preview.`)}\n\n`,
      );
    } else if (event.type === "changed") {
      const [first = "the folder", ...others] = event.files ?? [];
      const more = others.length === 0 ? "" : ` and ${others.length} more`;
      stdout.write(`${printable(first)}${more} changed ${ms(event.ms)}\n`);
    } else if (event.type === "diagnostics") {
      const read = createReader(site);
      const all = source.placed(event.diagnostics);
      for (const each of all.slice(0, mostShown)) stderr.write(`${formatDiagnostic(each, read)}\n\n`);
      const mendable = all.filter(isMendable).length;
      if (mendable > 0) stderr.write(`"offprint fix" mends ${mendable} of these.\n\n`);
      const hidden = event.diagnostics.length - mostShown;
      if (hidden > 0) stderr.write(`… and ${hidden} more: "offprint check --all" prints each.\n\n`);
      if (event.diagnostics.length === 0) stdout.write(`${event.path ?? "The site"} has no findings any more.\n`);
    } else if (event.type === "error") stderr.write(`${event.message}\n`);
  };
}

const mostShown = 5;

/** The names of files are those of the site. */
const printable = (name: string): string => name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "�");

/** Whether somebody sits at this machine, before a terminal and with a desktop. */
export function hasBrowser({ stdout, env, platform }: Environment): boolean {
  if (!stdout.isTTY || env["CI"] || env["SSH_CONNECTION"] || env["SSH_TTY"]) return false;
  return platform === "darwin" || platform === "win32" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/** Opens an address of this machine; whoever has no browser reads it in the terminal. */
function openBrowser(url: string, { platform }: Environment): void {
  const [command, ...args]: readonly [string, ...string[]] =
    platform === "darwin" ? ["open", url] : platform === "win32" ? ["explorer.exe", url] : ["xdg-open", url];
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
