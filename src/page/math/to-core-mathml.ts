import { inMathStyle } from "./alphanumerics.js";

/**
 * Converts KaTeX's MathML 3 to the MathML Core of browsers, which leaves some features to style sheets: alignment and
 * rules of tables, boxes and strokes become classes (see math.css), letter styles become characters.
 */
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

/** Replaces accents by spacing characters: ASCII ones sit too low, and combining ones join the letter. */
const withAccents = (mathml: string): string =>
  mathml.replace(
    /<mo([^>]*)>(\^|~|\u20d7)<\/mo><\/mover>/g,
    (_, attributes, char) => `<mo${attributes}>${accents[char]}</mo></mover>`,
  );
const accents: Readonly<Record<string, string>> = { "^": "ˆ", "~": "˜", "\u20d7": "→" };

const leaves: ReadonlySet<string> = new Set(["mi", "mn", "mo", "mtext"]);

/** Words keep their letters, so that they can be searched and read by screen readers. */
const textStyles: Readonly<Record<string, string>> = {
  bold: "math-bold",
  italic: "math-italic",
  "bold-italic": "math-bold math-italic",
  monospace: "math-mono",
  "sans-serif": "math-sans",
  "bold-sans-serif": "math-sans math-bold",
  "sans-serif-italic": "math-sans math-italic",
};

/** Entities are not letters. */
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

function enclosures(notation = ""): string[] {
  return notation
    .split(" ")
    .filter((name) => /^[a-z]+$/.test(name))
    .map((name) => `math-around-${name}`);
}

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];

const open = (name: string, classNames: readonly string[]): string =>
  classNames.length === 0 ? `<${name}>` : `<${name} class="${classNames.join(" ")}">`;
