/** Our own components in islands: loaded by pages that use them there. */
import { createUi } from "../../page/islands/runtime/ui.js";
import type { SharedRuntime } from "./shared.js";

const { provide, tables } = (globalThis as unknown as { offprintIslands: SharedRuntime }).offprintIslands;
provide(createUi(tables));
