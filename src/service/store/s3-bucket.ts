import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { checkObjectKey } from "./object-key.js";
import { type S3StoreOptions, s3StoreDefaults } from "./s3-options.js";

export type S3Bucket = ReturnType<typeof openBucket>;

/** A bucket and its client. */
export function openBucket(written: S3StoreOptions) {
  const options = { ...s3StoreDefaults, ...written };
  const { bucket, endpoint, publicEndpoint = endpoint, region, credentials, idleMs, now } = options;
  const name = options.prefix.replace(/^\/+|\/+$/g, "");
  const prefix = name === "" ? "" : `${name}/`;
  const config: S3ClientConfig = {
    region,
    forcePathStyle: options.forcePathStyle ?? endpoint !== undefined,
    ...at(endpoint),
    ...(credentials !== undefined && { credentials }),
    // Older stores do not support the newer checksums, and some store them as content.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 5,
    requestHandler: { connectionTimeout: 5_000, socketTimeout: idleMs },
  };
  const client = new S3Client(config);
  return {
    name: bucket,
    client,
    /** Ends with a slash, or is empty. */
    prefix,
    now,
    /** The key in the bucket. @throws {RangeError} if it is not an object key. */
    keyOf(objectKey: string): string {
      checkObjectKey(objectKey);
      return `${prefix}${objectKey}`;
    },
    /** Clients that sign links with these credentials, for the public and the internal endpoint. */
    signers(identity: S3ClientConfig["credentials"]) {
      const shared = {
        ...config,
        requestHandler: client.config.requestHandler,
        ...(identity && { credentials: identity }),
      };
      const forUs = new S3Client(shared);
      return {
        forUs,
        forClients: publicEndpoint === endpoint ? forUs : new S3Client({ ...shared, ...at(publicEndpoint) }),
      };
    },
  };
}

const at = (endpoint: string | undefined): { endpoint?: string } => (endpoint === undefined ? {} : { endpoint });
