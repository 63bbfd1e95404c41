/** The oldest Node that runs Offprint; package.json names it, too. */
const oldest = [22, 13] as const;

/** A sentence for whoever runs an older Node; undefined for others. */
export function nodeProblem(version: string = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return `Offprint needs Node ${oldest.join(".")} or newer; this is v${version}.`;
}
