/**
 * In:  the text of Mermaid diagrams.
 * Out: each as an SVG with a style sheet of its own, in colours that follow the theme; what cannot be drawn as text.
 *
 * The main thread draws, in one process set apart (`createDiagramDrawer`); page threads ask it (`createDiagramClient`).
 */
export { createDiagramClient } from "./diagram-client.js";
export { createDiagramRenderer, type DiagramRenderer, type RenderedDiagram } from "./diagram-renderer.js";
