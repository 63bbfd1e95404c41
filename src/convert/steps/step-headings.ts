import { block, type Line, type PageText } from "../page-text.js";
import { githubSlugs } from "./anchors.js";
import { attribute } from "./blocks.js";
import { plainHeading } from "./title.js";

/** A title, with the anchor that the heading had. */
export const stepAttributes = (heading: string): string => {
  const plain = plainHeading(heading.replace(attributeList, ""));
  const id = /\{[^{}]*?#([\w-]+)[^{}]*\}$/.exec(heading)?.[1];
  return `${attribute("title", plain)}${attribute("id", id ?? githubSlugs.slug(plain))}`;
};

/** `{#id .class key="value"}` at the end of a heading. */
const attributeList = /\s*\{[^{}]{1,300}\}$/;

/** Headings in `<Steps>` without `<Step>` begin a step each; in a `<Step>`, the first heading is its title. */
export function stepHeadings(lines: PageText): PageText {
  const out: Line[] = [];
  let inSteps = 0;
  let isOpen = false;
  let step = -1;
  let isInStep = false;
  for (const line of lines) {
    const text = line.text.trim();
    if (line.code || text === "") {
      if (line.code) step = -1;
      out.push(line);
      continue;
    }
    if (/^<Steps[\s>]/.test(text)) inSteps++;
    if (/^<\/?Step[\s>]/.test(text)) isInStep = !text.startsWith("</");
    if (/^<Step>$/.test(text)) {
      step = out.length;
      out.push(line);
      continue;
    }
    const heading = /^#{2,6}\s+(.{1,200}?)(?:\s*\[![^\]]*\])?\s*$/.exec(text)?.[1];
    if (step >= 0 && heading !== undefined) {
      const at = out[step]!;
      out[step] = { ...at, text: at.text.replace("<Step>", `<Step${stepAttributes(heading)}>`) };
    } else if (inSteps > 0 && heading !== undefined && !isInStep) {
      out.push(...block([...(isOpen ? ["</Step>"] : []), `<Step${stepAttributes(heading)}>`], line.line));
      isOpen = true;
    } else {
      if (/^<\/Steps>/.test(text)) {
        if (isOpen) out.push(...block(["</Step>"], line.line));
        [isOpen, inSteps] = [false, inSteps - 1];
      }
      out.push(line);
    }
    step = -1;
  }
  return out;
}
