import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [member: string]: unknown;
}

/** Renders a chart, by default with the release name `docs`. @throws {Error} with the message of the chart. */
export type RenderChart = (chart: string, values: object, release?: string) => readonly KubernetesObject[];

const libraries = "/usr/share/gocode";
/** Stays between runs: the first one compiles Go's own packages for seconds. */
export const goCache = fileURLToPath(new URL("../../../.cache/go", import.meta.url));

/** Builds the renderer. Without Go or sprig it warns and returns undefined, or throws if `CI` is set. */
export function buildRenderer(): RenderChart | undefined {
  const isInstalled =
    spawnSync("go", ["version"]).status === 0 && existsSync(join(libraries, "src/github.com/Masterminds/sprig"));
  if (!isInstalled) {
    const packages = "golang-go golang-github-masterminds-sprig-dev golang-github-ghodss-yaml-dev";
    const reason = `Go or sprig is missing. Install it: sudo apt-get install ${packages}`;
    if (process.env["CI"]) throw new Error(reason);
    console.warn(`Skipped tests that render charts. ${reason}`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "offprint-helm-"));
  const program = join(folder, "helm-render");
  execFileSync("go", ["build", "-o", program, "."], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { ...process.env, GO111MODULE: "off", GOPATH: libraries, GOFLAGS: "", GOCACHE: goCache },
    stdio: ["ignore", "ignore", "pipe"],
  });
  return (chart, values, release = "docs") => {
    const { status, stdout, stderr } = spawnSync(program, [chart, release, JSON.stringify(values)], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    return parseAllDocuments(stdout).flatMap((document) => {
      if ("errors" in document && document.errors[0]) throw document.errors[0];
      return (document.toJS() as KubernetesObject | null) ?? [];
    });
  };
}
