/** The charts, rendered by Helm's own engine and held against the API of Kubernetes, and what runs in them against the program. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { Deployment } from "kubernetes-models/apps/v1";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { PersistentVolumeClaim, Secret, Service, ServiceAccount } from "kubernetes-models/v1";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readValues } from "../../src/serve/source.js";
import { buildRenderer, type KubernetesObject } from "../support/helm-render/render.js";
import { parseArguments } from "./parse-arguments.js";

const folderOf = (chart: string): string => fileURLToPath(new URL(`../../deploy/helm/${chart}`, import.meta.url));

const render = buildRenderer();
const models: Readonly<Record<string, new (object: never) => { validate(): void }>> = {
  Deployment,
  Ingress,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Secret,
  Service,
  ServiceAccount,
};

const link = "https://store.example/static-exports/se_1/bundle.tar.gz?X-Signature=a&b=%22c%22";
const serving = { staticExport: { enabled: true, bundleUrl: link } };
const service = {
  database: { existingSecret: "db" },
  s3: { bucket: "bundles", region: "eu-central-1" },
  api: { publicUrl: "https://exports.example.com" },
};

const digest = `sha256:${"0a".repeat(32)}`;
const localProfile = { type: "Localhost", localhostProfile: "profiles/offprint.json" };

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly resources: { readonly requests: object; readonly limits: { readonly memory: string } };
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string }[];
}
interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly [kind: string]: unknown }[];
  readonly topologySpreadConstraints?: readonly object[];
}
interface Deployed {
  readonly strategy?: object;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly template: { readonly metadata: { readonly labels: object }; readonly spec: Pod };
}
const podOf = (object: KubernetesObject | undefined): Pod =>
  (object as unknown as { spec: { template: { spec: Pod } } }).spec.template.spec;

describe("values.schema.json", () => {
  const check = (chart: string) => {
    const read = (name: string): string => readFileSync(`${folderOf(chart)}/${name}`, "utf8");
    const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(
      JSON.parse(read("values.schema.json")),
    );
    const defaults = parse(read("values.yaml")) as Record<string, object>;
    return (over: Readonly<Record<string, unknown>>): boolean =>
      validate(
        Object.fromEntries(
          [...new Set([...Object.keys(defaults), ...Object.keys(over)])].map((key) => [
            key,
            isObject(defaults[key]) && isObject(over[key])
              ? { ...defaults[key], ...over[key] }
              : (over[key] ?? defaults[key]),
          ]),
        ),
      );
  };
  const isObject = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value);

  const cases: readonly (readonly [
    chart: string,
    rule: string,
    values: Readonly<Record<string, unknown>>,
    isGood: boolean,
  ])[] = [
    ["offprint", "its defaults", {}, true],
    ["offprint", "a link", serving, true],
    ["offprint", "a Secret in place of a link", { staticExport: { enabled: true, existingSecret: "mine" } }, true],
    ["offprint", "no link", { staticExport: { enabled: true } }, false],
    ["offprint", "a link that is none", { staticExport: { enabled: true, bundleUrl: "bundle.tar.gz" } }, false],
    ["offprint", "a text for enabled", { staticExport: { enabled: "true", bundleUrl: link } }, false],
    ["offprint", "a misspelt value", { staticExport: { enabled: true, bundleURL: link } }, false],
    ["offprint", "a number for a version", { staticExport: { enabled: true, bundleUrl: link, version: 2024 } }, false],
    ["offprint", "a base path without a slash", { basePath: "docs" }, false],
    ["offprint", "a value that there is not", { replicas: 2 }, false],
    ["offprint", "a digest", { image: { repository: "offprint", digest } }, true],
    ["offprint", "a short digest", { image: { repository: "offprint", digest: "sha256:0a" } }, false],
    ["offprint-service", "a short digest", { image: { repository: "offprint", digest: "sha256:0a" } }, false],
    ["offprint", "an access mode that there is not", { persistence: { enabled: true, accessMode: "ReadOnly" } }, false],
    ["offprint-service", "its defaults", {}, true],
    ["offprint-service", "what it needs", service, true],
    [
      "offprint-service",
      "an endpoint without a scheme",
      { s3: { bucket: "b", region: "r", endpoint: "store:9000" } },
      false,
    ],
    ["offprint-service", "a wall that there is not", { worker: { sandbox: "on" } }, false],
    ["offprint-service", "a seccomp profile of the node", { worker: { seccompProfile: localProfile } }, true],
    ["offprint-service", "an audit log kept for half a day", { audit: { retentionDays: 0.5 } }, false],
    ["offprint-service", "a port that is none", { networkPolicy: { enabled: true, ports: ["https"] } }, false],
    ["offprint-service", "a password among the values", { database: { url: "postgres://u:p@host/name" } }, false],
  ];
  for (const [chart, rule, values, isGood] of cases)
    test(`of ${chart} ${isGood ? "takes" : "refuses"} ${rule}`, () => expect(check(chart)(values)).toBe(isGood));
});

describe.skipIf(render === undefined)("a chart", () => {
  const cases: readonly (readonly [rule: string, chart: string, values: object, kinds: string])[] = [
    ["that serves nothing", "offprint", {}, ""],
    ["that serves a bundle", "offprint", serving, "Deployment NetworkPolicy PodDisruptionBudget Secret Service"],
    [
      "with a Secret of yours",
      "offprint",
      { staticExport: { enabled: true, existingSecret: "mine" } },
      "Deployment NetworkPolicy PodDisruptionBudget Service",
    ],
    [
      "with a volume of yours",
      "offprint",
      { ...serving, persistence: { enabled: true, existingClaim: "mine" } },
      "Deployment NetworkPolicy PodDisruptionBudget Secret Service",
    ],
    [
      "with everything",
      "offprint",
      {
        staticExport: { ...serving.staticExport, version: "2024-06-01" },
        replicaCount: 3,
        spread: false,
        image: { digest },
        service: { sessionAffinity: true },
        persistence: { enabled: true, accessMode: "ReadWriteMany", storageClass: "shared" },
        ingress: {
          enabled: true,
          className: "nginx",
          annotations: { a: "b" },
          hosts: ["a.example", "b.example"],
          tlsSecret: "tls",
        },
        basePath: "/docs",
        accessLog: true,
        caConfigMap: "authorities",
        imagePullSecrets: [{ name: "pull" }],
        nodeSelector: { "kubernetes.io/os": "linux" },
        tolerations: [{ key: "docs", operator: "Exists" }],
        affinity: { podAntiAffinity: {} },
        podAnnotations: { c: "d" },
        networkPolicy: { from: [{ namespaceSelector: {} }] },
      },
      "Deployment Ingress NetworkPolicy PersistentVolumeClaim PodDisruptionBudget Secret Service",
    ],
    [
      "with a volume for one pod",
      "offprint",
      { ...serving, replicaCount: 1, persistence: { enabled: true, accessMode: "ReadWriteOnce" } },
      "Deployment NetworkPolicy PersistentVolumeClaim Secret Service",
    ],
    [
      "of the service",
      "offprint-service",
      service,
      "Deployment Deployment NetworkPolicy NetworkPolicy PodDisruptionBudget PodDisruptionBudget Service ServiceAccount",
    ],
    [
      "of the service with everything",
      "offprint-service",
      {
        ...service,
        s3: { ...service.s3, endpoint: "http://store:9000", prefix: "docs", existingSecret: "keys" },
        api: {
          ...service.api,
          trustedProxies: ["10.0.0.0/8", "::1"],
          linkTtlSeconds: 600,
          maxQueued: 50,
          metricsSecret: "metrics",
          adminSecret: "admin",
        },
        image: { digest },
        worker: {
          ...{ replicaCount: 1, concurrency: 3, maxConcurrent: 2, gitSecret: "git", sandbox: "required" },
          appArmorProfile: { type: "Unconfined" },
        },
        networkPolicy: { egress: [{ to: [{ podSelector: {} }] }], apiFrom: [{ namespaceSelector: {} }] },
        serviceAccount: { create: false, name: "mine" },
        ingress: { enabled: true, className: "nginx", host: "exports.example.com", tlsSecret: "tls" },
        imagePullSecrets: [{ name: "pull" }],
        nodeSelector: { "kubernetes.io/os": "linux" },
        tolerations: [{ operator: "Exists" }],
        affinity: { nodeAffinity: {} },
      },
      "Deployment Deployment Ingress NetworkPolicy NetworkPolicy PodDisruptionBudget Service",
    ],
  ];
  for (const [rule, chart, values, kinds] of cases)
    test(`${rule} renders to what Kubernetes takes`, () => {
      const objects = render!(folderOf(chart), values);
      expect(
        objects
          .map(({ kind }) => kind)
          .sort()
          .join(" "),
      ).toBe(kinds);
      for (const object of objects) {
        new models[object.kind]!(object as never).validate();
        expect(object.metadata.name.length).toBeLessThanOrEqual(63);
      }
      for (const { automountServiceAccountToken, securityContext, containers, volumes } of objects
        .filter(({ kind }) => kind === "Deployment")
        .map(podOf)) {
        expect(automountServiceAccountToken).toBe(false);
        expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
        for (const { securityContext, resources, volumeMounts } of containers) {
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          });
          expect(resources).toMatchObject({
            requests: { cpu: expect.anything() },
            limits: { memory: expect.anything() },
          });
          expect(volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.map(({ name }) => name).sort());
        }
      }
    });

  test("passes the limits of an organization to the API and the workers, and nothing by default", () => {
    const valuesOf = (values: object) =>
      render!(folderOf("offprint-service"), values)
        .filter(({ kind }) => kind === "Deployment")
        .flatMap((object) => podOf(object).containers.flatMap(({ env }) => env ?? []))
        .filter(({ name }) => name.startsWith("OFFPRINT_MAX_"));
    expect(valuesOf(service)).toEqual([]);
    const limited = { ...service, api: { ...service.api, maxQueued: 50 }, worker: { maxConcurrent: 2 } };
    expect(valuesOf(limited)).toEqual([
      { name: "OFFPRINT_MAX_QUEUED", value: "50" },
      { name: "OFFPRINT_MAX_CONCURRENT", value: "2" },
    ]);
  });

  test("passes the days of the audit log to the API and the workers, and the connections of an address to the API", () => {
    const valuesOf = (values: object) =>
      render!(folderOf("offprint-service"), values)
        .filter(({ kind }) => kind === "Deployment")
        .map((object) =>
          podOf(object)
            .containers.flatMap(({ env }) => env ?? [])
            .filter(({ name }) => /^OFFPRINT_(?:AUDIT|CONNECTIONS)_/.test(name))
            .map(({ name, value }) => `${name}=${value}`),
        );
    expect(valuesOf(service)).toEqual([[], []]);
    const values = { ...service, api: { ...service.api, connectionsPerAddress: 64 }, audit: { retentionDays: 90 } };
    expect(valuesOf(values)).toEqual([
      ["OFFPRINT_AUDIT_DAYS=90", "OFFPRINT_CONNECTIONS_PER_ADDRESS=64"],
      ["OFFPRINT_AUDIT_DAYS=90"],
    ]);
  });

  test("passes the assistant's settings to the API, with the key of the model as a file", () => {
    const rendered = (assistant: object) =>
      render!(folderOf("offprint-service"), { ...service, assistant }).filter(({ kind }) => kind === "Deployment");
    const variables = (objects: readonly KubernetesObject[]) =>
      objects
        .flatMap((object) => podOf(object).containers.flatMap(({ env }) => env ?? []))
        .filter(({ name }) => /^OFFPRINT_(?:ASSISTANT|MODEL)/.test(name))
        .map(({ name, value }) => `${name}=${value}`);
    // Both the API and the workers delete what is old.
    const kept = "OFFPRINT_ASSISTANT_RETENTION_DAYS=90";
    expect(variables(rendered({ model: { provider: "openai", keySecret: "model" } }))).toEqual([kept, kept]);
    const model = { name: "qwen3:4b", url: "http://ollama:11434/v1", keySecret: "model", promptTokens: 3000 };
    const objects = rendered({ perHour: 5000, tokensPerDay: 20_000_000, retentionDays: 0, model });
    expect(variables(objects)).toEqual([
      "OFFPRINT_ASSISTANT_RETENTION_DAYS=0",
      "OFFPRINT_ASSISTANT_PER_HOUR=5000",
      "OFFPRINT_ASSISTANT_TOKENS_PER_DAY=20000000",
      "OFFPRINT_MODEL=qwen3:4b",
      "OFFPRINT_MODEL_PROVIDER=openai",
      "OFFPRINT_MODEL_URL=http://ollama:11434/v1",
      "OFFPRINT_MODEL_KEY_FILE=/etc/offprint/model/OFFPRINT_MODEL_KEY",
      "OFFPRINT_MODEL_PROMPT_TOKENS=3000",
      "OFFPRINT_ASSISTANT_RETENTION_DAYS=0",
    ]);
    const [api, worker] = objects.map((object) => podOf(object));
    expect(api!.containers[0]!.volumeMounts.map(({ name }) => name)).toContain("model-key");
    expect(JSON.stringify(api!.volumes)).toContain('"secretName":"model"');
    expect(JSON.stringify(worker)).not.toContain("model-key");
  });

  test("gives the key of the credentials to the API and the workers", () => {
    const pods = render!(folderOf("offprint-service"), { ...service, credentials: { keySecret: "keys" } })
      .filter(({ kind }) => kind === "Deployment")
      .map((object) => podOf(object));
    expect(pods).toHaveLength(2);
    const secretKeyRef = { name: "keys", key: "OFFPRINT_CREDENTIALS_KEY" };
    for (const { containers } of pods)
      expect(containers[0]!.env).toContainEqual({ name: "OFFPRINT_CREDENTIALS_KEY", valueFrom: { secretKeyRef } });
  });

  test("gives the tokens of agent jobs to the API and the workers as a file, and then the workers the model", () => {
    const assistant = { model: { name: "qwen3:4b", keySecret: "model" } };
    const pods = render!(folderOf("offprint-service"), { ...service, assistant, agent: { forgesSecret: "forges" } })
      .filter(({ kind }) => kind === "Deployment")
      .map((object) => podOf(object));
    expect(pods).toHaveLength(2);
    for (const { containers, volumes } of pods) {
      const [{ env = [], volumeMounts }] = containers as [(typeof containers)[number]];
      const files = env.filter(({ name }) => name.endsWith("_FILE")).map(({ value }) => value);
      expect(files).toEqual(["/etc/offprint/model/OFFPRINT_MODEL_KEY", "/etc/offprint/forges/OFFPRINT_FORGES"]);
      expect(volumeMounts.map(({ name }) => name)).toEqual(["data", "tmp", "model-key", "forges"]);
      expect(JSON.stringify(volumes)).toContain('"secretName":"forges"');
    }
  });

  test("selects its own pods, and no other release's", () => {
    for (const [chart, values] of [
      ["offprint", serving],
      ["offprint-service", service],
    ] as const) {
      const selectors = deploymentsOf(chart, values);
      for (const { selector, template } of selectors) {
        expect(template.metadata.labels).toMatchObject(selector.matchLabels);
        expect(selector.matchLabels["app.kubernetes.io/instance"]).toBe("docs");
      }
      expect(new Set(selectors.map(({ selector }) => JSON.stringify(selector.matchLabels))).size).toBe(
        selectors.length,
      );
    }
  });

  test("gives names that fit, however long the release's is", () => {
    for (const [chart, values] of [
      ["offprint", serving],
      ["offprint-service", service],
    ] as const)
      for (const { metadata } of render!(folderOf(chart), values, "r".repeat(53)))
        expect(metadata.name.length).toBeLessThanOrEqual(63);
  });

  test("passes its values to `offprint serve` under the same names, for any characters in the link", () => {
    const version = 'x: "y" # {{ z }}';
    const secret = render!(folderOf("offprint"), { staticExport: { enabled: true, bundleUrl: link, version } }).find(
      ({ kind }) => kind === "Secret",
    );
    const text = (secret as unknown as { stringData: Record<string, string> }).stringData["values.yaml"]!;
    expect(readValues(text)).toEqual({ enabled: true, bundleUrl: link, version });
  });

  test("keeps the link out of everything but its Secret", () => {
    const others = render!(folderOf("offprint"), { ...serving, ingress: { enabled: true } }).filter(
      ({ kind }) => kind !== "Secret",
    );
    expect(JSON.stringify(others)).not.toContain("X-Signature");
  });

  const deploymentsOf = (chart: string, values: object) =>
    render!(folderOf(chart), values)
      .filter(({ kind }) => kind === "Deployment")
      .map((object) => (object as unknown as { spec: Deployed }).spec);

  test("restarts no pod when the link changes: pods read the mounted Secret", () => {
    const deployed = (bundleUrl: string, persistence: object = {}): Deployed | undefined =>
      deploymentsOf("offprint", { staticExport: { enabled: true, bundleUrl, version: bundleUrl }, persistence })[0];
    expect(deployed("https://x.example/a")).toEqual(deployed("https://x.example/b"));
    const shared = { enabled: true, accessMode: "ReadWriteMany" };
    expect(deployed("https://x.example/a", shared)).toEqual(deployed("https://x.example/b", shared));
    const { volumes } = deployed("https://x.example/a")!.template.spec;
    expect(volumes).toContainEqual({ name: "data", emptyDir: { sizeLimit: "5Gi" } });
    expect(volumes).toContainEqual({
      name: "values",
      secret: expect.objectContaining({ secretName: "docs-offprint" }),
    });
  });

  test("keeps all pods until new ones are ready, except where one pod alone can mount the volume", () => {
    const strategyOf = (values: object) => deploymentsOf("offprint", { ...serving, ...values })[0]!.strategy;
    const rolling = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
    expect(strategyOf({})).toEqual(rolling);
    expect(strategyOf({ persistence: { enabled: true } })).toEqual(rolling);
    const alone = { replicaCount: 1, persistence: { enabled: true, accessMode: "ReadWriteOnce" } };
    expect(strategyOf(alone)).toEqual({ type: "Recreate" });
  });

  test("names images by digest where one is given, else by tag", () => {
    for (const [chart, values] of [
      ["offprint", serving],
      ["offprint-service", service],
    ] as const) {
      const imagesOf = (image: object) =>
        deploymentsOf(chart, { ...values, image }).map(({ template }) => template.spec.containers[0]!.image);
      expect(new Set(imagesOf({ repository: "r.example/o", tag: "1.2.3" }))).toEqual(new Set(["r.example/o:1.2.3"]));
      expect(new Set(imagesOf({ repository: "r.example/o", tag: "1.2.3", digest }))).toEqual(
        new Set([`r.example/o@${digest}`]),
      );
    }
  });

  test("spreads the pods of each part over nodes and zones, and evicts one at a time", () => {
    for (const [chart, values] of [
      ["offprint", serving],
      ["offprint-service", service],
    ] as const) {
      const budgets = render!(folderOf(chart), values)
        .filter(({ kind }) => kind === "PodDisruptionBudget")
        .map((object) => (object as unknown as { spec: { maxUnavailable: number; selector: object } }).spec);
      const deployments = deploymentsOf(chart, values);
      expect(budgets).toEqual(deployments.map(({ selector }) => ({ maxUnavailable: 1, selector })));
      for (const { selector, template } of deployments)
        expect(template.spec.topologySpreadConstraints).toEqual(
          ["kubernetes.io/hostname", "topology.kubernetes.io/zone"].map((topologyKey) => ({
            ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: "ScheduleAnyway", labelSelector: selector },
          })),
        );
    }
  });

  test("runs commands that the program has, and probes routes that answer", async () => {
    const [serve] = render!(folderOf("offprint"), { ...serving, basePath: "/docs", accessLog: true })
      .filter(({ kind }) => kind === "Deployment")
      .map((object) => podOf(object).containers[0]!);
    expect(await parseArguments(serve!.args)).toEqual({
      source: "/etc/offprint/values.yaml",
      host: "0.0.0.0",
      port: 8080,
      data: "/data",
      checkIntervalMs: 10_000,
      basePath: "/docs",
      accessLog: true,
    });
    expect([serve!.livenessProbe, serve!.readinessProbe]).toMatchObject([
      { httpGet: { path: "/healthz", port: "http" } },
      { httpGet: { path: "/readyz", port: "http" } },
    ]);
    const pods = render!(folderOf("offprint-service"), service)
      .filter(({ kind }) => kind === "Deployment")
      .map((object) => podOf(object).containers[0]!);
    const worker = pods.find(({ args }) => args[0] === "worker")!;
    expect(await parseArguments(worker.args)).toMatchObject({
      graceMs: 50_000,
      health: { host: "0.0.0.0", port: 7071 },
    });
    for (const { args, env = [], livenessProbe, readinessProbe } of pods) {
      expect([livenessProbe, readinessProbe]).toMatchObject([
        { httpGet: { path: "/healthz" } },
        { httpGet: { path: "/readyz" } },
      ]);
      const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      await expect(parseArguments(args, variables)).resolves.toMatchObject({ command: args[0] });
      expect(env.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["DATABASE_URL", "OFFPRINT_S3_BUCKET", "AWS_REGION"]),
      );
    }
  });

  interface Policy {
    readonly podSelector: { readonly matchLabels: Record<string, string> };
    readonly ingress: readonly object[];
    readonly egress: readonly { readonly ports?: readonly { readonly port: number }[]; readonly to?: object[] }[];
  }
  const policiesOf = (chart: string, values: object): Policy[] =>
    render!(folderOf(chart), values)
      .filter(({ kind }) => kind === "NetworkPolicy")
      .map((object) => (object as unknown as { spec: Policy }).spec);
  const portsOf = ({ egress }: Policy): number[] =>
    egress.flatMap(({ ports = [] }) => ports.map(({ port }) => port)).toSorted((a, b) => a - b);

  test("lets pods reach only what they need", () => {
    const [api, worker] = policiesOf("offprint-service", service);
    expect(api!.ingress).toEqual([{ ports: [{ protocol: "TCP", port: "http" }] }]);
    expect(worker!.ingress).toEqual([]);
    for (const [policy, component] of [
      [api, "api"],
      [worker, "worker"],
    ] as const) {
      expect(policy!.podSelector.matchLabels["app.kubernetes.io/component"]).toBe(component);
      expect(portsOf(policy!)).toEqual([22, 53, 53, 443, 5432]);
    }
    const more = { networkPolicy: { ports: [6432], egress: [{ to: [{ podSelector: {} }] }] } };
    const own = { ...service, ...more, s3: { ...service.s3, endpoint: "http://store.example:9000/x" } };
    const [, changed] = policiesOf("offprint-service", own);
    expect(portsOf(changed!)).toEqual([53, 53, 6432, 9000]);
    expect(changed!.egress[1]).toEqual({ to: [{ podSelector: {} }] });
    const ports = (bundleUrl: string): number[] =>
      policiesOf("offprint", { staticExport: { enabled: true, bundleUrl } }).flatMap(portsOf);
    expect(ports(link)).toEqual([53, 53, 443]);
    expect(ports("http://objects:7070/a?b=c:1")).toEqual([53, 53, 443, 7070]);
    expect(ports("http://objects/a")).toEqual([53, 53, 80, 443]);
    for (const chart of ["offprint", "offprint-service"] as const)
      expect(policiesOf(chart, { ...serving, ...service, networkPolicy: { enabled: false } })).toEqual([]);
  });

  test("isolates exports as its values say", () => {
    const podWith = (worker: object): Pod =>
      render!(folderOf("offprint-service"), { ...service, worker })
        .filter(({ kind }) => kind === "Deployment")
        .map(podOf)
        .find(({ containers }) => containers[0]!.args[0] === "worker")!;
    expect(podWith({}).containers[0]!.args).toContain("--sandbox=auto");
    const pod = podWith({ sandbox: "required", seccompProfile: localProfile });
    expect(pod.containers[0]!.args).toContain("--sandbox=required");
    expect(pod.securityContext).toMatchObject({ seccompProfile: localProfile });
  });

  const refused: readonly (readonly [rule: string, chart: string, values: object, reason: RegExp])[] = [
    ["a bundle without a link", "offprint", { staticExport: { enabled: true } }, /staticExport.bundleUrl is missing/],
    [
      "several pods on a volume of one",
      "offprint",
      { ...serving, persistence: { enabled: true, accessMode: "ReadWriteOnce" } },
      /ReadWriteMany/,
    ],
    [
      "a service without a database",
      "offprint-service",
      { ...service, database: {} },
      /database.existingSecret is missing/,
    ],
    ["a service without a bucket", "offprint-service", { ...service, s3: { region: "r" } }, /s3.bucket is missing/],
    ["a service without a region", "offprint-service", { ...service, s3: { bucket: "b" } }, /s3.region is missing/],
    ["a service without an address", "offprint-service", { ...service, api: {} }, /api.publicUrl is missing/],
  ];
  for (const [rule, chart, values, reason] of refused)
    test(`refuses ${rule}`, () => expect(() => render!(folderOf(chart), values)).toThrow(reason));
});
