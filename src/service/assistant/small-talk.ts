import { answerMessages } from "../../lib/language/index.js";

/** The message that answers a greeting or thanks, and the locale of its words. */
export interface SmallTalk {
  readonly reply: "greeting" | "welcome";
  readonly locale: string;
}

const longest = 60;
let phrases: ReadonlyMap<string, SmallTalk> | undefined;

/**
 * Undefined for a message that does more than greet or thank.
 *
 * @param preferred locale of a phrase that several have, such as "hi".
 */
export function smallTalkIn(text: string, preferred: string): SmallTalk | undefined {
  if (text.length > longest) return undefined;
  phrases ??= readPhrases();
  const said = plain(text);
  return phrases.get(`${preferred} ${said}`) ?? phrases.get(said);
}

/** By phrase, alone and after its locale. English has those that several have. */
function readPhrases(): ReadonlyMap<string, SmallTalk> {
  const found = new Map<string, SmallTalk>();
  for (const [locale, { greetings, thanks }] of answerMessages()) {
    const lists = [
      ["greeting", greetings],
      ["welcome", thanks],
    ] as const;
    for (const [reply, list] of lists)
      for (const phrase of list.split("|").map(plain)) {
        found.set(`${locale} ${phrase}`, { reply, locale });
        if (locale === "en" || !found.has(phrase)) found.set(phrase, { reply, locale });
      }
  }
  return found;
}

/** Lower case without accents, marks and emoji. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u064b-\u0652]/g, "")
    .normalize("NFC")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
