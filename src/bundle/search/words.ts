/**
 * Splits text into the words that a search compares, in the same way for the index and for a query: this file runs in the
 * export and in the browser.
 *
 * Words are lower case without accents. An identifier (`api_key`, `docs.json`, `getUserById`, `--strict`, `/api/v1`) gives its
 * parts and then the whole. Scripts without blanks between words (Chinese, Japanese, Korean, Thai ...) give every pair of neighbouring
 * characters, or a single character if it has no neighbour.
 */

/** @param parts how many of the previous words are parts of this one; 0 for a plain word. */
export type TakeWord = (word: string, parts: number) => void;

/** Longer ones are not words but hashes, base64, data. */
export const longestWord = 40;
const longestWhole = 60;

export function cutWords(text: string, take: TakeWord): void {
  cutAll(text, take, true);
}

function cutAll(text: string, take: TakeWord, hasMarks: boolean): void {
  const end = text.length;
  let at = 0;
  while (at < end) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === letter || kind === digit || kind === upper) at = cutWord(text, at, take);
    else if (kind === packed || kind === surrogate) at = cutPacked(text, at, take);
    else if (hasMarks && isMark(code) && !isBound(at === 0 ? 0 : text.charCodeAt(at - 1)))
      at = cutMarked(text, at, take);
    else at++;
  }
}

/** Whether a flag, a path or the name of a package may begin with it: `--strict`, `/api/v1`, `@acme/sdk`. */
export const isMark = (code: number): boolean => code === hyphen || code === slash || code === atSign;

/** Whether a mark after this character belongs to what is before it. */
export const isBound = (code: number): boolean => code < 128 && bound[code] === 1;

const hyphen = 45;
const slash = 47;
const atSign = 64;
const bound = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w.\-/<@})]/.test(String.fromCharCode(code))));

const flag = /--?[A-Za-z][\w-]+/y;
const path = /[/@][\w{][\w{}:./-]*/y;

/** Gives the words of a flag or path, then the whole. */
function cutMarked(text: string, start: number, take: TakeWord): number {
  const form = text.charCodeAt(start) === hyphen ? flag : path;
  form.lastIndex = start;
  if (!form.test(text) || kindAt(text, form.lastIndex) === letter) return start + 1;
  let end = form.lastIndex;
  while (endsMarked.includes(text[end - 1]!)) end--;
  if (end - start < 2) return start + 1;
  const whole = text.slice(start, end);
  let parts = 0;
  const takePart: TakeWord = (word, of) => {
    parts += 1 - of;
    take(word, of);
  };
  cutAll(whole, takePart, false);
  if (whole.length <= longestWhole && parts > 0) take(whole.toLowerCase(), parts);
  return end;
}
/** Marks at the end of a path belong to the sentence. */
const endsMarked = "-_.:/{";

/** Most words are only letters and digits, of which only the first may be a capital. */
function cutWord(text: string, start: number, take: TakeWord): number {
  const end = text.length;
  let code = text.charCodeAt(start);
  let all = code;
  const hasUpper = kindOf(code) === upper;
  let kind = separator;
  let at = start + 1;
  for (; at < end; at++) {
    code = text.charCodeAt(at);
    kind = kindOf(code);
    if (kind !== letter && kind !== digit) break;
    all |= code;
  }
  if (at < end && (kind === upper || kind === joiner)) return cutIdentifier(text, start, take);
  const length = at - start;
  if (length > longestWord) return at;
  const afterApostrophe = length === 1 && start > 0 && isApostrophe(text.charCodeAt(start - 1));
  if (!afterApostrophe) give(plainWord(text.slice(start, at), all < 128, hasUpper), 0, take);
  return at;
}

const plainWord = (cut: string, isAscii: boolean, hasUpper: boolean): string =>
  isAscii ? (hasUpper ? cut.toLowerCase() : cut) : fold(cut);

/** A run of letters and digits with capitals and joiners: `getUserById`, `docs.json`. */
function cutIdentifier(text: string, start: number, take: TakeWord): number {
  const end = text.length;
  const cuts: number[] = [];
  let humps = 0;
  let all = 0;
  let before = separator;
  let at = start;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === upper) {
      const begins = before === letter || (before === upper && kindAt(text, at + 1) === letter);
      if (begins && at > start) {
        humps++;
        cuts.push(at);
      }
    } else if (kind === joiner) {
      const next = kindAt(text, at + 1);
      if (next !== letter && next !== digit && next !== upper) break;
      cuts.push(at, at + 1);
    } else if (kind !== letter && kind !== digit) break;
    all |= code;
    before = kind;
  }
  const isAscii = all < 128;
  // "GitHub" and "TypeScript" are words; "useChat" and "getUserById" are several.
  const isCut = cuts.length > humps || humps > 1 || (humps === 1 && kindAt(text, start) === letter);
  if (!isCut) {
    if (at - start <= longestWord) give(plainWord(text.slice(start, at), isAscii, true), 0, take);
    return at;
  }
  /** Of the whole, of the current segment between two joiners, and where that begins. */
  let parts = 0;
  let ofSegment = 0;
  let segment = start;
  let from = start;
  cuts.push(at);
  for (const cut of cuts) {
    const length = cut - from;
    if (length > 1 && length <= longestWord) {
      give(plainWord(text.slice(from, cut), isAscii, true), 0, take);
      ofSegment++;
    }
    from = cut;
    if (cut < at && kindOf(text.charCodeAt(cut)) !== joiner) continue;
    // "run.getById" has a name in it.
    const isName = ofSegment > 1 && cut - segment < at - start && cut - segment <= longestWord;
    if (isName) give(plainWord(text.slice(segment, cut), isAscii, true), ofSegment, take);
    parts += isName ? 1 : ofSegment;
    ofSegment = 0;
    segment = cut + 1;
  }
  if (at - start <= longestWhole) give(plainWord(text.slice(start, at), isAscii, true), parts, take);
  return at;
}

