/**
 * In:  requests of browsers below /console, and the store.
 * Out: pages for whoever runs the service.
 */
export { type Console, createConsole } from "./console.js";
export type { OidcOptions } from "./oidc/options.js";
export { hashPassword } from "./password.js";
export type { ConsoleDeps, ConsoleRoute } from "./route.js";
