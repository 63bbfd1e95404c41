import { S3Client, type S3ClientConfig, S3ServiceException } from "@aws-sdk/client-s3";
import { checkObjectKey } from "./object-store.js";

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

/** An error with what failed, the store's reason, and advice. */
export function s3Failure(bucket: S3Bucket, what: string, cause: unknown): Error {
  const { name, message } = cause as Error;
  const status = cause instanceof S3ServiceException ? cause.$metadata.httpStatusCode : undefined;
  const reason = status === undefined ? message : `${name}, status ${status}`;
  const advice = adviceOn(name, status, (cause as { readonly Region?: unknown }).Region);
  return new Error(`The bucket "${bucket.name}": ${what} (${reason}).${advice === undefined ? "" : ` ${advice}`}`, {
    cause,
  });
}

export const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== "NoSuchBucket";

/** The range of a read begins after the end of the object. */
export const isAfterEnd = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416;

/** What to do if the bucket is in another region than the requests were signed for. */
export const regionAdvice = (region: unknown): string =>
  `Correct AWS_REGION${typeof region === "string" ? `: the bucket is in "${region}"` : ""}.`;

export const regionErrors = [
  "AuthorizationHeaderMalformed",
  "AuthorizationQueryParametersError",
  "PermanentRedirect",
  "TemporaryRedirect",
];

function adviceOn(name: string, status: number | undefined, region: unknown): string | undefined {
  if (regionErrors.includes(name)) return regionAdvice(region);
  if (name === "NoSuchBucket") return "Create the bucket, or correct OFFPRINT_S3_BUCKET.";
  if (name === "CredentialsProviderError")
    return "Provide credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role.";
  if (["InvalidAccessKeyId", "SignatureDoesNotMatch"].includes(name))
    return "Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.";
  if (["ExpiredToken", "ExpiredTokenException"].includes(name))
    return "The credentials have expired: provide new ones.";
  if (name === "InvalidToken") return "Correct AWS_SESSION_TOKEN, or remove it if the credentials are not temporary.";
  if (name === "RequestTimeTooSkewed")
    return "This machine's clock differs from the store's by more than 15 minutes. Correct it.";
  if (status === 403)
    return "The credentials must allow s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload on the bucket's objects, and s3:ListBucket on the bucket.";
  return undefined;
}

export interface S3StoreOptions {
  readonly bucket: string;
  /** Prefix of all object keys, with or without trailing slash. */
  readonly prefix?: string;
  /** URL of a store other than AWS. */
  readonly endpoint?: string;
  /** Endpoint for clients, if it differs: used in links. */
  readonly publicEndpoint?: string;
  readonly region: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. The default if there is an `endpoint`. */
  readonly forcePathStyle?: boolean;
  /** Default: the SDK's chain (environment, profile, web identity, container, instance). */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>);
  /** Longest time without data from the store, in milliseconds; then the request is retried. */
  readonly idleMs?: number;
  readonly now?: () => number;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** When the credentials expire; undefined if they do not. */
  readonly expiration?: Date;
}

export const s3StoreDefaults = { prefix: "", idleMs: 30_000, now: Date.now } as const satisfies Partial<S3StoreOptions>;

/**
 * The bucket from the environment variables, or undefined: OFFPRINT_S3_BUCKET, OFFPRINT_S3_PREFIX,
 * OFFPRINT_S3_ENDPOINT, OFFPRINT_S3_PUBLIC_ENDPOINT, AWS_REGION.
 *
 * @throws {RangeError} that says what is missing or wrong.
 */
export function s3OptionsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): S3StoreOptions | undefined {
  // Compose files and charts set missing values to empty strings.
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const bucket = read("OFFPRINT_S3_BUCKET");
  if (bucket === undefined) return undefined;
  const region = read("AWS_REGION") ?? read("AWS_DEFAULT_REGION");
  if (region === undefined)
    throw new RangeError(
      "OFFPRINT_S3_BUCKET is set, but AWS_REGION is not. Set it to the bucket's region; for stores other than AWS, us-east-1 usually works.",
    );
  const address = (name: string): string | undefined => {
    const url = read(name);
    if (url !== undefined && !(/^https?:\/\//.test(url) && URL.canParse(url)))
      throw new RangeError(`${name} must start with https:// or http://, not "${url}".`);
    return url;
  };
  const optional = {
    prefix: read("OFFPRINT_S3_PREFIX"),
    endpoint: address("OFFPRINT_S3_ENDPOINT"),
    publicEndpoint: address("OFFPRINT_S3_PUBLIC_ENDPOINT"),
  };
  return { bucket, region, ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) };
}
