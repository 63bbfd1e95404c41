/**
 * In:  the text of Mermaid diagrams.
 * Out: each as an SVG with a style sheet of its own, in colours that follow the theme; what cannot be drawn as text.
 *
 * The main thread draws, in one process set apart (`createDiagramDrawer`); page threads ask it (`createDiagramClient`).
 */
export { createDiagramClient } from "./diagram-client.js";
export { createDiagramDrawer, type DiagramDrawer, type DrawnDiagram } from "./diagram-drawer.js";
