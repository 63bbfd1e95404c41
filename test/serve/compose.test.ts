/** The compose file agrees with the program and with itself. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Environment } from "../../src/cli/environment.js";
import { storeSettings } from "../../src/cli/settings/store.js";
import { readValues } from "../../src/serve/source.js";
import { parseArguments } from "./parse-arguments.js";

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), "utf8");
const text = read("compose.yaml");
interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: object;
  readonly read_only?: boolean;
}
const { services, volumes } = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
};
const settings = { POSTGRES_PASSWORD: "p", S3_ACCESS_KEY: "a", S3_SECRET_KEY: "s" } as Readonly<Record<string, string>>;
/** Substitutes `${NAME:?why}` and `${NAME:-default}` as compose does. */
const filled = (written: string): string =>
  written.replace(
    /\$\{(\w+):([?-])([^}]*)\}/g,
    (_all, name: string, sign, rest: string) => settings[name] ?? (sign === "-" ? rest : ""),
  );

test("starts commands that the program has", async () => {
  expect(await parseArguments(services["serve"]!.command!)).toMatchObject({
    source: "/etc/offprint/values.yaml",
    host: "0.0.0.0",
    port: 8080,
    data: "/data",
  });
  for (const name of ["api", "worker"] as const) {
    const { command, environment } = services[name]!;
    const env = Object.fromEntries(Object.entries(environment!).map(([key, value]) => [key, filled(value)]));
    await expect(parseArguments(command!, env)).resolves.toMatchObject({ command: name });
    expect(storeSettings("/data", { env, platform: "linux" } as Environment)).toMatchObject({
      databaseUrl: "postgres://offprint:p@postgres/offprint",
      s3: { bucket: "bundles", endpoint: "http://objects:7070", region: "us-east-1" },
    });
  }
});

test("serves with the same values as the chart", () => {
  expect(readValues(read("serve/values.yaml"))).toEqual({ enabled: false, bundleUrl: undefined, version: undefined });
});

test("requires only settings that the example names, and contains no password", () => {
  const wanted = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  const named = [...read("compose.env.example").matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining([...new Set(wanted)]));
  expect(text).not.toMatch(/(?:PASSWORD|SECRET\w*): [^$\s]/);
});

test("refers only to what it defines", () => {
  for (const { depends_on = {}, volumes: mounts = [] } of Object.values(services)) {
    for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name);
    for (const name of mounts.map((mount) => mount.split(":")[0]!))
      if (!name.startsWith(".")) expect(volumes).toHaveProperty(name);
  }
  for (const name of ["api", "worker", "serve"]) expect(services[name]!.read_only).toBe(true);
});
