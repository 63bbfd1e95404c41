import type { EntryFacts } from "../entry-reader.js";
import words from "./title-words.json" with { type: "json" };

interface Untitled {
  readonly tag: string | undefined;
  /** In lower case. */
  readonly method: string;
}

/** Longer texts are not treated as names. */
const maxLength = 200;

/**
 * Makes a title for an operation without a summary, in English like the names from which it is made: "Create a payment
 * intent". It is made from `operationId`; a verb alone is completed by the rest of it, by the tag, then by the path. If
 * `operationId` repeats the path, or is meaningless, path and method are used. Undefined if these are meaningless, too.
 */
export function deriveTitle(
  { operationId = "", tag }: Pick<EntryFacts, "operationId" | "tag">,
  method: string,
  path: string,
): string | undefined {
  const operation = { tag, method };
  const place = readPath(path);
  if (/^\p{L}\S* \S.*\p{L}{3}/u.test(operationId) && operationId.length <= maxLength) return operationId;
  const words = operationId.length > maxLength ? undefined : fromId(operationId, operation, place);
  return sentence(words ?? fromPath(operation, place));
}

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(" "));
const verbs = setOf(words.verbs);
const verbsOfMany = setOf(words.ofMany);
const verbsOfNew = setOf(words.ofNew);
const nounsToo = setOf(words.nounAfterIt);
const alone = setOf(words.alone);
const joining = setOf(words.joining);
const prefixes = setOf(words.prefixes);
const layers = setOf(words.layers);
const unchanging = setOf(words.unchanging);
const phrases = new Map(Object.entries(words.phrases));
const methodVerbs = new Map(Object.entries(words.methods));
const spellings = new Map(words.spellings.split(" ").map((spelling) => [spelling.toLowerCase(), spelling]));

/** Splits a name into words: `listVPCEndpoints`, `list_vpc-endpoints`. Only abbreviations keep their capitals. */
function wordsOf(name: string): string[] {
  const isShouted = !/\p{Ll}/u.test(name);
  return name
    .replace(/IoT|OAuth/g, (word) => word.toUpperCase())
    .replace(/(\p{Lu}{2,}s)(?![\p{Ll}])/gu, " $1 ")
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ")
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll}(?!\s))/gu, "$1 ")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => (!isShouted && /^(?!V\d)\p{Lu}[\p{Lu}\p{N}]+s?$/u.test(word) ? word : word.toLowerCase()));
}

const isVerb = (word: string | undefined): boolean => word !== undefined && verbs.has(word.toLowerCase());

/** The names of JSON:API, which say what the path says: `trees-fruits-get_to_many_related`. */
const jsonApi = /(?:^|-)(\p{L}+)-(\p{Ll}+)_(?:instance|collection|to_(?:one|many)_(?:related|(relationship)))$/u;

