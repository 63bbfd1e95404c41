/** The start page that VitePress and Starlight make from front matter: a hero with buttons, and features. */
import { asData, asList, asText, type Data } from "../data.js";
import { generated, type PageText } from "../page-text.js";
import { attribute, escapeMdx } from "./blocks.js";

export function landingPage(frontmatter: Data): PageText {
  const hero = asData(frontmatter["hero"]);
  const buttons = asList(hero["actions"]).map((action) => {
    const { text, link } = asData(action);
    // A button with a picture of the old theme has a blank text.
    const title = asText(text)?.trim() || asText(link)?.replace(/^https?:\/\/|[/?#].*$/g, "");
    return `<Card${attribute("title", title)}${attribute("href", asText(link))} horizontal />`;
  });
  const features = asList(frontmatter["features"]).map((feature) => {
    const { title, details, link } = asData(feature);
    return `<Card${attribute("title", asText(title))}${attribute("href", asText(link))}>${escapeMdx(asText(details) ?? "")}</Card>`;
  });
  const group = (items: readonly string[]): string[] =>
    items.length === 0 ? [] : ["<CardGroup cols={2}>", ...items, "</CardGroup>", ""];
  const { src, file, alt } = asData(hero["image"]);
  const address = asText(src) ?? asText(file);
  const image = `<img${attribute("src", address)}${attribute("alt", asText(alt)) || ' alt=""'} />`;
  const lines = [...(address === undefined ? [] : [image, ""]), ...group(buttons), ...group(features)];
  return lines.map((text) => generated(text, 1));
}

/** Title and description of such a page. */
export function landingHead(frontmatter: Data): Data {
  const hero = asData(frontmatter["hero"]);
  return {
    title: asText(frontmatter["title"]) ?? asText(hero["title"]) ?? asText(hero["name"]),
    description:
      asText(frontmatter["description"]) ??
      ([asText(hero["text"]), asText(hero["tagline"])].filter(Boolean).join(". ") || undefined),
  };
}
