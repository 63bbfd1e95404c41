/**
 * Segments of letters, digits, `.`, `_` and `-`, joined by `/`, which mean the same in file systems and URLs. None
 * starts with a dot: those names are for a store's own files.
 */
const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

export const isObjectKey = (text: string): boolean =>
  text.length <= 800 && text.split("/").every((each) => segment.test(each));

/** @throws {RangeError} */
export function checkObjectKey(objectKey: string): void {
  if (!isObjectKey(objectKey))
    throw new RangeError(
      `An object key consists of letters, digits, ".", "_" and "-", separated by "/", not "${objectKey}".`,
    );
}

/** File name of the download. */
export const fileNameOf = (objectKey: string): string => objectKey.slice(objectKey.lastIndexOf("/") + 1);
