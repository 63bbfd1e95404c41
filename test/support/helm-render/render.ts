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

/** Renders a chart with the release name `docs`. @throws {Error} with what the chart says is missing. */
export type RenderChart = (chart: string, values: object, release?: string) => readonly KubernetesObject[];

const libraries = "/usr/share/gocode";

/** Builds the renderer beside this file; undefined, with a printed reason, where there is no Go; with `CI` set an error. */
export function buildRenderer(): RenderChart | undefined {
  const isThere =
    spawnSync("go", ["version"]).status === 0 && existsSync(join(libraries, "src/github.com/Masterminds/sprig"));
  if (!isThere) {
    const packages = "golang-go golang-github-masterminds-sprig-dev golang-github-ghodss-yaml-dev";
    const reason = `There is no Go with sprig; install it with: sudo apt-get install ${packages}`;
    if (process.env["CI"]) throw new Error(reason);
    console.warn(`Tests that render charts are left out. ${reason}`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "offprint-helm-"));
  const program = join(folder, "helm-render");
  execFileSync("go", ["build", "-o", program, "."], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { ...process.env, GO111MODULE: "off", GOPATH: libraries, GOFLAGS: "", GOCACHE: join(folder, "cache") },
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
