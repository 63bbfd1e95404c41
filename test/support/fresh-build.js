import { buildAll, isStale } from "../../scripts/build.js";

/** Page threads, commands and diagrams run from dist: it is built again where the sources have changed since. */
export default async function freshBuild() {
  if (isStale()) await buildAll({ types: false });
}
