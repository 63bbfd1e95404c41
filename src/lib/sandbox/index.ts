/** Starts Node processes that can reach only what they are given. */
export type { Access } from "./access.js";
export { permissionsCoverNetwork } from "./access.js";
export { findBackground, yieldToOthers } from "./background.js";
export { forkSandboxed, requireStarted, type Sandbox, spawnSandboxed } from "./fork-sandboxed.js";
export { sendMessage } from "./messages.js";
export type { Namespace } from "./namespace.js";
export { findNamespace } from "./namespace.js";
export { packageFiles } from "./package-files.js";
export { createProcessClient, type Lost, ready } from "./process-client.js";
