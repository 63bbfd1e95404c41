/** A cursor of a list is the position of the last entry that was shown. */
export const cursorOf = (position: number): string => Buffer.from(`p${position}`).toString("base64url");

/** 0 for an invalid cursor. */
export function positionOf(cursor: string): number {
  const digits = /^p(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"))?.[1];
  return digits === undefined ? 0 : Number(digits);
}

export const isCursor = (text: string): boolean => text === cursorOf(positionOf(text));
