/**
 * In:  requests of browsers below /console, and the store.
 * Out: pages for the people who run the service.
 */
export { type Console, createConsole } from "./console.js";
export { hashPassword } from "./password.js";
export type { ConsoleDeps, ConsoleRoute, OidcOptions } from "./route.js";
