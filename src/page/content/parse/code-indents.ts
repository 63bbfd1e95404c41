import type { Code, Root, RootContent } from "mdast";

/** An indented fence. */
const indented = /^ +(?:`{3,}|~{3,})/m;
/** From so many lines, and such a share of them, code is not indented like its fence. */
const fewLines = 2;
const share = 0.2;

/**
 * Of a fence that is indented, CommonMark takes as many spaces from each line of its code. Authors indent fences in tags, and often
 * not their code: nested lines would lose their indentation, and programs in Python their meaning. Such code stays as it is
 * typed, but for what all its lines share. The first line may be alone at the fence, where formatters leave it.
 */
export function keepIndents(tree: Root, source: string): void {
  if (!indented.test(source)) return;
  const pending: (Root | RootContent)[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if ("children" in node) for (const child of node.children) pending.push(child);
    if (node.type !== "code" || node.position === undefined) continue;
    const { start, end } = node.position;
    const before = source.slice(source.lastIndexOf("\n", start.offset! - 1) + 1, start.offset);
    if (before === "" || /[^ ]/.test(before)) continue;
    const typed = source.slice(start.offset, end.offset).split(/\r?\n/).slice(1);
    const lines = typed.slice(0, node.value.split("\n").length);
    const written = lines.filter((line) => line.trim() !== "");
    const near = written.filter((line) => columnOf(line) < before.length);
    if (near.length < Math.max(fewLines, share * written.length)) continue;
    const least = Math.min(...near.map(indentOf));
    if (least > 0 && written.some((line) => line.startsWith("\t"))) continue;
    const isAtFence = indentOf(lines[0]!) >= before.length && written[1] === near[0];
    node.value = lines
      .map((line, at) => line.slice(Math.min(indentOf(line), at === 0 && isAtFence ? before.length : least)))
      .join("\n");
  }
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
/** A tab leads to the next multiple of four. */
const columnOf = (line: string): number =>
  [...line.slice(0, indentOf(line))].reduce((at, sign) => (sign === "\t" ? at - (at % 4) + 4 : at + 1), 0);

/** A fence that closes nothing, since it consists of other signs, or fewer, than the one that opened the block. */
export function wrongFence(node: Code, source: string) {
  if (!/`{3}|~{3}/.test(node.value)) return undefined;
  const start = node.position!.start.offset!;
  const typed = source.slice(start, node.position!.end.offset);
  const fence = /^(?:`{3,}|~{3,})/.exec(typed)?.[0];
  if (fence === undefined || /^(?:md|mdx|markdown)$/i.test(node.lang ?? "")) return undefined;
  const inner = [...typed.matchAll(/\n[ \t]{0,3}(`{3,}|~{3,})[^`\n]*(?=\n|$)/g)].filter(
    ([, signs]) => signs![0] !== fence[0] || signs!.length < fence.length,
  );
  if (inner.length % 2 === 0) return undefined;
  const [line, signs = ""] = inner.at(-1)!;
  return { start, fence, signs, at: start + inner.at(-1)!.index + line.indexOf(signs) };
}
