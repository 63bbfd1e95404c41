import { expect } from "vitest";
import { openApiWorld, publicUrl } from "./api-world.js";
import { callOperation, documentedOperations, type OperationAnswer, type OperationCall } from "./operation-client.js";
import { specificationChecker } from "./own-specification.js";
import { serve } from "./raw-http.js";

export const adminToken = "operator-".repeat(5);
const domain = "docs.acme.com";
const git = { url: "https://git.acme.com/docs.git" };
const agentResult = { ref: "a", pullRequest: "https://git.acme.com/1" };

/** An API with all routes behind a socket, and what its calls need. */
export async function openService(database: "sqlite" | "postgres" = "sqlite") {
  const options = { adminToken, publicUrl, jobsPerWindow: Number.POSITIVE_INFINITY };
  const world = await openApiWorld(options, { maxQueued: 1000 }, undefined, { model: "scripted" }, undefined, database);
  const { accounts, agents, credentials, jobs, people } = world.store;
  const { organizationId } = world.acme;
  const credential = { organizationId, kind: "token", secret: "token", forge: "gitea" } as const;
  await credentials.add({ ...credential, prefix: "https://git.acme.com/" }, {});
  const { projectId } = (await accounts.projectByDomain(domain))!;
  const folder = { kind: "folder", path: world.folder } as const;
  await accounts.changeProject(organizationId, projectId, { source: { kind: "git", ...git }, deployment: "cloud" });
  const { secret: assistantKey } = await world.newKey({ kind: "assistant", scopes: [] });
  const { url } = await serve(world);
  const operations = documentedOperations(world.specification);
  const violations = specificationChecker(world.specification);
  /** So that the next job to take is the one that is created next. */
  const emptyQueue = async (): Promise<void> => {
    for (let lease = await jobs.take("worker-1"); lease; lease = await jobs.take("worker-1"))
      await jobs.fail(lease, "Not needed.", false);
  };
  /** Completes the jobs that come until the signal. The answer of createAgentJobV1 ends only with its job. */
  const completeAgentJobs = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const lease = await jobs.take("worker-1");
      if (lease) await agents.complete(lease, agentResult);
      else await jobs.waitForWork(100, signal);
    }
  };
  const send = async (operationId: string, call: OperationCall): Promise<OperationAnswer> => {
    const operation = operations.find(({ id }) => id === operationId)!;
    const answered = new AbortController();
    let work: Promise<void> | undefined;
    if (operationId === "createAgentJobV1") {
      await emptyQueue();
      work = completeAgentJobs(answered.signal);
    }
    const answer = await callOperation(url, operation, call).finally(() => answered.abort());
    await work;
    const isJson = /json/.test(answer.type) && answer.text !== "";
    const json = isJson ? JSON.parse(answer.text) : undefined;
    expect(violations(operation.method, answer.target, answer.status, answer.type, json)).toEqual([]);
    return answer;
  };
  let count = 0;
  return {
    ...world,
    organizationId,
    projectId,
    assistantKey,
    operations,
    send,
    uniqueName: () => `name-${count++}`,
    key: world.key,
    async doneJob(): Promise<string> {
      await emptyQueue();
      await accounts.changeProject(organizationId, projectId, { source: folder, deployment: "cloud" });
      const jobId = await world.completedJob("bundle");
      await accounts.changeProject(organizationId, projectId, { source: { kind: "git", ...git }, deployment: "cloud" });
      return jobId;
    },
    async agentJob(isDone: boolean): Promise<string> {
      await emptyQueue();
      const answer = await send("createAgentJob", {
        parameters: { projectId },
        body: { prompt: "Repair." },
        token: world.key,
      });
      const { id } = JSON.parse(answer.text) as { id: string };
      if (isDone) await agents.complete((await jobs.take("worker-1"))!, agentResult);
      return id;
    },
    async credential(): Promise<string> {
      const prefix = `https://git.acme.com/${this.uniqueName()}/`;
      return (await credentials.add({ ...credential, prefix }, {})).credentialId;
    },
    /** Of an organization of their own. */
    async person(): Promise<string> {
      const email = `${this.uniqueName()}@acme.com`;
      const other = await accounts.organization(this.uniqueName());
      const endsAt = new Date(world.clock.ms + 60_000);
      const { secret } = await people.invite({ email, organizationId: other.organizationId, role: "reader", endsAt });
      await people.acceptInvite(secret, { name: "Ada", passwordHash: "x" });
      return email;
    },
    async site(): Promise<string> {
      const site = `${this.uniqueName()}.acme.com`;
      await accounts.addProject({ organizationId, domain: site, source: folder, deployment: "cloud" });
      return site;
    },
    async thread() {
      const answer = await send(
        "createAssistantMessage",
        calls["createAssistantMessage"]!(this as Service) as OperationCall,
      );
      const messageId = /"messageId":"(msg_\w+)"/.exec(answer.text)![1]!;
      return {
        threadId: String(answer.headers["x-thread-id"]),
        threadKey: String(answer.headers["x-thread-key"]),
        messageId,
      };
    },
  };
}
export type Service = Awaited<ReturnType<typeof openService>>;

