import { tmpdir } from "node:os";
import { join } from "node:path";

/** The cache folder of exports whose tests are not about the cache: what one file has drawn, others need not draw again. */
export const exportCache = join(tmpdir(), "offprint-export-cache");
