import { fenceOf, type Line, type PageText } from "../page-text.js";

const mark = /^\s*(?:\/\/|#|--|;|\/\*|<!--|\{\/\*)\s*highlight-(next-line|start|end)\s*(?:\*\/\}?|-->)?\s*$/;

/** Comments that mark lines of code become numbers after the fence: ```js {2,4-5}. */
export function highlightComments(lines: PageText): PageText {
  const out: Line[] = [];
  let opening = -1;
  let count = 0;
  let inMarks = false;
  let marked: number[] = [];
  const finish = (): void => {
    const line = out[opening];
    if (line && marked.length > 0 && !/\{[\d,-]+\}/.test(line.text))
      out[opening] = { ...line, text: `${line.text} {${marked.join(",")}}` };
    opening = -1;
  };
  for (const line of lines) {
    if (line.opens || !line.code) finish();
    if (line.opens) {
      [opening, count, marked, inMarks] = [out.length, 0, [], false];
      out.push(line);
      continue;
    }
    const found = line.code && opening !== -1 && line.text.length < 1000 ? mark.exec(line.text)?.[1] : undefined;
    if (found === "next-line") marked.push(count + 1);
    if (found !== undefined && found !== "next-line") inMarks = found === "start";
    if (found !== undefined) continue;
    count++;
    if (inMarks && fenceOf(line.text) === undefined) marked.push(count);
    out.push(line);
  }
  finish();
  return out;
}
