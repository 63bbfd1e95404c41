/** `dist/sbom.cdx.json` against the licenses that ship, the lock file, and the schema of CycloneDX. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { billOfMaterials } from "../../scripts/bill-of-materials.ts";

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly "bom-ref": string;
  readonly scope: string;
  readonly hashes?: readonly { readonly content: string }[];
  readonly licenses: readonly object[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}
interface Bom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}
interface LockEntry {
  readonly version: string;
  readonly name?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly integrity?: string;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");
const bom = JSON.parse(read("dist/sbom.cdx.json")) as Bom;
const { packages } = JSON.parse(read("package-lock.json")) as {
  readonly packages: Readonly<Record<string, LockEntry>>;
};

const nameOf = ({ group, name, version }: Component): string => `${group ? `${group}/` : ""}${name} ${version}`;
const deliveredAs = (how: string): string[] =>
  bom.components.filter(({ properties }) => properties.some(({ value }) => value === how)).map(nameOf);
/** Packages that a list of licenses names above their texts. */
const licensed = (path: string): string[] =>
  read(path)
    .split("\n")
    .filter((line) =>
      line.split(", ").every((entry) => /^(?:@[a-z][\w.-]*\/)?[a-z][\w.-]* \d+\.\d+\.\d+\S*$/.test(entry)),
    )
    .flatMap((line) => line.split(", "));

describe("the bill of materials", () => {
  test("is valid CycloneDX 1.6", () => {
    const schemaOf = (name: string): object => ({
      ...(JSON.parse(read(`node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}`)) as object),
      // The schemas refer to each other by these names.
      $id: `http://cyclonedx.org/schema/${name}`,
    });
    const others = ["spdx", "jsf-0.82", "cryptography-defs"].map((name) => schemaOf(`${name}.SNAPSHOT.schema.json`));
    const ajv = new Ajv({ strict: false, validateFormats: false, schemas: others });
    const validate = ajv.compile(schemaOf("bom-1.6.SNAPSHOT.schema.json"));
    validate(bom);
    expect(validate.errors ?? []).toEqual([]);
  });

  test("names every package whose license ships, and every package that it calls joined has its license there", () => {
    const shipped = [...new Set(["dist/licenses.txt", "dist/client/licenses.txt"].flatMap(licensed))];
    expect(shipped.length).toBeGreaterThan(100);
    expect(deliveredAs("joined").sort()).toEqual(shipped.sort());
  });

  test("names every package that npm installs, with the hash that npm verifies", () => {
    const installed = Object.entries(packages).filter(([path, { dev, devOptional }]) => path && !dev && !devOptional);
    const names = installed.map(
      ([path, { name, version }]) => `${name ?? path.split("node_modules/").at(-1)} ${version}`,
    );
    expect(deliveredAs("installed").sort()).toEqual([...new Set(names)].sort());
    const hashes = new Set(bom.components.flatMap((component) => component.hashes ?? []).map(({ content }) => content));
    for (const [, { integrity = "" }] of installed)
      expect(hashes).toContain(Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex"));
  });

  test("gives each component once, with a license, and no dependency on a component that it does not list", () => {
    const refs = bom.components.map((component) => component["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    expect(bom.components.filter(({ licenses }) => licenses.length === 0).map(nameOf)).toEqual([]);
    const listed = new Set([...refs, "pkg:npm/offprint@0.1.0"]);
    expect(
      bom.dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn]).filter((ref) => !listed.has(ref)),
    ).toEqual([]);
    const yaml = bom.dependencies.find(({ ref }) => ref.startsWith("pkg:npm/pg@"));
    expect(yaml?.dependsOn?.some((ref) => ref.startsWith("pkg:npm/pg-pool@"))).toBe(true);
  });

  test("has the same bytes in each build", () => {
    const joined = [{ folder: "node_modules/hono", name: "hono", version: packages["node_modules/hono"]!.version }];
    expect(billOfMaterials(root, joined)).toBe(billOfMaterials(root, joined));
  });
});
