import { unescapeHtml } from "../../lib/html/escape.js";
import { attribute } from "./blocks.js";
import { iconName } from "./icons.js";

/** Tables of GitBook that it shows as cards: a card for each row. */
export const tableCards = (text: string): string =>
  text.replace(
    /<table([^<>]{0,500}data-view="cards"[^<>]{0,500})>\s*<thead>([\s\S]{0,20000}?)<\/thead>\s*<tbody>([\s\S]{0,50000}?)<\/tbody>\s*<\/table>/g,
    (table, options: string, head: string, body: string) => {
      const columns = [...head.matchAll(/<th(?=[\s>])([^<>]{0,500})>/g)].map(([, column]) => column!);
      const cards = [...body.matchAll(/<tr[^<>]{0,200}>([\s\S]{0,20000}?)<\/tr>/g)].map(([, row]) =>
        cardOf(
          [...row!.matchAll(/<td[^<>]{0,200}>([\s\S]{0,20000}?)<\/td>/g)].map(([, cell]) => cell!.trim()),
          columns,
        ),
      );
      const size = options.includes('data-card-size="large"') ? 2 : 3;
      return cards.length === 0
        ? table
        : `\n<CardGroup cols={${Math.min(size, cards.length)}}>\n${cards.join("\n")}\n</CardGroup>\n`;
    },
  );

/** The first cell with words is the title. Columns say which cells are the target of the card, its picture, or hidden. */
function cardOf(cells: readonly string[], columns: readonly string[]): string {
  const cellOf = (mark: RegExp): string => cells[columns.findIndex((column) => mark.test(column))] ?? "";
  const address = (cell: string): string | undefined =>
    unescapeHtml(/\s(?:href|src)="([^"<>]{1,2000})"/.exec(cell)?.[1] ?? "");
  const shown = cells.filter((_, i) => !/data-hidden|data-card-/.test(columns[i] ?? ""));
  const title = shown.findIndex((cell) => wordsOf(cell) !== "");
  const icon = iconMark.exec(shown.slice(0, title + 1).join(" "))?.[1];
  const rest = shown
    .slice(title + 1)
    .filter((cell) => wordsOf(cell) !== "" || cell.includes("<img"))
    .map((cell) => cell.replace(/<(\/?)h\d[^<>]{0,200}>/g, "<$1strong>"));
  const attributes = [
    attribute("title", wordsOf(shown[title] ?? "")),
    attribute("icon", icon === undefined ? undefined : iconName(icon)),
    attribute("href", address(cellOf(/data-card-target/))),
    attribute("img", address(cellOf(/data-card-cover(?!-)/))),
  ];
  return `<Card${attributes.join("")}>\n\n${rest.join("\n\n")}\n\n</Card>`;
}

const iconMark = /<i class="(fa-[\w -]{1,100})">[^<>]{0,100}<\/i>/;

const wordsOf = (html: string): string =>
  unescapeHtml(html.replace(new RegExp(iconMark, "g"), "").replace(/<[^<>]{0,2000}>/g, ""))
    .replace(/\s+/g, " ")
    .trim();

/** Icons in text: `<i class="fa-rocket">:rocket:</i>`. One that no set has stays. */
export const inlineIcons = (text: string): string =>
  text.replace(new RegExp(iconMark, "g"), (whole, written: string) => {
    const name = iconName(written);
    return name === undefined ? whole : `<Icon icon="${name}" />`;
  });
