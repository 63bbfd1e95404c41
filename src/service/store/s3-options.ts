export interface S3StoreOptions {
  readonly bucket: string;
  /** Stands before every object key, with or without a slash at its end. */
  readonly prefix?: string;
  /** Of a store other than AWS, with its scheme. */
  readonly endpoint?: string;
  /** Where clients reach the same store, if that is elsewhere: links lead there. */
  readonly publicEndpoint?: string;
  readonly region: string;
  /** `endpoint/bucket/key` in place of `bucket.endpoint/key`. Where there is an `endpoint`, that is the default. */
  readonly forcePathStyle?: boolean;
  /** The SDK's own chain (environment, profile, web identity, container, instance) if there are none. */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>);
  /** The longest that nothing may come from the store, in milliseconds; then the request is tried again. */
  readonly idleMs?: number;
  readonly now?: () => number;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** When they end, if they do. */
  readonly expiration?: Date;
}

export const s3StoreDefaults = { prefix: "", idleMs: 30_000, now: Date.now } as const satisfies Partial<S3StoreOptions>;

/**
 * The bucket that the environment names; undefined if it names none: OFFPRINT_S3_BUCKET, OFFPRINT_S3_PREFIX,
 * OFFPRINT_S3_ENDPOINT, OFFPRINT_S3_PUBLIC_ENDPOINT, AWS_REGION.
 *
 * @throws {RangeError} that says what is missing or wrong.
 */
export function s3OptionsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): S3StoreOptions | undefined {
  // Compose files and charts give what is not set as an empty text.
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const bucket = read("OFFPRINT_S3_BUCKET");
  if (bucket === undefined) return undefined;
  const region = read("AWS_REGION") ?? read("AWS_DEFAULT_REGION");
  if (region === undefined)
    throw new RangeError(
      "OFFPRINT_S3_BUCKET is set, but AWS_REGION is not. Set it to the bucket's region; stores other than AWS usually take us-east-1.",
    );
  const address = (name: string): string | undefined => {
    const written = read(name);
    if (written !== undefined && !(/^https?:\/\//.test(written) && URL.canParse(written)))
      throw new RangeError(`${name} begins with https:// or http://, not "${written}".`);
    return written;
  };
  const optional = {
    prefix: read("OFFPRINT_S3_PREFIX"),
    endpoint: address("OFFPRINT_S3_ENDPOINT"),
    publicEndpoint: address("OFFPRINT_S3_PUBLIC_ENDPOINT"),
  };
  return { bucket, region, ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) };
}
