/**
 * In:  the islands of a page: tags and expressions that need the site's own code.
 * Out: each as untrusted HTML, with the scripts that bring the live ones to life in the browser.
 *
 * Code of the site runs in an interpreter inside a separate process, never in this one.
 */

export type {
  IslandAnswer,
  IslandFailure,
  IslandFault,
  IslandRenderer,
  IslandReply,
  IslandRequest,
  IslandScript,
} from "./island.js";
export { placeIslands } from "./place-islands.js";
