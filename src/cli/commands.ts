import { askOptions, parseAsk } from "./ask-arguments.js";
import { exportAuditOptions, parseExportAudit, parseVerifyAudit, verifyAuditOptions } from "./audit-arguments.js";
import { cacheClearOptions, cacheInfoOptions, parseCacheClear, parseCacheInfo } from "./cache-arguments.js";
import type { Command } from "./command.js";
import texts from "./commands.json" with { type: "json" };
import { completionOptions, parseCompletion } from "./completion-arguments.js";
import {
  inviteOptions,
  parseInvite,
  parseReset,
  parseUnlock,
  resetOptions,
  unlockOptions,
} from "./console-arguments.js";
import {
  addCredentialOptions,
  parseAddCredential,
  parseListCredentials,
  parseRemoveCredential,
  parseRotateCredential,
  parseRotateKeyring,
  rotateCredentialOptions,
  rotateKeyOptions,
} from "./credential-arguments.js";
import { doctorOptions, parseDoctor } from "./doctor-arguments.js";
import { eraseAnyOptions, eraseOptions, parseErase } from "./erase-arguments.js";
import { explainOptions, parseExplain } from "./explain-arguments.js";
import { checkOptions, exportOptions, parseCheck, parseExport } from "./export-arguments.js";
import { fixOptions, parseFix } from "./fix-arguments.js";
import { importOptions, parseImport } from "./import-arguments.js";
import { initOptions, parseInit } from "./init-arguments.js";
import { createKeyOptions, parseCreateKey, parseListKeys, parseRevokeKey, parseRotateKey } from "./key-arguments.js";
import { migrateOptions, parseMigrate } from "./migrate-arguments.js";
import { accountOptions, listOptions, type Options, rotateOptions } from "./options.js";
import {
  listOrganizationsOptions,
  parseListOrganizations,
  parseOrganization,
  planOptions,
} from "./organization-arguments.js";
import { parsePreview, previewOptions } from "./preview-arguments.js";
import { parseServe, serveOptions } from "./serve-arguments.js";
import { apiOptions, parseService, serviceOptions, workerOptions } from "./service-arguments.js";
import {
  addSiteOptions,
  countingOptions,
  parseAddSite,
  parseListSites,
  parseOneSite,
  parseRotateSecret,
  parseSetCounting,
} from "./site-arguments.js";
import groups from "./variables.json" with { type: "json" };

const store = { variables: groups.store };
const worker = { ...groups.model, ...groups.forges, ...groups.worker, ...groups.webhooks };
const exporting = () => import("./export-command.js");
const caches = () => import("./cache-command.js");
const serving = () => import("./serve-command.js");
const service = () => import("./service-command.js");
const sites = () => import("./site-command.js");
const organizations = () => import("./organization-command.js");
const consoles = () => import("./console-command.js");
const audits = () => import("./audit-command.js");
const erasures = () => import("./erase-command.js");
const keys = () => import("./key-command.js");
const credentials = () => import("./credential-command.js");
const forges = { variables: { ...groups.store, ...groups.forges } };

/** The parameters hold the options, `parse` and `run` of a command to each other. */
const command = <O extends Options, A>(
  options: O,
  parse: Command<O, A>["parse"],
  load: Command<O, A>["load"],
  rest: Pick<Command, "variables"> = {},
) => ({ options, parse, load, ...rest }) as unknown as Omit<Command, "summary" | "argument">;

const table = {
  init: command(initOptions, parseInit, () => import("./init-command.js")),
  export: command(exportOptions, parseExport, exporting, { variables: groups.export }),
  check: command(checkOptions, parseCheck, exporting, { variables: groups.export }),
  fix: command(fixOptions, parseFix, () => import("./fix-command.js")),
  preview: command(previewOptions, parsePreview, () => import("./preview-command.js")),
  "cache info": command(cacheInfoOptions, parseCacheInfo, caches, { variables: groups.cache }),
  "cache clear": command(cacheClearOptions, parseCacheClear, caches, { variables: groups.cache }),
  serve: command(serveOptions, parseServe, serving, { variables: groups.serve }),
  ask: command(askOptions, parseAsk, () => import("./ask-command.js"), { variables: groups.ask }),
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
  migrate: command(migrateOptions, parseMigrate, () => import("./migrate-command.js"), store),
  "analytics import": command(importOptions, parseImport, () => import("./import-command.js"), {
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
  explain: command(explainOptions, parseExplain, () => import("./explain-command.js")),
  doctor: command(doctorOptions, parseDoctor, () => import("./doctor-command.js")),
  completion: command(completionOptions, parseCompletion, async () =>
    (await import("./completion-command.js")).completing(commands),
  ),
} satisfies Record<keyof typeof texts, unknown>;

/** Every command by what is typed after `offprint`, in the order of the help. A new command is one entry in both tables. */
export const commands: Readonly<Record<string, Command>> = Object.fromEntries(
  Object.entries(table).map(([name, rest]) => [name, { ...texts[name as keyof typeof texts], ...rest }]),
);
