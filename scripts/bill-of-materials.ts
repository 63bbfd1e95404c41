// A CycloneDX list of what ships: the packages that the build joins into dist, and those that npm installs beside them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { PackageURL } from "packageurl-js";
import parseLicense from "spdx-expression-parse";

/** The fields of package.json and the lock file. */
interface Description {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

/** A package that is joined into dist. */
export interface JoinedPackage extends Description {
  /** Relative to the project's folder. */
  readonly folder: string;
}

interface LockEntry extends Omit<Description, "name"> {
  /** The name, if it differs from the path. */
  readonly name?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
/** By the package's folder, relative to the project's. */
type Lock = Readonly<Record<string, LockEntry>>;

const components = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(
  new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory(),
  new Contrib.License.Factories.LicenseFactory(parseLicense),
);

/** Returns CycloneDX 1.6 as JSON. It names no time and no random number, so the same build writes the same bytes. */
export function billOfMaterials(root: string, joined: readonly JoinedPackage[]): string {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));
  const { packages } = read("package-lock.json") as { readonly packages: Lock };
  const own = read("package.json") as Description & Required<Pick<LockEntry, "dependencies">>;
  const bom = new Models.Bom();
  const program = componentOf(own, undefined, Enums.ComponentType.Application);
  bom.metadata.component = program;

  const byFolder = new Map<string, Models.Component>();
  const byPurl = new Map<string, Models.Component>();
  const add = (folder: string, description: Description, delivery: "joined" | "installed"): void => {
    const { integrity, optional = false } = packages[folder] ?? {};
    const next = componentOf(description, integrity, Enums.ComponentType.Library);
    // Two copies of one version are one component.
    const component = byPurl.get(next.bomRef.value!) ?? next;
    component.scope = optional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required;
    component.properties.add(new Models.Property("offprint:delivery", delivery));
    byFolder.set(folder, component);
    byPurl.set(next.bomRef.value!, component);
    bom.components.add(component);
    if (delivery === "joined" || description.name in own.dependencies) program.dependencies.add(component.bomRef);
  };
  for (const { folder, ...description } of joined) add(folder, description, "joined");
  for (const [folder, entry] of Object.entries(packages)) {
    if (folder === "" || entry.dev || entry.devOptional) continue;
    add(folder, { ...entry, name: entry.name ?? folder.slice(folder.lastIndexOf("node_modules/") + 13) }, "installed");
  }
  for (const [folder, component] of byFolder) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[folder] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const needed = byFolder.get(folderFrom(folder, name, packages));
      if (needed) component.dependencies.add(needed.bomRef);
    }
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return serializer.serialize(bom, { sortLists: true, space: 0 });
}

function componentOf(
  { name: fullName, version, license, author }: Description,
  integrity: string | undefined,
  type: Enums.ComponentType,
): Models.Component {
  const component = components.makeComponent({ name: fullName, version, license, author }, type)!;
  const { group, name, licenses } = component;
  component.bomRef.value = new PackageURL("npm", group, name, version, undefined, undefined).toString();
  component.purl = component.bomRef.value;
  if (licenses.size === 0) licenses.add(new Models.NamedLicense("See licenses.txt"));
  const [, sum] = /^sha512-(\S+)/.exec(integrity ?? "") ?? [];
  if (sum) component.hashes.set(Enums.HashAlgorithm["SHA-512"], Buffer.from(sum, "base64").toString("hex"));
  return component;
}

/** Where Node finds a package from the folder of another. */
function folderFrom(folder: string, name: string, packages: Lock): string {
  const parts = folder.split("/node_modules/");
  for (let count = parts.length; count > 0; count--) {
    const candidate = `${parts.slice(0, count).join("/node_modules/")}/node_modules/${name}`;
    if (packages[candidate]) return candidate;
  }
  return `node_modules/${name}`;
}
