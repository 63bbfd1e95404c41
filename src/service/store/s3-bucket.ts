import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { checkObjectKey } from "./object-key.js";
import { type S3StoreOptions, s3StoreDefaults } from "./s3-options.js";

/** A bucket and its client. */
export interface S3Bucket {
  readonly name: string;
  readonly client: S3Client;
  /** Ends with a slash, or is empty. */
  readonly prefix: string;
  readonly now: () => number;
  /** The key in the bucket. @throws {RangeError} if it is not an object key. */
  keyOf(objectKey: string): string;
  /** Clients that sign links with these credentials, for the public and the internal endpoint. */
  signers(credentials: S3ClientConfig["credentials"]): { readonly forClients: S3Client; readonly forUs: S3Client };
}

export function openBucket(written: S3StoreOptions): S3Bucket {
  const options = { ...s3StoreDefaults, ...written };
  const { bucket, endpoint, publicEndpoint = endpoint, region, credentials, idleMs, now } = options;
  const prefix = options.prefix.replace(/^\/+|\/+$/g, "");
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
    prefix: prefix === "" ? "" : `${prefix}/`,
    now,
    keyOf(objectKey) {
      checkObjectKey(objectKey);
      return `${this.prefix}${objectKey}`;
    },
    signers(identity) {
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
