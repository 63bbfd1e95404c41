import { buildAll } from "../../scripts/build.js";

/** Page threads, commands and diagrams run from dist: it is built again where it is not what the sources make. */
export default async function freshBuild() {
  await buildAll({ types: false, ifStale: true });
}
