const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeLength = 10;
const numberLength = 16;

/** A ULID of a turn: its time, and its number where others are random. */
export const ulidOfTurn = (turnId: number, askedAt: number): string =>
  written(askedAt, timeLength) + written(turnId, numberLength);

/** Undefined for a text that is no such ULID. */
export function turnOfUlid(ulid: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(ulid)) return undefined;
  const turnId = [...ulid.slice(timeLength).toUpperCase()].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0);
  return Number.isSafeInteger(turnId) ? turnId : undefined;
}

function written(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = digits[rest % 32]! + text;
  return text;
}
