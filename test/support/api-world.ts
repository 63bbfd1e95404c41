import { createHash } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Log } from "../../src/lib/log.js";
import type { AgentSetup } from "../../src/service/agent/index.js";
import { openCollector } from "../../src/service/analytics/index.js";
import { openCredentials, openKeyring } from "../../src/service/git/credentials/index.js";
import type { Forges } from "../../src/service/git/forge/index.js";
import { type Api, type ApiOptions, type Assistant, createApi } from "../../src/service/http/index.js";
import {
  type ApiKey,
  type JobRules,
  type NewApiKey,
  openPostgresState,
  openSqliteState,
} from "../../src/service/jobs/index.js";
import { openFolderStore } from "../../src/service/store/index.js";
import { type Specification, specificationChecker } from "./own-specification.js";
import { emptyDatabase } from "./postgres.js";
import { contractViolations } from "./published-interface.js";
import { scriptedAssistant } from "./scripted-assistant.js";

export interface ApiCall {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of the client. */
  readonly from?: string;
  readonly closing?: AbortSignal;
  readonly signal?: AbortSignal;
}
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks what it reads
  readonly json: any;
}

export const jobsPath = "/v1/static-export/jobs";
export const publicUrl = "http://127.0.0.1:1";

interface Published {
  readonly specification: Specification;
  readonly specificationViolations: ReturnType<typeof specificationChecker>;
}
/** By the options, on which the specification depends. To generate it and to compile its schemas takes most of a test. */
const published = new Map<string, Promise<Published>>();

function publishedBy(api: Api, options: ApiOptions): Promise<Published> {
  const ask = async (): Promise<Published> => {
    const answer = await api.fetch(new Request(`${publicUrl}/openapi.json`));
    const specification = (await answer.json()) as Specification;
    return { specification, specificationViolations: specificationChecker(specification) };
  };
  const key = JSON.stringify(options);
  const found = published.get(key) ?? ask();
  published.set(key, found);
  return found;
}

/**
 * An API with its own database and folder, with the organizations Acme (docs.acme.com) and Globex
 * (docs.globex.com). Every answer is checked against the published interface and the service's own specification.
 */
export async function openApiWorld(
  options: ApiOptions = {},
  rules: Partial<JobRules> = {},
  assistant: Assistant = scriptedAssistant(),
  agent?: AgentSetup,
  forges: Forges = [],
  database: "sqlite" | "postgres" = "sqlite",
) {
  const clock = { ms: Date.parse("2026-06-01T06:00:00Z") };
  const now = () => clock.ms;
  const folder = await mkdtemp(join(tmpdir(), "api-"));
  const state =
    database === "sqlite"
      ? await openSqliteState({ file: join(folder, "state.db"), rules, now })
      : await openPostgresState({ url: await emptyDatabase(), rules, now });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= state.close());
  onTestFinished(close);
  const objects = openFolderStore({ folder: join(folder, "objects"), publicUrl, secret: Buffer.alloc(32, 7), now });
  const lines: string[] = [];
  const log: Log = (level, message, facts) => lines.push(JSON.stringify({ level, message, ...facts }));
  const credentials = openCredentials({
    store: state.sealedCredentials,
    accounts: state.accounts,
    keyring: openKeyring({ ownFile: join(folder, "credentials.key") }),
    forges,
  });
  const store = { ...state, credentials, objects, close };
  const collector = await openCollector({ store, log, now });
  onTestFinished(() => collector.close());
  const api = createApi({ store, assistant, agent, collector, serveObject: objects.serveObject, options, now, log });
  const { specification, specificationViolations } = await publishedBy(api, options);

  const acme = await state.accounts.organization("Acme");
  const globex = await state.accounts.organization("Globex");
  for (const [organization, domain] of [
    [acme, "docs.acme.com"],
    [globex, "docs.globex.com"],
  ] as const)
    await state.accounts.addProject({
      organizationId: organization.organizationId,
      domain,
      source: { kind: "folder", path: folder },
      deployment: "cloud",
    });

  async function newKey(settings: Partial<NewApiKey> = {}): Promise<{ readonly key: ApiKey; readonly secret: string }> {
    const defaults = {
      organizationId: acme.organizationId,
      kind: "admin",
      name: "test",
      scopes: ["read", "write"],
    } as const;
    return state.accounts.createKey({ ...defaults, allowedAddresses: [], expiresAt: undefined, ...settings });
  }

  async function call(method: string, path: string, ask: ApiCall = {}): Promise<ApiAnswer> {
    const { key, body, headers = {}, from = "198.51.100.7", closing, signal } = ask;
    const isJson = body !== undefined && typeof body !== "string";
    const request = new Request(publicUrl + path, {
      method,
      headers: {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string) }),
      ...(signal && { signal }),
    });
    const response = await api.fetch(request, { remoteAddress: from, closing });
    const text = await response.text();
    const type = response.headers.get("Content-Type") ?? "";
    const json = /json/.test(type) && text !== "" ? JSON.parse(text) : undefined;
    expect(contractViolations(method, path, response.status, json ?? { error: "HEAD has no body" })).toEqual([]);
    expect(specificationViolations(method, path, response.status, type, json)).toEqual([]);
    return { status: response.status, headers: response.headers, text, json };
  }

  const { secret: key } = await newKey();

  return {
    api,
    collector,
    clock,
    folder,
    store,
    /** Log lines as JSON. */
    lines,
    acme,
    globex,
    specification,
    /** A key of Acme with all scopes. */
    key,
    newKey,
    call,
    async startJob(body: object = {}): Promise<string> {
      const answer = await call("POST", jobsPath, { key, body: { domain: "docs.acme.com", ...body } });
      expect(answer.status).toBe(202);
      return answer.json.jobId;
    },
    /** Takes the waiting job, as a worker does. */
    async takeJob() {
      const lease = await state.jobs.take("worker-1");
      expect(lease).toBeDefined();
      return lease!;
    },
    /** A completed job of Acme whose bundle is `content`. */
    async completedJob(content: string | Buffer): Promise<string> {
      const jobId = await this.startJob();
      const lease = await this.takeJob();
      const path = join(folder, `${jobId}.tar.gz`);
      await writeFile(path, content);
      const objectKey = `static-exports/${jobId}/${lease.fence}/bundle.tar.gz`;
      await objects.put(objectKey, path, "application/gzip");
      const sha256 = createHash("sha256").update(content).digest("hex");
      expect(await state.jobs.complete(lease, { objectKey, bytes: Buffer.byteLength(content), sha256 }, 3)).toBe(true);
      return jobId;
    },
    async failedJob(reason: string): Promise<string> {
      const jobId = await this.startJob();
      expect(await state.jobs.fail(await this.takeJob(), reason, false)).toBe(true);
      return jobId;
    },
  };
}
export type ApiWorld = Awaited<ReturnType<typeof openApiWorld>>;
