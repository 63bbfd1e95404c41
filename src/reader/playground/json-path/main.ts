/** JSONPath, loaded with workflows that use it. */
import { selectPath } from "../../../lib/json-path/json-path.js";

export type SelectJsonPath = typeof selectPath;

window.offprintJsonPath = selectPath;
