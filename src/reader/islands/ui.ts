/** Our own components for islands, loaded by pages with islands that use them. */
import { createUi } from "../../page/islands/runtime/ui.js";
import type { SharedRuntime } from "./shared.js";

const { provide, tables } = (globalThis as unknown as { offprintIslands: SharedRuntime }).offprintIslands;
provide(createUi(tables));
