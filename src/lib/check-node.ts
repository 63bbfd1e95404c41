/** The oldest Node that runs Offprint; also in package.json. */
const oldest = [22, 13] as const;

/** The message for an older Node; undefined if this one is new enough. */
export function nodeProblem(version: string = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return `Offprint needs Node ${oldest.join(".")} or newer; this is v${version}. Get it from nodejs.org; in a clone, npm run offprint brings its own.`;
}
