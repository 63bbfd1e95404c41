/** Two paths that some file system treats as the same have the same folded form. Upper case first: ß is SS, ſ is S. */
export function foldPath(path: string): string {
  if (/^[ -~]*$/.test(path)) return path.toLowerCase();
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}