const message = ({ assistantKey: token }: Service): OperationCall => ({
  parameters: { domain },
  body: { fp: "reader", messages: [{ role: "user", content: "Which Node?" }] },
  token,
});
const feedback = async (service: Service): Promise<OperationCall> => {
  const { threadId, threadKey, messageId } = await service.thread();
  const headers = { "X-Thread-Key": threadKey };
  return { parameters: { domain }, body: { threadId, messageId, helpful: true }, token: service.assistantKey, headers };
};
const ofProject = ({ projectId, key: token }: Service): OperationCall => ({ parameters: { projectId }, token });
const ofOrganization = ({ organizationId }: Service, body?: unknown): OperationCall => ({
  parameters: { organizationId },
  token: adminToken,
  ...(body !== undefined && { body }),
});
const ofJob = async (service: Service, jobId = service.startJob()): Promise<OperationCall> => ({
  parameters: { jobId: await jobId },
  token: service.key,
});
const ofAgentJob = async (service: Service, isDone = false): Promise<OperationCall> => ({
  parameters: { projectId: service.projectId, id: await service.agentJob(isDone) },
  token: service.key,
});
const ofSite = async (service: Service, body?: unknown): Promise<OperationCall> => ({
  ...ofOrganization(service, body),
  parameters: { organizationId: service.organizationId, domain: await service.site() },
});
const ofKey = async (service: Service, body?: unknown): Promise<OperationCall> => ({
  ...ofOrganization(service, body),
  parameters: { organizationId: service.organizationId, keyId: (await service.newKey()).key.keyId },
});

const ofCredential = async (service: Service, body?: unknown): Promise<OperationCall> => ({
  ...ofOrganization(service, body),
  parameters: { organizationId: service.organizationId, credentialId: await service.credential() },
});

