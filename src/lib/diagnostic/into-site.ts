/** The fix for a file of another host, as it follows "fix:"; names a path if the address ends in the name of a file. */
export function intoSite(url: string): string {
  const name = /\/([\w.-]+\.\w+)(?:[?#]|$)/.exec(url)?.[1];
  return `add the file to the site and write its path${name === undefined ? "" : `, such as "/images/${name}"`}.`;
}
