/** Our own components for islands, loaded by pages with islands that use them. */
import { createUi } from "../../page/islands/runtime/ui.js";
import { runtime } from "./shared-preact.js";

runtime.provide(createUi(runtime.tables));