/** A call of each operation that succeeds. */
export const calls: Readonly<Record<string, (service: Service) => OperationCall | Promise<OperationCall>>> = {
  startStaticExportJob: ({ key: token }) => ({ body: { domain }, token }),
  listStaticExportJobs: ({ key: token }) => ({ parameters: { limit: "2" }, token }),
  getStaticExportJob: (service) => ofJob(service),
  cancelStaticExportJob: (service) => ofJob(service),
  rerunStaticExportJob: (service) => ofJob(service, service.doneJob()),
  listStaticExportDiagnostics: (service) => ofJob(service, service.doneJob()),
  listStaticExportLog: (service) => ofJob(service),
  generateStaticExportBundle: (service) => ofJob(service, service.doneJob()),
  createAssistantMessage: message,
  createAssistantMessageV2: (service) => ({
    ...message(service),
    body: { fp: "reader", messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "Which Node?" }] }] },
  }),
  searchDocumentation: ({ assistantKey: token }) => ({ parameters: { domain }, body: { query: "node" }, token }),
  getPageContent: ({ assistantKey: token }) => ({ parameters: { domain }, body: { path: "/guides/install" }, token }),
  sendMcpMessage: ({ assistantKey: token }) => ({
    parameters: { domain },
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    token,
  }),
  rateAssistantMessage: feedback,
  rateAssistantMessageV2: feedback,
  deleteAssistantThread: async (service) => ({
    parameters: { domain, threadId: (await service.thread()).threadId },
    token: service.key,
  }),
  getPageViews: ofProject,
  getVisitors: ofProject,
  getMissingPages: ofProject,
  listAssistantConversations: ofProject,
  getAssistantCallerStats: ofProject,
  getAssistantThread: async (service) => ({
    parameters: { projectId: service.projectId, threadId: (await service.thread()).threadId },
    token: service.key,
  }),
  listSearches: ofProject,
  listFeedback: ofProject,
  getFeedbackByPage: ofProject,
  listProjects: ({ key: token }) => ({ token }),
  triggerUpdate: ofProject,
  getUpdateStatus: async (service) => ({ parameters: { statusId: await service.startJob() }, token: service.key }),
  triggerPreview: (service) => ({ ...ofProject(service), body: { branch: "quickstart" } }),
  triggerWorkflow: (service) => ({
    parameters: { projectId: service.projectId, workflowSchemaId: "nightly" },
    token: service.key,
  }),
  searchKnowledge: ({ key: token }) => ({ body: { query: "node", numResults: 5 }, token }),
  getKnowledgeContents: ({ key: token }) => ({ body: { ids: ["docs:/guides/install"] }, token }),
  buildKnowledgeContext: ({ key: token }) => ({ body: { query: "node", format: "txt" }, token }),
  createAgentJobV1: (service) => ({
    ...ofProject(service),
    body: { messages: [{ role: "user", content: "Repair." }] },
  }),
  getAgentJobV1: (service) => ofAgentJob(service),
  listAgentJobsV1: ofProject,
  getObject: () => ({ parameters: { objectKey: "bundle.tar.gz", expires: "1", signature: "none" } }),
  createAgentJob: (service) => ({ ...ofProject(service), body: { prompt: "Repair." } }),
  addAgentMessage: async (service) => ({ ...(await ofAgentJob(service, true)), body: { prompt: "Repair." } }),
  getAgentJob: (service) => ofAgentJob(service),
  listAgentJobs: ofProject,
  cancelAgentJob: (service) => ofAgentJob(service),
  archiveAgentJob: (service) => ofAgentJob(service, true),
  streamAgentEvents: (service) => ofAgentJob(service, true),
  collect: () => ({ parameters: { domain }, body: JSON.stringify({ p: "/" }) }),
  listOrganizations: () => ({ token: adminToken }),
  createOrganization: ({ uniqueName }) => ({ body: { name: uniqueName() }, token: adminToken }),
  setOrganizationPlan: (service) => ofOrganization(service, { plan: "enterprise" }),
  listSites: (service) => ofOrganization(service),
  addSite: (service) => ofOrganization(service, { domain: `${service.uniqueName()}.acme.com`, git }),
  setSiteCounting: (service) => ofSite(service, { humansFrom: "beacon" }),
  removeSite: (service) => ofSite(service),
  rotateSiteSecret: (service) => ofSite(service, {}),
  listKeys: (service) => ofOrganization(service),
  createKey: (service) => ofOrganization(service, { name: service.uniqueName() }),
  rotateKey: (service) => ofKey(service, {}),
  revokeKey: (service) => ofKey(service),
  listCredentials: (service) => ofOrganization(service),
  addCredential: (service) =>
    ofOrganization(service, { kind: "token", prefix: `https://${service.uniqueName()}.acme.com/`, secret: "token" }),
  rotateCredential: (service) => ofCredential(service, { secret: "other-token" }),
  removeCredential: (service) => ofCredential(service),
  eraseOrganization: async (service) => {
    const { organizationId } = await service.store.accounts.organization(service.uniqueName());
    return { parameters: { organizationId }, token: adminToken };
  },
  erasePerson: async (service) => ({ parameters: { email: await service.person() }, token: adminToken }),
  eraseThread: async (service) => {
    const { threadId } = await service.thread();
    return { ...ofOrganization(service), parameters: { organizationId: service.organizationId, threadId } };
  },
  withdrawBundle: async (service) => {
    const jobId = await service.doneJob();
    return { ...ofOrganization(service), parameters: { organizationId: service.organizationId, jobId } };
  },
  replayWebhooks: async (service) => {
    const jobId = await service.startJob({ webhookUrl: "https://ci.acme.com/hook" });
    await service.store.jobs.cancel(jobId, "Not needed.");
    return ofJob(service, Promise.resolve(jobId));
  },
  withdrawStaticExportBundle: (service) => ofJob(service, service.doneJob()),
  getErasure: async (service) => {
    const call = await (calls["erasePerson"]!(service) as Promise<OperationCall>);
    const { erasureId } = JSON.parse((await service.send("erasePerson", call)).text) as { erasureId: string };
    return { parameters: { erasureId }, token: adminToken };
  },
  getHealth: () => ({}),
  getReadiness: () => ({}),
};

/** The responses to the calls above, if they are not a success. */
export const expectedStatuses: Readonly<Record<string, number>> = { triggerWorkflow: 501, getObject: 403 };
