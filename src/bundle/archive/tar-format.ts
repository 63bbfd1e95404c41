/** A file is followed by zeros up to the next multiple of this. */
export const tarBlock = 512;
/** What ends a `.tar`. */
export const tarEnd: Uint8Array = new Uint8Array(2 * tarBlock);

/** Bytes that follow a file of this size. */
export const paddingOf = (size: number): number => (tarBlock - (size % tarBlock)) % tarBlock;

/** The header before a regular file: as POSIX.1-1988 describes it, with that of POSIX.1-2001 before it where it needs one. */
export function tarHeader(path: string, size: number): Uint8Array {
  const fits = path.length <= 100 && isAscii.test(path);
  const records = [
    ...(fits ? [] : [paxRecord("path", path)]),
    ...(size > mostOctal ? [paxRecord("size", `${size}`)] : []),
  ];
  if (records.length === 0) return header(path, size, "0");
  const pax = Buffer.concat(records);
  const name = fits ? path : path.replace(/[^ -~]/gu, "_").slice(0, 100);
  return Buffer.concat([
    header("PaxHeader", pax.length, "x"),
    pax,
    Buffer.alloc(paddingOf(pax.length)),
    header(name, Math.min(size, mostOctal), "0"),
  ]);
}

const isAscii = /^[ -~]*$/;
/** The largest number of eleven octal digits. */
const mostOctal = 0o77777777777;

/** Fixed time, owner and mode, so that equal files have equal headers. */
function header(name: string, size: number, type: "0" | "x"): Buffer {
  const block = Buffer.alloc(tarBlock);
  block.write(name, 0, "latin1");
  block.write(`0000644\0${"0000000\0".repeat(2)}`, 100, "latin1");
  block.write(`${size.toString(8).padStart(11, "0")}\0${"0".repeat(11)}\0`, 124, "latin1");
  block.write(`        ${type}`, 148, "latin1");
  block.write("ustar\x0000", 257, "latin1");
  block.write("0000000\0".repeat(2), 329, "latin1");
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

/** `<length> <key>=<value>\n`; the length counts its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let length = rest.length + 1;
  while (`${length}`.length + rest.length !== length) length = `${length}`.length + rest.length;
  return Buffer.concat([Buffer.from(`${length}`), rest]);
}
