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
