import { baseOf } from "./word-forms.js";

/**
 * Groups of words that English documentation uses for each other. A word may be in several groups. `setup` also matches
 * "set up" in a query.
 */
const groups =
  "allow enable activate turnon, allowlist whitelist firewall, answer reply response, app application, " +
  "argument parameter option flag, auth authentication authenticate login logon signin sso, " +
  "auth authorization authorize permission access, autocomplete completion suggestion, backup restore, " +
  "begin start quickstart, beginner quickstart introduction overview, bot chatbot assistant agent, " +
  "broadcast stream livestream, bulk batch, buy purchase, callback webhook, changelog change release, " +
  "chart diagram graph, chat conversation message, cheap cost reduce, ci pipeline workflow, cluster kubernetes, " +
  "collapse accordion expandable, color theme appearance, compare comparison difference, " +
  "config configuration configure setting option preference, container docker, " +
  "contribute contributing contribution, convert transform, css style, customize personalize customization, " +
  "cut clip trim, daily morning hourly weekly schedule, dark theme appearance, db database, " +
  "debug troubleshoot inspect, delay latency lag slow, delete remove erase unpublish, dependency package, " +
  "disable deactivate turnoff, doc documentation, domain dns subdomain, download install export, duplicate copy, " +
  "edit modify change update, email mail, embed widget iframe, env environment, " +
  "error fail failure exception problem issue troubleshooting troubleshoot, example sample demo, " +
  "expire expiration lifetime ttl, faq question, fast quick speed performance, favicon logo, fetch retrieve, " +
  "field property attribute, folder directory, frontend client ui, git repository, " +
  "guideline recommendation practice, hardware requirement, header navbar, health status uptime, hide hidden, " +
  "history version, host deploy, https ssl tls certificate, i18n internationalization, improve optimize, " +
  "increase raise, install installation setup, internet network, intro introduction overview, invite member, " +
  "invoice billing, job task, js javascript, k8s kubernetes, key token credential secret, label tag, " +
  "language locale translation internationalization localization, legal license, limit quota maximum max cap, " +
  "limit restrict, listen subscribe, llm ai model, local localhost, log logging trace, logo brand branding, " +
  "logout signout, lookup search, lower reduce decrease optimize, md markdown, memory ram, " +
  "menu navigation sidebar, migrate migration move switch, mobile phone ios android, " +
  "monitor observability track, notify notification alert, offline airgapped, old legacy deprecated earlier, " +
  "paginate pagination cursor, parallel concurrent concurrency simultaneous, pause wait sleep delay, " +
  "payload body, picture image photo, plan tier subscription, popup modal dialog, postgres postgresql database, " +
  "premise host, prerequisite requirement, prevent avoid block, preview staging draft, " +
  "price pricing cost billing bill fee charge spend credit payment, private secret internal hidden, " +
  "protect secure private, publish release deploy, question ask query, realtime live, removed deprecated, " +
  "renew refresh, repo repository, rest api, restrict control access gate, result output, " +
  "retry rerun repeat replay, revoke rotate, role permission access, rollback revert restore undo, " +
  "run execute start, save store persist, schedule scheduled cron recurring, sdk library package, " +
  "server backend, setup configure connect, share invite, shortcut hotkey, show display, " +
  "signup register account, sitemap seo, statistics stats analytics metrics usage, " +
  "stop cancel abort terminate end, summary summarize, support help contact, supported compatible compatibility, " +
  "swagger openapi, sync synchronize, team organization workspace, terminal cli command console shell, " +
  "terminology glossary definition concept, test check verify validate, timeout duration, trace observability, " +
  "trial free plan, trigger invoke call, ts typescript, tutorial guide, typography font, upgrade update migrate, " +
  "urgent priority important, url link address, user member account, version release, warning callout alert, " +
  "website site web, workflow automation automate";

const others = new Map<string, Set<string>>();
for (const group of groups.split(", ")) {
  const words = group.split(" ");
  for (const word of words) {
    const base = baseOf(word);
    const known = others.get(base) ?? new Set();
    others.set(base, known);
    for (const other of words) if (baseOf(other) !== base) known.add(other);
  }
}

/** The words that a page may have instead of this one. */
export const synonymsOf = (word: string): readonly string[] => [...(others.get(baseOf(word)) ?? [])];
