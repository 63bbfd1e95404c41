/** Anchors of headings and of accordions. */

const blanks = /[\s.]+/g;
/** ASCII punctuation other than `$ & - / _`, and invisible characters. */
const dropped = /[!"#%'()*+,:;<=>?@[\\\]^`{|}~\p{Cc}\p{Cf}]+|^_+/gu;

/**
 * The anchor of a heading's text: lower case, blanks and dots become `-`, a straight apostrophe becomes `’`; ASCII
 * punctuation other than `/ & $ - _` is dropped, other characters stay. Empty if nothing remains.
 */
export const headingSlug = (text: string): string =>
  text.trim().toLowerCase().replace(blanks, "-").replaceAll("'", "’").replace(dropped, "");

/** Latin words, like most names of fields. */
const plainWords = /^[a-z\d]+(?:[-_][a-z\d]+)*$/i;

/** The anchor of an accordion's title: words of letters and digits joined by `-`. */
export function accordionSlug(title: string): string {
  if (plainWords.test(title)) return title.toLowerCase().replaceAll("_", "-");
  return title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .toLowerCase()
    .replace(/[’']/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

/** One for each page: ids are unique in a page. */
export function createSlugger() {
  const used = new Map<string, number>();
  return {
    /** An id that no earlier call returned: `slug`, `slug-2`, `slug-3` ... */
    unique(slug: string): string {
      let count = used.get(slug);
      if (count === undefined) {
        used.set(slug, 1);
        return slug;
      }
      let id: string;
      do id = `${slug}-${++count}`;
      while (used.has(id));
      used.set(slug, count);
      used.set(id, 1);
      return id;
    },
  };
}

/** Finds the element that a fragment names in another spelling. Imports nothing: pages run this in the browser. */

/** The id that a fragment means if it is not one itself; undefined if that is unclear. */
export type FindId = (fragment: string) => string | undefined;

/**
 * Other systems make other anchors of a heading (`#step-2:-create`, `#doesn-t`), of a field of an API (`#body-name`,
 * `#response-items-id`) and of a nested field (`#param-name` for `#param-user:name`). A fragment refers to the only id with
 * the same letters and digits, or else to the field of that name in its section, or else to the only nested field of that
 * name. A look-up takes constant time.
 *
 * @param ids the ids of the page, in document order
 */
export function createIdFinder(ids: Iterable<string>): FindId {
  const byLetters = new Map<string, string | undefined>();
  /** The first field of each name, by section and letters; `qualified` has the fields with a qualifier (`param-200-id`). */
  const fields = new Map<string, string>();
  const qualified = new Map<string, string>();
  /** Nested fields by their own names; undefined if several have the same name. */
  const nested = new Map<string, string | undefined>();
  const seen = new Set<string>();
  let section: string | undefined;
  for (const id of ids) {
    const letters = lettersOf(id);
    byLetters.set(letters, byLetters.has(letters) && byLetters.get(letters) !== id ? undefined : id);
    seen.add(id);
    if (id.startsWith("param-") && id.includes(":")) {
      const name = `param-${id.slice(id.lastIndexOf(":") + 1)}`;
      nested.set(name, nested.has(name) ? undefined : id);
    }
    if (sectionEnds.test(id)) section = sectionNames.get(id);
    else if (section !== undefined && id.startsWith("param-")) {
      const plain = id.replace(qualifier, "param-");
      setFirst(fields, `${section} ${lettersOf(id.slice(6))}`, id);
      // Only the second field of a name has a qualifier.
      if (plain !== id && seen.has(plain)) setFirst(qualified, `${section} ${lettersOf(plain.slice(6))}`, id);
    }
  }
  const fieldOf = (fragment: string): string | undefined => {
    const [, prefix, path] = /^(body|response|parameter|authorization)-(.+)$/i.exec(fragment) ?? [];
    // Several options may have a field of one name, and their ids do not tell the options apart.
    if (path === undefined || /(?:one|any)-of-[1-9]/i.test(path)) return undefined;
    for (const name of [path, path.replace(/(^|-)(?:items|(?:one|any|all)-of-0)(?=-|$)/gi, "")]) {
      const key = `${prefix!.toLowerCase()} ${lettersOf(name)}`;
      const id = fields.get(key) ?? qualified.get(key);
      if (id !== undefined) return id;
    }
    return undefined;
  };
  return (fragment) => {
    const letters = lettersOf(fragment);
    if (letters === "") return undefined;
    if (!byLetters.has(letters)) return fieldOf(fragment) ?? nested.get(fragment);
    const id = byLetters.get(letters);
    return id !== undefined && haveSameNumbers(id, fragment) ? id : undefined;
  };
}

/** The prefixes that other systems give to the anchors of fields, by the id of the fields' section. */
const sectionNames = new Map([
  ["authorizations", "authorization"],
  ["headers", "parameter"],
  ["path-parameters", "parameter"],
  ["query-parameters", "parameter"],
  ["cookies", "parameter"],
  ["body", "body"],
  ["response", "response"],
]);
/** Matches the ids of sections; those of a callback start with its name. */
const sectionEnds = /^(?:.+-)?(?:authorizations|headers|path-parameters|query-parameters|cookies|body|response)$/;
const qualifier = /^param-(?:auth(?:-\d)?|header|path|query|cookie|body|default|[1-5](?:\d\d|xx))-/;

/** The letters, with their accents, and digits of a text in lower case. */
const lettersOf = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Mn}\p{Mc}]|[\ufe00-\ufe0f]/gu, "");

/** Whether numbers are divided at the same places, unless one is not divided: `11` may be 1.1, but `v1-12` is not `v11-2`. */
function haveSameNumbers(one: string, other: string): boolean {
  const others = numbersOf(other);
  return numbersOf(one).every((number, at) => {
    const pair = [number, others[at] ?? number];
    return pair[0] === pair[1] || pair.some((digits) => !digits.includes("-"));
  });
}
const numbersOf = (text: string): string[] => text.replace(/[^\p{L}\p{N}]+/gu, "-").match(/\p{N}+(?:-\p{N}+)*/gu) ?? [];

function setFirst(map: Map<string, string>, key: string, value: string): void {
  if (!map.has(key)) map.set(key, value);
}
