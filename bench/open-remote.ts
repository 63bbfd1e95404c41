// The object store of measure-shared.ts, as an export uses it.
import type { RemoteStore } from "../src/lib/cache/index.js";
import { remoteStoreOf, type S3StoreOptions } from "../src/service/store/index.js";
import { openS3Store } from "../src/service/store/s3-store.js";

export const openRemote = (options: S3StoreOptions): RemoteStore =>
  remoteStoreOf(openS3Store(options), "", (error) => {
    throw error;
  });
