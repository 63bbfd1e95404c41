import {
  type Command,
  type CommandCode,
  type CommandTexts,
  type FileTexts,
  type Option,
  sharedOption,
} from "./command.js";
import analytics from "./commands/texts/analytics.json" with { type: "json" };
import ask from "./commands/texts/ask.json" with { type: "json" };
import audit from "./commands/texts/audit.json" with { type: "json" };
import cache from "./commands/texts/cache.json" with { type: "json" };
import completion from "./commands/texts/completion.json" with { type: "json" };
import console from "./commands/texts/console.json" with { type: "json" };
import credential from "./commands/texts/credential.json" with { type: "json" };
import doctor from "./commands/texts/doctor.json" with { type: "json" };
import erase from "./commands/texts/erase.json" with { type: "json" };
import explain from "./commands/texts/explain.json" with { type: "json" };
import exporting from "./commands/texts/export.json" with { type: "json" };
import fix from "./commands/texts/fix.json" with { type: "json" };
import init from "./commands/texts/init.json" with { type: "json" };
import job from "./commands/texts/job.json" with { type: "json" };
import key from "./commands/texts/key.json" with { type: "json" };
import lsp from "./commands/texts/lsp.json" with { type: "json" };
import mcp from "./commands/texts/mcp.json" with { type: "json" };
import migrate from "./commands/texts/migrate.json" with { type: "json" };
import organization from "./commands/texts/organization.json" with { type: "json" };
import preview from "./commands/texts/preview.json" with { type: "json" };
import serve from "./commands/texts/serve.json" with { type: "json" };
import service from "./commands/texts/service.json" with { type: "json" };
import site from "./commands/texts/site.json" with { type: "json" };
import variableGroups from "./settings/variables.json" with { type: "json" };

/** Every command, in the order of the help. A new one is a file in `commands`, its texts, and a line here. */
export const commands: Readonly<Record<string, Command>> = Object.fromEntries([
  ...commandsOf(init, () => import("./commands/init.js")),
  ...commandsOf(exporting, () => import("./commands/export.js")),
  ...commandsOf(fix, () => import("./commands/fix.js")),
  ...commandsOf(preview, () => import("./commands/preview.js")),
  ...commandsOf(lsp, () => import("./commands/lsp.js")),
  ...commandsOf(cache, () => import("./commands/cache.js")),
  ...commandsOf(serve, () => import("./commands/serve.js")),
  ...commandsOf(mcp, () => import("./commands/mcp.js")),
  ...commandsOf(ask, () => import("./commands/ask.js")),
  ...commandsOf(job, () => import("./commands/job.js")),
  ...commandsOf(service, () => import("./commands/service.js")),
  ...commandsOf(migrate, () => import("./commands/migrate.js")),
  ...commandsOf(analytics, () => import("./commands/analytics.js")),
  ...commandsOf(organization, () => import("./commands/organization.js")),
  ...commandsOf(site, () => import("./commands/site.js")),
  ...commandsOf(key, () => import("./commands/key.js")),
  ...commandsOf(credential, () => import("./commands/credential.js")),
  ...commandsOf(console, () => import("./commands/console.js")),
  ...commandsOf(audit, () => import("./commands/audit.js")),
  ...commandsOf(erase, () => import("./commands/erase.js")),
  ...commandsOf(explain, () => import("./commands/explain.js")),
  ...commandsOf(doctor, () => import("./commands/doctor.js")),
  ...commandsOf(completion, async () => (await import("./commands/completion.js")).completionOf(commands)),
]);

/** @param load imports the code of these commands: only a command that runs is loaded, and none for help or completion. */
function commandsOf<T extends FileTexts>(
  texts: T,
  load: () => Promise<{ readonly commands: Readonly<Record<keyof T, CommandCode>> }>,
): [name: string, Command][] {
  const optionOf = (name: string, written: Option | string): Option => {
    if (typeof written !== "string") return written;
    return written === "shared" ? sharedOption(name) : (texts[written]!.options[name] as Option);
  };
  return Object.entries<CommandTexts>(texts).map(([name, { options, variables = [], ...rest }]) => [
    name,
    {
      ...rest,
      options: Object.fromEntries(
        Object.entries(options).map(([option, written]) => [option, optionOf(option, written)]),
      ),
      variables: Object.assign({}, ...variables.map(variablesOf)),
      load: async () => (await load()).commands[name]!,
    },
  ]);
}

function variablesOf(name: string): Readonly<Record<string, string>> {
  const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = variableGroups;
  return groups[name] ?? { [name]: Object.values(groups).find((group) => name in group)![name]! };
}
