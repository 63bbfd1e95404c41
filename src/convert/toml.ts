/** Parses the TOML that site settings use. Dates stay text. Continues after a syntax error. */

type Table = Record<string, unknown>;
const newTable = (): Table => Object.create(null) as Table;

export function readToml(text: string): Readonly<Table> {
  const root = newTable();
  let table = root;
  const reader = createReader(text.slice(0, 1024 * 1024));
  while (!reader.atEnd()) {
    reader.skipBlank();
    if (reader.atEnd()) break;
    if (reader.take("[[")) {
      const path = reader.key();
      const parent = tableAt(root, path.slice(0, -1));
      const name = path.at(-1) ?? "";
      const list = Array.isArray(parent[name]) ? (parent[name] as unknown[]) : [];
      parent[name] = list;
      table = newTable();
      list.push(table);
    } else if (reader.take("[")) table = tableAt(root, reader.key());
    else {
      const path = reader.key();
      reader.skipSpace();
      if (path.length > 0 && reader.take("=")) tableAt(table, path.slice(0, -1))[path.at(-1)!] = reader.value(0);
    }
    reader.skipLine();
  }
  return root;
}

function tableAt(table: Table, path: readonly string[]): Table {
  let at = table;
  for (const name of path) {
    const next = at[name];
    const inner = Array.isArray(next) ? next.at(-1) : next;
    if (typeof inner === "object" && inner !== null) at = inner as Table;
    else {
      const child = newTable();
      at[name] = child;
      at = child;
    }
  }
  return at;
}

function createReader(text: string) {
  let at = 0;
  const take = (sign: string): boolean => {
    if (!text.startsWith(sign, at)) return false;
    at += sign.length;
    return true;
  };
  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [token = ""] = pattern.exec(text) ?? [];
    at += token.length;
    return token;
  };
  const skipSpace = (): void => void match(/[ \t]*/y);
  const skipBlank = (): void => void match(/(?:[ \t\r\n]|#[^\n]*)*/y);
  const string = (mark: string): string => {
    const isLong = text.startsWith(mark.repeat(3), at);
    at += isLong ? 3 : 1;
    const end = isLong ? mark.repeat(3) : mark;
    let from = at;
    for (;;) {
      const next = text.indexOf(end, from);
      if (next < 0) {
        const rest = text.slice(at);
        at = text.length;
        return rest;
      }
      const slashes = mark === '"' ? /\\*$/.exec(text.slice(at, next))![0].length : 0;
      if (slashes % 2 === 0) {
        const raw = text.slice(at, next);
        at = next + end.length;
        const body = isLong ? raw.replace(/^\r?\n/, "") : raw;
        return mark === '"' ? body.replace(/\\(\r?\n\s*|u[\da-f]{4}|.)/gi, (_, code: string) => unescaped(code)) : body;
      }
      from = next + 1;
    }
  };
  const keyPart = (): string => {
    skipSpace();
    const sign = text[at];
    return sign === '"' || sign === "'" ? string(sign) : match(/[\w-]+/y);
  };
  const key = (): string[] => {
    const parts = [keyPart()];
    for (skipSpace(); take("."); skipSpace()) parts.push(keyPart());
    return parts.filter((part) => part !== "" && part !== "__proto__");
  };
  const list = (depth: number): unknown[] => {
    const items: unknown[] = [];
    for (skipBlank(); !take("]") && at < text.length; skipBlank()) {
      const before = at;
      items.push(value(depth + 1));
      skipBlank();
      take(",");
      if (at === before) break;
    }
    return items;
  };
  const inline = (depth: number): Table => {
    const table = newTable();
    for (skipBlank(); !take("}") && at < text.length; skipBlank()) {
      const before = at;
      const path = key();
      skipSpace();
      if (take("=") && path.length > 0) tableAt(table, path.slice(0, -1))[path.at(-1)!] = value(depth + 1);
      skipBlank();
      take(",");
      if (at === before) break;
    }
    return table;
  };
  const value = (depth: number): unknown => {
    skipSpace();
    const sign = text[at];
    if (sign === '"' || sign === "'") return string(sign);
    if (depth < 50 && take("[")) return list(depth);
    if (depth < 50 && take("{")) return inline(depth);
    const word = match(/[^\s,\]}#]+/y);
    return word === "true" || word === "false"
      ? word === "true"
      : /^[+-]?\d[\d_]*(?:\.\d+)?$/.test(word)
        ? Number(word.replaceAll("_", ""))
        : word;
  };
  return {
    atEnd: () => at >= text.length,
    take,
    skipSpace,
    skipBlank,
    key,
    value,
    skipLine: () => void match(/[^\n]*\n?/y),
  };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", '"': '"', "\\": "\\" };
const unescaped = (code: string): string =>
  /^\r?\n/.test(code)
    ? ""
    : /^u/i.test(code) && code.length > 1
      ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
      : (escapes[code] ?? code);
