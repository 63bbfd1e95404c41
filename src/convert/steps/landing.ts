/** The start page that VitePress and Starlight make from front matter: a hero with buttons, and features. */
import { type Data, dataOf, listOf, textOf } from "../data.js";
import { type Line, made, type PageText } from "../page-text.js";
import { attribute } from "./blocks.js";

const safe = (text: string | undefined): string => (text ?? "").replace(/[<{]/g, "\\$&");

export function landingPage(frontmatter: Data): PageText {
  const hero = dataOf(frontmatter["hero"]);
  const cards = [
    ...listOf(hero["actions"]).map((action) => {
      const { text, link } = dataOf(action);
      return `<Card${attribute("title", textOf(text))}${attribute("href", textOf(link))} horizontal />`;
    }),
  ];
  const features = listOf(frontmatter["features"]).map((feature) => {
    const { title, details, link } = dataOf(feature);
    return `<Card${attribute("title", textOf(title))}${attribute("href", textOf(link))}>${safe(textOf(details))}</Card>`;
  });
  const group = (items: readonly string[]): string[] =>
    items.length === 0 ? [] : ["<CardGroup cols={2}>", ...items, "</CardGroup>", ""];
  const image = textOf(dataOf(hero["image"])["src"]) ?? textOf(dataOf(hero["image"])["file"]);
  const lines = [
    ...(image === undefined
      ? []
      : [
          `<img${attribute("src", image)}${attribute("alt", textOf(dataOf(hero["image"])["alt"])) || ' alt=""'} />`,
          "",
        ]),
    ...group(cards),
    ...group(features),
  ];
  return lines.map((text): Line => made(text, 1));
}

/** Title and description of such a page. */
export function landingHead(frontmatter: Data): Data {
  const hero = dataOf(frontmatter["hero"]);
  return {
    title: textOf(frontmatter["title"]) ?? textOf(hero["title"]) ?? textOf(hero["name"]),
    description:
      textOf(frontmatter["description"]) ??
      ([textOf(hero["text"]), textOf(hero["tagline"])].filter(Boolean).join(". ") || undefined),
  };
}
