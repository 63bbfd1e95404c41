import type { Command } from "./command.js";
import { importOptions, parseImport } from "./commands/analytics-options.js";
import { askOptions, parseAsk } from "./commands/ask-options.js";
import {
  exportAuditOptions,
  parseExportAudit,
  parseVerifyAudit,
  verifyAuditOptions,
} from "./commands/audit-options.js";
import { cacheClearOptions, cacheInfoOptions, parseCacheClear, parseCacheInfo } from "./commands/cache-options.js";
import { completionOptions, parseCompletion } from "./commands/completion-options.js";
import {
  inviteOptions,
  parseInvite,
  parseReset,
  parseUnlock,
  resetOptions,
  unlockOptions,
} from "./commands/console-options.js";
import {
  addCredentialOptions,
  parseAddCredential,
  parseListCredentials,
  parseRemoveCredential,
  parseRotateCredential,
  parseRotateKeyring,
  rotateCredentialOptions,
  rotateKeyOptions,
} from "./commands/credential-options.js";
import { doctorOptions, parseDoctor } from "./commands/doctor-options.js";
import { eraseAnyOptions, eraseOptions, parseErase } from "./commands/erase-options.js";
import { explainOptions, parseExplain } from "./commands/explain-options.js";
import { checkOptions, exportOptions, parseCheck, parseExport } from "./commands/export-options.js";
import { fixOptions, parseFix } from "./commands/fix-options.js";
import { initOptions, parseInit } from "./commands/init-options.js";
import {
  createKeyOptions,
  parseCreateKey,
  parseListKeys,
  parseRevokeKey,
  parseRotateKey,
} from "./commands/key-options.js";
import { migrateOptions, parseMigrate } from "./commands/migrate-options.js";
import {
  listOrganizationsOptions,
  parseListOrganizations,
  parseOrganization,
  planOptions,
} from "./commands/organization-options.js";
import { parsePreview, previewOptions } from "./commands/preview-options.js";
import { parseServe, serveOptions } from "./commands/serve-options.js";
import { apiOptions, parseService, serviceOptions, workerOptions } from "./commands/service-options.js";
import {
  addSiteOptions,
  countingOptions,
  parseAddSite,
  parseListSites,
  parseOneSite,
  parseRotateSecret,
  parseSetCounting,
} from "./commands/site-options.js";
import texts from "./commands.json" with { type: "json" };
import { accountOptions, listOptions, type Options, rotateOptions } from "./options.js";
import groups from "./settings/variables.json" with { type: "json" };

const store = { variables: groups.store };
const worker = { ...groups.model, ...groups.forges, ...groups.worker, ...groups.webhooks };
const exporting = () => import("./commands/export.js");
const caches = () => import("./commands/cache.js");
const serving = () => import("./commands/serve.js");
const service = () => import("./commands/service.js");
const sites = () => import("./commands/site.js");
const organizations = () => import("./commands/organization.js");
const consoles = () => import("./commands/console.js");
const audits = () => import("./commands/audit.js");
const erasures = () => import("./commands/erase.js");
const keys = () => import("./commands/key.js");
const credentials = () => import("./commands/credential.js");
const forges = { variables: { ...groups.store, ...groups.forges } };

/** The parameters hold the options, `parse` and `run` of a command to each other. */
const command = <O extends Options, A>(
  options: O,
  parse: Command<O, A>["parse"],
  load: Command<O, A>["load"],
  rest: Pick<Command, "variables"> = {},
) => ({ options, parse, load, ...rest }) as unknown as Omit<Command, "summary" | "argument">;

