import { S3ServiceException } from "@aws-sdk/client-s3";
import type { S3Bucket } from "./s3-bucket.js";

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
  if (name === "NoSuchBucket") return "Make the bucket, or correct OFFPRINT_S3_BUCKET.";
  if (name === "CredentialsProviderError")
    return "Give credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role.";
  if (["InvalidAccessKeyId", "SignatureDoesNotMatch"].includes(name))
    return "Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.";
  if (["ExpiredToken", "ExpiredTokenException"].includes(name))
    return "The credentials have expired: provide new ones.";
  if (name === "InvalidToken") return "Correct AWS_SESSION_TOKEN, or remove it if the credentials are not temporary.";
  if (name === "RequestTimeTooSkewed")
    return "The clock of this machine and the store's differ by more than 15 minutes: set it.";
  if (status === 403)
    return "The credentials must allow s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload on its objects, and s3:ListBucket on it.";
  return undefined;
}