function fromId(written: string, operation: Untitled, place: Place): string[] | undefined {
  const id = withoutMethod(written, operation.method)
    .replace(/^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[_.]/, "")
    .replace(/Using(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$|(?:Using(?:GET|POST|PUT|PATCH|DELETE))?_\d{1,3}$/, "");
  const all = wordsOf(id.replace(/_?[vV]\d{1,2}$/, ""));
  if (!isMeaningful(id, all)) return undefined;
  const [, what = "", verbOf, isLink] = jsonApi.exec(id) ?? [];
  if (verbOf !== undefined && isVerb(verbOf))
    return isLink ? [verbOf, ...wordsOf(what), "relationship"] : fromPath(operation, place);
  const parts = id
    .split(/[.:/#_\s]+/)
    .map(wordsOf)
    .filter((part) => part.length > 0);
  if (repeatsPath(all, parts, operation, place)) return fromPath(operation, place) ?? all;
  const isInOneCase = !/[\p{Lu}.:/#]/u.test(id.slice(1));
  if (parts.length === 1 || (isInOneCase && isVerb(all[0])))
    return all.length === 1 ? action(all, [], operation, place) : all;
  // `trees_reset_create` of `POST /trees/{id}/reset` is the action `reset` of a resource.
  const verb = parts.at(-2)!.join(" ");
  const isAction = parts.length > 2 && isVerb(verb) && place.segments.at(-1)?.name.join(" ") === verb;
  if (isAction && parts.at(-1)!.join(" ") === "create") parts.pop();
  const last = parts.at(-1)!;
  // Leave out the service of an RPC, `Lightning_AddInvoice`, if it is the tag.
  const isService = /^\p{Lu}[^_]*_\p{Lu}[^_]*$/u.test(id) && parts[0]!.join() === wordsOf(operation.tag ?? "").join();
  if (isService && last.length > 1 && !joining.has(last[1]!) && !/^(?:or|and|all)$/.test(last[1]!)) return last;
  if (!isVerb(last[0])) return isInOneCase || last.length === 1 ? all : last;
  const before = parts.slice(0, -1);
  const qualifier: string[] = [];
  while (/^(?:bulk|batch|partial)$/.test(before.at(-1)?.join(" ") ?? "")) qualifier.unshift(...before.pop()!);
  // A part that may be a verb or a noun, such as `list`, needs the part before it.
  const named = before.slice(before.at(-1)?.length === 1 && isVerb(before.at(-1)![0]) ? -2 : -1).flat();
  const resource = named.filter((word, at, { length }) => at < length - 1 || !layers.has(word));
  return action([...qualifier, ...last], resource, operation, place);
}

/** Removes the method after a name with a verb: `createOwner-put`. `post` may be a noun, as may most words in `x.get`. */
function withoutMethod(id: string, method: string): string {
  const start = id.slice(0, -method.length - 1);
  const isAfterName = id.charAt(start.length) === "-" && id.toLowerCase().endsWith(method);
  const words = wordsOf(start);
  return isAfterName && /^(?:get|put|patch|delete)$/.test(method) && words.length > 1 && isVerb(words[0]) ? start : id;
}

/** Whether a name is meaningful: not empty, a number, a hash, or `operation_12`. */
const isMeaningful = (id: string, all: readonly string[]): boolean =>
  /\p{L}{3}/u.test(id) &&
  id.replace(/\P{N}/gu, "").length * 3 <= id.length &&
  !/^[\da-f-]{16,}$/i.test(id) &&
  !all.every((word) => /^(?:operation|endpoint|method|api|call|\d+)$/.test(word));

/** Whether an id repeats the path, as `GetUsersUser` of `GET /v1/users/{user}`. Then the path gives a better title. */
function repeatsPath(
  all: readonly string[],
  parts: readonly (readonly string[])[],
  { method }: Untitled,
  place: Place,
): boolean {
  const isOwn = (word: string): boolean => !isPrefix(word) && word !== "by" && word !== "and";
  const words = all.map((word) => word.toLowerCase()).filter(isOwn);
  if (words[0] === method || (words.at(-1) === method && words.length > 1))
    words.splice(words[0] === method ? 0 : -1, 1);
  else if (method !== "get" || isVerb(words[0]) || isVerb(parts.at(-1)![0])) return false;
  const same = (names: readonly (readonly string[])[]): boolean =>
    words.join("") ===
    names
      .flat()
      .map((word) => word.toLowerCase())
      .filter(isOwn)
      .join("");
  return (
    words.length > 0 && (same(place.segments.map(({ name }) => name)) || same(place.named.map(({ name }) => name)))
  );
}

/** A verb with its object: `list` of `users`, `setLabels` of `instances`, `createOrUpdate` of `disks`. */
function action(all: readonly string[], resource: readonly string[], operation: Untitled, place: Place): string[] {
  const words = all.length === 1 ? all : all.filter((word) => word !== "partial");
  const isQualified = words.length > 1 && /^(?:bulk|batch|aggregated)$/.test(words[0]!);
  const isPair = words[1] === "or" || words[1] === "and";
  const end = isQualified || words[1] === "all" ? 2 : isPair ? 3 : 1;
  const verb = words.slice(0, end).map((word) => phrases.get(word) ?? word);
  const rest = words.slice(end);
  if (rest.length === 0 && (alone.has(words[0]!) || (resource.length === 0 && nounsToo.has(words[0]!)))) return verb;
  const object = objectOf(words, resource, operation, place);
  if (object.join(" ").toLowerCase() === words.join(" ").toLowerCase()) return verb;
  if (rest.length === 0 || joining.has(rest[0]!)) return [...verb, ...object, ...rest];
  const noun = singular((resource.at(-1) ?? "").toLowerCase());
  const isNamed = resource.length === 0 || rest.some((word) => singular(word.toLowerCase()) === noun);
  return [...verb, ...rest, ...(isNamed ? [] : ["for", ...object])];
}

/** The object of a verb, in the singular if it is one of many. */
function objectOf(
  words: readonly string[],
  resource: readonly string[],
  { tag = "" }: Untitled,
  place: Place,
): readonly string[] {
  const ofTag = wordsOf(tag);
  const ofPath = place.named.findLast(({ name }) => !isVerb(name.at(-1)))?.name ?? [];
  const object = resource.length > 0 ? resource : ofTag.length > 0 ? ofTag : ofPath;
  const verb = words.find((word) => isVerb(word)) ?? words[0]!;
  if (verbsOfMany.has(verb) || words.includes("all") || words[0] === "bulk" || words[0] === "batch") return object;
  return place.isOne || verbsOfNew.has(verb) ? one(object) : object;
}

/** A path without prefixes such as `/api/v2`. */
interface Place {
  readonly segments: readonly Segment[];
  /** The segments that are not parameters. */
  readonly named: readonly Segment[];
  /** Whether it addresses one of many, or an action on one. */
  readonly isOne: boolean;
}
interface Segment {
  readonly name: readonly string[];
  readonly isParameter: boolean;
}

const isPrefix = (word: string): boolean => prefixes.has(word) || /^v\d[\w.]*$/.test(word);

/** Labels for the names in a path, or else the parameters: `/api/v2/payment_intents/{id}` -> `Payment intents`. */
export function pathLabels(path: string): readonly string[] {
  const { named, segments } = readPath(path);
  return (named.length > 0 ? named : segments).map(({ name }) => sentence(name)!);
}

/** The segments of a path without prefixes: `/api/v2/users/{id}` -> `users`, `{id}`. */
function readPath(path: string): Place {
  const [main = "", ...marked] = path.slice(0, 2000).split(/[?#]/);
  const texts = main
    .replace(/\.(?:json|xml|php)$/, "")
    .split("/")
    .flatMap((text) => text.split(/(?<=\}):(?=\w)|\./));
  const written = texts.some((text) => text !== "") ? texts : marked;
  const segments = written
    .filter((text) => text !== "" && !isPrefix(text.toLowerCase()))
    .map((text) => ({ name: wordsOf(text), isParameter: /[{}]/.test(text) }))
    .filter(({ name }) => name.length > 0);
  const last = segments.at(-1);
  const isAction = last !== undefined && !last.isParameter && isVerb(last.name[0]);
  const isOne = last?.isParameter === true || (isAction && segments.at(-2)?.isParameter === true);
  return { segments, named: segments.filter(({ isParameter }) => !isParameter), isOne };
}

function fromPath({ method }: Untitled, { segments, named, isOne }: Place): string[] | undefined {
  const last = segments.at(-1);
  const name = named.at(-1)?.name;
  const verb = methodVerbs.get(method)?.split(" ");
  if (last === undefined || name === undefined || verb === undefined) return undefined;
  const owner = named.at(-2)?.name;
  const hasOwner = owner !== undefined && segments[segments.indexOf(named.at(-1)!) - 1]?.isParameter === true;
  const isAction =
    !last.isParameter &&
    isVerb(name[0]) &&
    (!nounsToo.has(name[0]!) || (hasOwner && name.length === 1)) &&
    method !== "delete";
  if (isAction) {
    const words = name.map((word) => phrases.get(word) ?? word);
    if (owner === undefined || name.length > 1) return [...words, ...(hasOwner ? ["for", ...one(owner)] : [])];
    return [...words, ...(isOne ? one(owner) : owner)];
  }
  const isMany = singular(name.at(-1)!) !== name.at(-1);
  const of = hasOwner ? [method === "post" ? "for" : "of", ...one(owner)] : [];
  if (last.isParameter) return [...(method === "post" ? ["update"] : verb), ...one(name), ...of];
  if (method === "post") return [...verb, ...one(name), ...of];
  return [...(method === "get" && isMany ? ["list"] : verb), ...name, ...of];
}

/** The singular of a name, with its article; a name that is not a plural stays as it is. */
function one(name: readonly string[]): string[] {
  const last = name.at(-1) ?? "";
  const only = singular(last);
  if (only === last) return [...name];
  const all = [...name.slice(0, -1), only];
  return [/^(?:hour|[aeio]|u(?!ni|s[aeiu]|r[il]|ti|uid))/i.test(all[0]!) ? "an" : "a", ...all];
}

function singular(word: string): string {
  if (!/[^su]s$/.test(word) || unchanging.has(word) || word.length < 4 || /(?:sis|tics)$/.test(word)) return word;
  if (/[^aeiou]ies$/.test(word) && !/(?:mov|cook|zomb)ies$/.test(word)) return `${word.slice(0, -3)}y`;
  const isLonger = /(?:ss|x|[cs]h|alias|status|virus|bonus|campus)es$/.test(word) && !word.endsWith("aches");
  return word.slice(0, isLonger ? -2 : -1);
}

function sentence(all: readonly string[] | undefined): string | undefined {
  const text = (all ?? []).map((word) => spellings.get(word.toLowerCase()) ?? word).join(" ");
  return text === "" ? undefined : text[0]!.toUpperCase() + text.slice(1);
}
