import { fileResponse, type ServedFile } from "./file-response.js";
import { isSignedLink } from "./link-signature.js";
import { isObjectKey } from "./object-key.js";
import { refusedLink } from "./refused-link.js";

export const objectsPath = "/v1/objects/";

export interface ServeObjectOptions {
  readonly secret: Uint8Array;
  readonly now: () => number;
  fileOf(objectKey: string): Promise<ServedFile>;
}

/**
 * Answers one request for a link of a folder store.
 *
 * In:    a GET, or a HEAD of the same link. A proxy may have added a prefix before `/v1/objects/`.
 * Out:   the file or a range of it; 403 for a modified or expired link; 404 if the file is gone.
 * Fails: throws what the file system throws.
 */
export async function serveObject(request: Request, options: ServeObjectOptions): Promise<Response> {
  const { secret, now, fileOf } = options;
  const { pathname, searchParams } = new URL(request.url);
  const start = pathname.indexOf(objectsPath);
  const objectKey = start < 0 ? "" : pathname.slice(start + objectsPath.length);
  const [written = "", signature = ""] = [searchParams.get("expires"), searchParams.get("signature")].map(
    (each) => each ?? "",
  );
  const expires = /^[1-9]\d{0,14}$/.test(written) ? Number(written) : 0;
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (!isObjectKey(objectKey) || !isSignedLink(secret, { method, objectKey, expires }, signature))
    return refusedLink(request, 403, "This link is not valid: it was not given so by this service. Ask for a new one.");
  if (now() >= expires * 1000)
    return refusedLink(
      request,
      403,
      `This link ended at ${new Date(expires * 1000).toISOString()}. Ask for a new one: POST /v1/static-export/jobs/{jobId}/bundle gives it.`,
    );
  const response = await fileResponse(request, await fileOf(objectKey));
  return response ?? refusedLink(request, 404, "The file is not kept any more. Export again.");
}
