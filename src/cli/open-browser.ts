import { spawn } from "node:child_process";
import type { Environment } from "./environment.js";

/** Whether somebody sits at this machine, before a terminal and with a desktop. */
export function hasBrowser({ stdout, env, platform }: Environment): boolean {
  if (!stdout.isTTY || env["CI"] || env["SSH_CONNECTION"] || env["SSH_TTY"]) return false;
  return platform === "darwin" || platform === "win32" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/** Opens an address of this machine; whoever has no browser reads it in the terminal. */
export function openBrowser(url: string, { platform }: Environment): void {
  const [command, ...args]: readonly [string, ...string[]] =
    platform === "darwin" ? ["open", url] : platform === "win32" ? ["explorer.exe", url] : ["xdg-open", url];
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
