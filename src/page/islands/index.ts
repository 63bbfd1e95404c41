/**
 * In:  the islands of a page: tags and expressions that need the site's own code.
 * Out: each as untrusted HTML, with the scripts that bring the live ones to life in the browser.
 *
 * Code of the site runs in an interpreter inside a separate process, never in this one.
 */
export { type CompiledModule, isModuleSources, type ModuleSource } from "./compile-module.js";
export type {
  IslandAnswer,
  IslandRenderer,
  IslandReply,
  IslandRequest,
  IslandRoot,
} from "./island.js";
export { islandWords } from "./island.js";
export { createIslandRenderer } from "./island-renderer.js";
export { placeIslands } from "./place-islands.js";
export { isRenderJob, type RenderJob, type RenderReply } from "./sandbox/protocol.js";
export { createIslandWorker, type IslandWorker } from "./worker-process.js";
