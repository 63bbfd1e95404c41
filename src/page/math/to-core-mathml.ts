/** Converts KaTeX's MathML 3 to MathML Core. Tables, boxes and strokes become classes: see math.css. */
export function toCoreMathml(mathml: string): string {
  const tables: Table[] = [];
  let style: string | undefined;
  return withAccents(mathml).replace(
    /<(\/?)([a-z]+)([^>]*?)(\/?)>|[^<]+/g,
    (whole, closing, name, attributes = "", empty = "") => {
      if (name === undefined) return style === undefined ? whole : styledText(whole, style);
      if (closing) {
        if (name === "mtable") tables.pop();
        if (leaves.has(name)) style = undefined;
        return `</${name === "menclose" ? "mrow" : name}>`;
      }
      if (name === "mtable") {
        tables.push(tableOf(attributes));
        return open("mtable", tables.at(-1)!.classNames);
      }
      if (name === "mtr") return open("mtr", rowClasses(tables.at(-1)));
      if (name === "mtd") return open("mtd", cellClasses(tables.at(-1), attributes));
      if (name === "menclose") return open("mrow", enclosures(attribute(attributes, "notation")));
      if (!leaves.has(name)) return whole;
      const variant = attribute(attributes, "mathvariant");
      if (variant === undefined || variant === "normal") return whole;
      const rest = attributes.replace(/ mathvariant="[^"]*"/, "");
      if (name === "mtext") return `<mtext${rest} class="${textStyles[variant] ?? "math-roman"}"${empty}>`;
      style = variant;
      return `<${name}${rest}${empty}>`;
    },
  );
}

/** Replaces accents by spacing characters: ASCII ones would be too low, and combining ones would join the letter. */
const withAccents = (mathml: string): string =>
  mathml.replace(
    /<mo([^>]*)>(\^|~|\u20d7)<\/mo><\/mover>/g,
    (_, attributes, char) => `<mo${attributes}>${accents[char]}</mo></mover>`,
  );
const accents: Readonly<Record<string, string>> = { "^": "ˆ", "~": "˜", "\u20d7": "→" };

const leaves: ReadonlySet<string> = new Set(["mi", "mn", "mo", "mtext"]);

/** Styles of words are classes, so that words can be searched and read aloud; symbols become other characters. */
const textStyles: Readonly<Record<string, string>> = {
  bold: "math-bold",
  italic: "math-italic",
  "bold-italic": "math-bold math-italic",
  monospace: "math-mono",
  "sans-serif": "math-sans",
  "bold-sans-serif": "math-sans math-bold",
  "sans-serif-italic": "math-sans math-italic",
};

/** Entities are left as they are. */
const styledText = (text: string, style: string): string =>
  text.replace(/&[^;]+;|[^&]+/g, (part) => (part.startsWith("&") ? part : inMathStyle(part, style)));

interface Table {
  readonly classNames: readonly string[];
  readonly aligns: readonly string[];
  readonly columnLines: readonly string[];
  readonly rowLines: readonly string[];
  row: number;
  column: number;
}

function tableOf(attributes: string): Table {
  const list = (name: string): string[] => attribute(attributes, name)?.split(" ") ?? [];
  const spacing = list("columnspacing");
  const names = [
    attribute(attributes, "width") === "100%" ? "math-tagged" : "",
    spacing.length > 0 && spacing.every((width) => Number.parseFloat(width) === 0) ? "math-joined" : "",
    Number.parseFloat(list("rowspacing")[0] ?? "0") > 0.2 ? "math-open" : "",
  ];
  return {
    classNames: names.filter((name) => name !== ""),
    aligns: list("columnalign"),
    columnLines: list("columnlines"),
    rowLines: list("rowlines"),
    row: -1,
    column: -1,
  };
}

function rowClasses(table: Table | undefined): string[] {
  if (!table) return [];
  table.row += 1;
  table.column = -1;
  return lineClasses(table.rowLines[table.row - 1], "math-line-above");
}

function cellClasses(table: Table | undefined, attributes: string): string[] {
  if (!table) return [];
  table.column += 1;
  // The last alignment applies to all further columns.
  const align = table.aligns[Math.min(table.column, table.aligns.length - 1)];
  return [
    ...(align === "left" || align === "right" ? [`math-${align}`] : []),
    ...lineClasses(table.column === 0 ? undefined : table.columnLines[table.column - 1], "math-line-before"),
    ...(attribute(attributes, "width") === "50%" ? ["math-filler"] : []),
  ];
}

const lineClasses = (line: string | undefined, name: string): string[] =>
  line === "solid" ? [name] : line === "dashed" ? [name, "math-dashed"] : [];

const enclosures = (notation = ""): string[] =>
  notation
    .split(" ")
    .filter((name) => /^[a-z]+$/.test(name))
    .map((name) => `math-around-${name}`);

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];

const open = (name: string, classNames: readonly string[]): string =>
  classNames.length === 0 ? `<${name}>` : `<${name} class="${classNames.join(" ")}">`;

/**
 * The letters of a mathematical style. MathML Core has no `mathvariant`; a bold x is a separate character. An alphabet
 * has the start of its letters in Unicode's block, where small letters follow 26 capitals, and its letters in other
 * blocks.
 */
interface Alphabet {
  readonly upper: number;
  readonly digits?: number;
  readonly greek?: number;
  readonly elsewhere?: Readonly<Record<string, string>>;
}

const alphabets: Readonly<Record<string, Alphabet>> = {
  bold: { upper: 0x1d400, digits: 0x1d7ce, greek: 0x1d6a8 },
  italic: { upper: 0x1d434, greek: 0x1d6e2, elsewhere: { h: "ℎ" } },
  "bold-italic": { upper: 0x1d468, greek: 0x1d71c },
  "double-struck": {
    upper: 0x1d538,
    digits: 0x1d7d8,
    elsewhere: { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" },
  },
  script: {
    upper: 0x1d49c,
    elsewhere: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" },
  },
  "bold-script": { upper: 0x1d4d0 },
  fraktur: { upper: 0x1d504, elsewhere: { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" } },
  "bold-fraktur": { upper: 0x1d56c },
  "sans-serif": { upper: 0x1d5a0, digits: 0x1d7e2 },
  "bold-sans-serif": { upper: 0x1d5d4, digits: 0x1d7ec },
  "sans-serif-italic": { upper: 0x1d608 },
  monospace: { upper: 0x1d670, digits: 0x1d7f6 },
};

/** The text in a style of MathML's `mathvariant`. Characters without such a form are unchanged. */
function inMathStyle(text: string, style: string): string {
  const alphabet = alphabets[style];
  return alphabet ? Array.from(text, (char) => styled(char, alphabet)).join("") : text;
}

function styled(char: string, alphabet: Alphabet): string {
  const special = alphabet.elsewhere?.[char];
  if (special) return special;
  const code = char.codePointAt(0)!;
  const from = (base: number | undefined, first: number, last: number): string | undefined =>
    base !== undefined && code >= first && code <= last ? String.fromCodePoint(base + code - first) : undefined;
  const { upper, digits, greek } = alphabet;
  return (
    from(upper, 0x41, 0x5a) ??
    from(upper + 26, 0x61, 0x7a) ??
    from(digits, 0x30, 0x39) ??
    from(greek, 0x391, 0x3a9) ??
    from(greek && greek + 26, 0x3b1, 0x3c9) ??
    char
  );
}
