// The search and the assistant, with the code that reads an exported bundle. Node cannot load their sources, so they are bundled first.
export { createArchive } from "../src/bundle/archive/index.js";
export { createExtractiveAnswerer } from "../src/service/assistant/extractive-answerer.js";
export { createModelAnswerer } from "../src/service/assistant/model/model-answerer.js";
export { openSiteIndex } from "../src/service/assistant/retrieval/open-site-index.js";
export { writeIndex } from "../src/service/assistant/retrieval/write-index.js";
export { promptText, startModelServer } from "../test/service/assistant/model/model-server.js";
export { createIndexOpener, dataIn, search } from "./search-engine.js";
