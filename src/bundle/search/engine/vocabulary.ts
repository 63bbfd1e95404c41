import { remembered } from "../../../lib/memo.js";

/**
 * What the forms of an English word share: `cach` of "cache", "caches", "cached" and "caching". Other languages have some of
 * these endings too. Not for display: it may be no word.
 */
export const baseOf = remembered((word) => {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const single = singular(word);
  const ending = /(?:ing|ed)$/.exec(single)?.[0] ?? "";
  const stem = single.slice(0, single.length - ending.length);
  // "ring" and "need" have no ending.
  const cut = ending !== "" && stem.length >= 3 && /[aeiouy]/.test(stem) ? undoubled(stem) : single;
  return cut.length > 3 ? cut.replace(/e$/, "").replace(/i$/, "y") : cut;
});

function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith("s")) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|ss|x|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** "run" of "runn", but "call" stays. */
const undoubled = (stem: string): string => stem.replace(/([bdgmnprt])\1$/, "$1");

/** What related English words share: `configur` of "configure" and "configuration". Not for display. */
export const rootOf = remembered((word) => {
  const base = baseOf(word);
  if (base.length < 6 || !/^[a-z]+$/.test(base)) return base;
  return base
    .replace(/ription$/, "rib")
    .replace(/(?:fy|ficat(?:e|ion|or)?)$/, "f")
    .replace(/(.{4})at(?:e|ion|or|iv)?$/, "$1")
    .replace(/(.{5})(?:ion|ment|ly|abl|ibl|er|or|anc|enc)$/, "$1")
    .replace(/[ey]$/, "");
});

/**
 * Words of questions and sentences in several languages: "how do I ...". They say little about what a reader looks for, and a
 * site may have them so seldom that their rarity misleads. Without accents, as in the index.
 */
const words = new Set(
  (
    "a an and any are as at be been but by can could do does for from had has have how i if in into is it its me my of on " +
    "or our should so some than that the their them then there these they this to was we were what when where which who " +
    "why will with would you your " +
    "about all every find get getting just let much need now only other put right up want way " +
    "al como con cual cuando de del donde el en es esta la las lo los mi para por puedo que se su un una unos y " +
    "au aux avec ce cette comment dans des du est et je le les ma mes mon ou pour quand que quel quelle sur une " +
    "auf das dem den der ein eine einem einen fur ich im ist kann man mein mit oder und vom von wann wie wo zu zum zur " +
    "com da dos em eu meu minha na nao no nos onde os ou pelo pela por quais uma " +
    "che di dove e gli il le mio nel nella per quale sono"
  ).split(" "),
);

export const isCommonWord = (word: string): boolean => words.has(word);

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

/** The simplified form of each traditional Chinese character. */
export type Variants = ReadonlyMap<string, string>;

export const hasHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** More would read many files. */
const mostSpellings = 12;

/** The spellings of a word of one or two characters in traditional and simplified Chinese, the word itself first. */
export function spellingsOf(word: string, variants: Variants): string[] {
  let spellings = [""];
  for (const character of word) {
    const forms = formsOf(character, variants);
    spellings = spellings.flatMap((start) => forms.map((form) => start + form));
  }
  return spellings.slice(0, mostSpellings);
}

function formsOf(character: string, variants: Variants): string[] {
  const simple = variants.get(character) ?? character;
  const forms = new Set([character, simple]);
  for (const [traditional, other] of variants) if (other === simple) forms.add(traditional);
  return [...forms];
}

export const simplified = (text: string, variants: Variants): string =>
  variants.size === 0 ? text : Array.from(text, (character) => variants.get(character) ?? character).join("");

/** @param pairs each traditional character, then its simplified form. */
export const readVariants = (pairs: string): Variants =>
  new Map(Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i]!, pairs[2 * i + 1]!]));