function give(word: string, parts: number, take: TakeWord): void {
  if (word !== "") take(word, parts);
}

/** A run of characters of a script without blanks. */
function cutPacked(text: string, start: number, take: TakeWord): number {
  let at = start;
  for (; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind !== packed && kind !== surrogate) break;
  }
  const run = plainForms(text.slice(start, at));
  const characters = surrogates.test(run)
    ? [...run].filter((each) => (each.length === 1 ? !surrogates.test(each) : isHan(each)))
    : run;
  if (characters.length === 1) take(characters[0]!, 0);
  for (let i = 1; i < characters.length; i++) take(characters[i - 1]! + characters[i]!, 0);
  return at;
}

const surrogates = /[\ud800-\udfff]/;
const isHan = (character: string): boolean => /^\p{Script=Han}$/u.test(character);

/** Replaces half-width and compatibility characters by the usual ones. */
const plainForms = (run: string): string => (/[\uf900-\ufaff\uff00-\uffef]/.test(run) ? run.normalize("NFKC") : run);

const folded = new Map<string, string>();

/** Cached, because words repeat. */
function fold(word: string): string {
  // A longer slice keeps the whole text in memory.
  if (word.length > 12) return foldUncached(word);
  let result = folded.get(word);
  if (result === undefined) {
    if (folded.size >= 20_000) folded.clear();
    result = foldUncached(word);
    folded.set(word, result);
  }
  return result;
}

/** Lower case without accents; compatibility characters are expanded, and only letters, digits and joiners kept. */
const foldUncached = (word: string): string =>
  word
    .toLowerCase()
    .normalize("NFKD")
    .replace(accents, "")
    .normalize("NFC")
    .replaceAll("ß", "ss")
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, "");

// Latin, Greek and Cyrillic accents; Hebrew and Arabic vowel signs, which readers leave out; the Arabic tatweel.
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]/g;

const separator = 1;
const letter = 2;
const digit = 3;
const upper = 4;
const packed = 5;
const joiner = 6;
const surrogate = 7;

/** Kind of each code unit, computed on demand. */
const kinds = new Uint8Array(65_536);

function kindOf(code: number): number {
  kinds[code] ||= findKind(code);
  return kinds[code];
}
const kindAt = (text: string, at: number): number => (at < text.length ? kindOf(text.charCodeAt(at)) : separator);

function findKind(code: number): number {
  if (code >= 97 && code <= 122) return letter;
  if (code >= 65 && code <= 90) return upper;
  if (code >= 48 && code <= 57) return digit;
  if (code === 45 || code === 46 || code === 95) return joiner;
  if (code < 128) return separator;
  if (code >= 0xd800 && code <= 0xdfff) return surrogate;
  const character = String.fromCharCode(code);
  if (packedScripts.test(character)) return packed;
  if (/[\p{L}\p{M}]/u.test(character)) return letter;
  return /\p{N}/u.test(character) ? digit : separator;
}

// Thai, Lao, Burmese, Khmer, kana with the prolonged sound mark, Han, Hangul; also half-width kana.
const packedScripts =
  /[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u3005-\u3007\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f]/;

const isApostrophe = (code: number): boolean => code === 39 || code === 0x2019;
