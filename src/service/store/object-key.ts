/**
 * Segments of letters, digits, `.`, `_` and `-`, joined by `/`: nothing that a file system or an address reads another
 * way. None begins with a dot, which leaves room for a store's own files.
 */
const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

export const isObjectKey = (text: string): boolean =>
  text.length <= 800 && text.split("/").every((each) => segment.test(each));

/** @throws {RangeError} */
export function checkObjectKey(objectKey: string): void {
  if (!isObjectKey(objectKey))
    throw new RangeError(
      `An object key is made of letters, digits, ".", "_" and "-", with "/" between, not "${objectKey}".`,
    );
}

/** What a browser is to call the file. */
export const fileNameOf = (objectKey: string): string => objectKey.slice(objectKey.lastIndexOf("/") + 1);