const table = {
  init: command(initOptions, parseInit, () => import("./commands/init.js")),
  export: command(exportOptions, parseExport, exporting, { variables: groups.export }),
  check: command(checkOptions, parseCheck, exporting, { variables: groups.export }),
  fix: command(fixOptions, parseFix, () => import("./commands/fix.js")),
  preview: command(previewOptions, parsePreview, () => import("./commands/preview.js")),
  "cache info": command(cacheInfoOptions, parseCacheInfo, caches, { variables: groups.cache }),
  "cache clear": command(cacheClearOptions, parseCacheClear, caches, { variables: groups.cache }),
  serve: command(serveOptions, parseServe, serving, { variables: groups.serve }),
  ask: command(askOptions, parseAsk, () => import("./commands/ask.js"), { variables: groups.ask }),
  service: command(serviceOptions, parseService("service"), service, {
    variables: { ...groups.store, ...groups.api, ...groups.console, ...worker },
  }),
  api: command(apiOptions, parseService("api"), service, {
    variables: {
      ...groups.store,
      ...groups.api,
      ...groups.model,
      ...groups.console,
      ...groups.forges,
      ...groups.webhooks,
    },
  }),
  worker: command(workerOptions, parseService("worker"), service, { variables: { ...groups.store, ...worker } }),
  migrate: command(migrateOptions, parseMigrate, () => import("./commands/migrate.js"), store),
  "analytics import": command(importOptions, parseImport, () => import("./commands/analytics.js"), {
    variables: { ...groups.store, OFFPRINT_TRUSTED_PROXIES: groups.serve.OFFPRINT_TRUSTED_PROXIES },
  }),
  "organization create": command(planOptions, parseOrganization("create"), organizations, store),
  "organization set-plan": command(planOptions, parseOrganization("set-plan"), organizations, store),
  "organization list": command(listOrganizationsOptions, parseListOrganizations, organizations, store),
  "site add": command(addSiteOptions, parseAddSite, sites, store),
  "site list": command(listOptions, parseListSites, sites, store),
  "site remove": command(accountOptions, parseOneSite("remove"), sites, store),
  "site set-counting": command(countingOptions, parseSetCounting, sites, store),
  "site secret": command(accountOptions, parseOneSite("secret"), sites, store),
  "site rotate-secret": command(rotateOptions, parseRotateSecret, sites, store),
  "key create": command(createKeyOptions, parseCreateKey, keys, store),
  "key list": command(listOptions, parseListKeys, keys, store),
  "key rotate": command(rotateOptions, parseRotateKey, keys, store),
  "key revoke": command(accountOptions, parseRevokeKey, keys, store),
  "credential add": command(addCredentialOptions, parseAddCredential, credentials, forges),
  "credential list": command(listOptions, parseListCredentials, credentials, store),
  "credential rotate": command(rotateCredentialOptions, parseRotateCredential, credentials, store),
  "credential remove": command(accountOptions, parseRemoveCredential, credentials, store),
  "credential rotate-key": command(rotateKeyOptions, parseRotateKeyring, credentials, store),
  "console invite": command(inviteOptions, parseInvite, consoles, store),
  "console reset": command(resetOptions, parseReset, consoles, store),
  "console unlock": command(unlockOptions, parseUnlock, consoles, store),
  "audit verify": command(verifyAuditOptions, parseVerifyAudit, audits, store),
  "audit export": command(exportAuditOptions, parseExportAudit, audits, store),
  "erase organization": command(eraseAnyOptions, parseErase("organization"), erasures, store),
  "erase person": command(eraseAnyOptions, parseErase("person"), erasures, store),
  "erase bundle": command(eraseOptions, parseErase("bundle"), erasures, store),
  "erase thread": command(eraseOptions, parseErase("thread"), erasures, store),
  "erase show": command(eraseAnyOptions, parseErase("show"), erasures, store),
  explain: command(explainOptions, parseExplain, () => import("./commands/explain.js")),
  doctor: command(doctorOptions, parseDoctor, () => import("./commands/doctor.js")),
  completion: command(completionOptions, parseCompletion, async () =>
    (await import("./commands/completion.js")).completing(commands),
  ),
} satisfies Record<keyof typeof texts, unknown>;

/** Every command by what is typed after `offprint`, in the order of the help. A new command is one entry in both tables. */
export const commands: Readonly<Record<string, Command>> = Object.fromEntries(
  Object.entries(table).map(([name, rest]) => [name, { ...texts[name as keyof typeof texts], ...rest }]),
);
