import { basename, dirname } from "node:path";

const generic = /^(?:docs?|documentation|site|website|offprint-site)$/i;

/** The folder's name as words. That of the folder around it if it only says that it holds a site. */
export function nameFor(folder: string): string {
  const own = basename(folder);
  const words = (generic.test(own) ? basename(dirname(folder)) : own).replace(/[-_.\s]+/g, " ").trim();
  return words === "" ? "My product" : words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
