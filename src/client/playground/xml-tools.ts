import { numberOf } from "../../lib/json/raw-number.js";
import { say, sayWith } from "./say.js";
import { errorMessage, toJson } from "./value.js";

/** What the script for XML takes from the playground, so that it need not contain it again. */
export const xmlTools = { errorMessage, numberOf, say, sayWith, toJson };
export type XmlTools = typeof xmlTools;
