// The client's search with what reads an index from disk. Node cannot load its sources, so it is bundled first.
export { search } from "../src/bundle/search/engine/engine.js";
export { createIndexOpener } from "../src/bundle/search/engine/index-files.js";
export { dataIn } from "../test/bundle/search/index-of.js";
