import { type SvgElement, textOfSvg } from "./svg-tree.js";
import { wordsOf } from "./user-colors.js";

/** The label that screen readers read: the diagram's own title, or its kind and its words. */
export function labelOf(read: SvgElement): string {
  const child = (name: string): string | undefined => {
    const found = read.children.find((each) => typeof each !== "string" && each.name === name);
    return found === undefined ? undefined : textOfSvg(found).replace(/\s+/g, " ").trim() || undefined;
  };
  const kind = kinds[read.attributes.get("aria-roledescription") ?? ""] ?? "Diagram";
  const described = [child("title"), child("desc")].filter((text) => text !== undefined);
  if (described.length > 0) return described.join(". ");
  const words = wordsOf(read, 160);
  return words === "" ? kind : `${kind}: ${words}`;
}

const kinds: Readonly<Record<string, string>> = {
  "flowchart-v2": "Flowchart",
  sequence: "Sequence diagram",
  stateDiagram: "State diagram",
  class: "Class diagram",
  classDiagram: "Class diagram",
  er: "Entity relationship diagram",
  gantt: "Gantt chart",
  pie: "Pie chart",
  gitGraph: "Git graph",
  journey: "User journey",
  timeline: "Timeline",
  mindmap: "Mind map",
  quadrantChart: "Quadrant chart",
  xychart: "Chart",
  requirement: "Requirement diagram",
  sankey: "Sankey diagram",
  c4: "C4 diagram",
  kanban: "Kanban board",
  block: "Block diagram",
  packet: "Packet diagram",
  architecture: "Architecture diagram",
  radar: "Radar chart",
  treemap: "Treemap",
};
