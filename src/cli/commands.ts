import { type Command, defineCommand } from "./command.js";
import { checkOptions, exportOptions, parseCheck, parseExport } from "./export-arguments.js";
import { createKeyOptions, parseCreateKey, parseListKeys, parseRevokeKey } from "./key-arguments.js";
import { accountOptions, listOptions } from "./options.js";
import { parseServe, serveOptions } from "./serve-arguments.js";
import { apiOptions, parseService, serviceOptions, workerOptions } from "./service-arguments.js";
import { addSiteOptions, parseAddSite, parseListSites, parseOneSite } from "./site-arguments.js";

const site = (command: string) => ({
  name: "<site>",
  help: "Folder of the site: the one that holds docs.json",
  example: `offprint ${command} ./docs`,
});
const domain = (command: string, help: string) => ({
  name: "<domain>",
  help,
  example: `offprint site ${command} docs.example.com`,
});
const storeVariables = {
  OFFPRINT_DATA: "Folder of the service's data",
  DATABASE_URL: "PostgreSQL database, in place of SQLite in that folder",
  OFFPRINT_S3_BUCKET: "S3 bucket for the bundles, in place of that folder",
};
const apiVariables = {
  OFFPRINT_PUBLIC_URL: "Same as --public-url",
  OFFPRINT_METRICS_TOKEN: "Bearer token for /metrics, at least 16 characters",
  OFFPRINT_TRUSTED_PROXIES: "Addresses and CIDR ranges of proxies, comma-separated",
  OFFPRINT_LINK_TTL_SECONDS: "Lifetime of download links (default: 3600)",
  OFFPRINT_JOBS_PER_MINUTE: "Jobs that an organization may start in a minute (default: 120)",
};
const webhookVariables = { OFFPRINT_PRIVATE_WEBHOOKS: "1 allows webhooks to private addresses" };
const workerVariables = { OFFPRINT_GIT_TOKEN: "Token for private git repositories", ...webhookVariables };

/** Every command by what is typed after `offprint`, in the order of the help. A new command is one entry. */
export const commands: Readonly<Record<string, Command>> = {
  export: defineCommand({
    summary: "Export a site as a folder or an archive of plain files",
    argument: site("export"),
    options: exportOptions,
    parse: parseExport,
    load: () => import("./export-command.js"),
  }),
  check: defineCommand({
    summary: "Report everything that is wrong with a site; write nothing",
    argument: site("check"),
    options: checkOptions,
    parse: parseCheck,
    load: () => import("./export-command.js"),
  }),
  serve: defineCommand({
    summary: "Serve an exported bundle over HTTP; SIGHUP fetches it again",
    argument: {
      name: "<bundle>",
      help: "Folder or .tar.gz of a bundle, a link to the .tar.gz, or a values file (.yaml) with that link",
      example: "offprint serve ./offprint-out",
    },
    options: serveOptions,
    parse: parseServe,
    load: () => import("./serve-command.js"),
  }),
  service: defineCommand({
    summary: "Run the export API and a worker in one process",
    options: serviceOptions,
    variables: { ...storeVariables, ...apiVariables, ...workerVariables },
    parse: parseService("service"),
    load: () => import("./service-command.js"),
  }),
  api: defineCommand({
    summary: "Run the export API alone",
    options: apiOptions,
    variables: { ...storeVariables, ...apiVariables, ...webhookVariables },
    parse: parseService("api"),
    load: () => import("./service-command.js"),
  }),
  worker: defineCommand({
    summary: "Run a worker alone",
    options: workerOptions,
    variables: { ...storeVariables, ...workerVariables },
    parse: parseService("worker"),
    load: () => import("./service-command.js"),
  }),
  "site add": defineCommand({
    summary: "Register a site with the service",
    argument: domain("add", "Domain of the site, such as docs.example.com"),
    options: addSiteOptions,
    variables: storeVariables,
    parse: parseAddSite,
    load: () => import("./site-command.js"),
  }),
  "site list": defineCommand({
    summary: "List the sites",
    options: listOptions,
    variables: storeVariables,
    parse: parseListSites,
    load: () => import("./site-command.js"),
  }),
  "site remove": defineCommand({
    summary: "Remove a site and end its jobs",
    argument: domain("remove", "Domain of the site"),
    options: accountOptions,
    variables: storeVariables,
    parse: parseOneSite("remove"),
    load: () => import("./site-command.js"),
  }),
  "site secret": defineCommand({
    summary: "Print the secret that signs a site's webhooks",
    argument: domain("secret", "Domain of the site"),
    options: accountOptions,
    variables: storeVariables,
    parse: parseOneSite("secret"),
    load: () => import("./site-command.js"),
  }),
  "key create": defineCommand({
    summary: "Create an API key and print it once",
    options: createKeyOptions,
    variables: storeVariables,
    parse: parseCreateKey,
    load: () => import("./key-command.js"),
  }),
  "key list": defineCommand({
    summary: "List the API keys",
    options: listOptions,
    variables: storeVariables,
    parse: parseListKeys,
    load: () => import("./key-command.js"),
  }),
  "key revoke": defineCommand({
    summary: "Revoke an API key",
    argument: { name: "<id>", help: 'The id that "offprint key list" shows', example: "offprint key revoke key_1a2b" },
    options: accountOptions,
    variables: storeVariables,
    parse: parseRevokeKey,
    load: () => import("./key-command.js"),
  }),
};
