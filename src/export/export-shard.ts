import { runShard } from "./run-shard.js";
import type { ShardOptions, ShardResult } from "./shard-options.js";

/**
 * Makes the pages of one part of a site, and keeps them in `cacheFolder`. An export of the site that has the same cache and
 * the same other options takes them from there. Each page is in one part, the same on every machine. Stops as `exportSite`
 * does.
 *
 * @throws {InvalidOption} if `shard` is not one of its `count` parts, or `cacheFolder` cannot be written.
 */
export const exportShard = (options: ShardOptions): Promise<ShardResult> => runShard(options);
