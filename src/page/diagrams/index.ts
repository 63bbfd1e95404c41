/**
 * In:  the text of Mermaid diagrams.
 * Out: each as an SVG with a style sheet of its own, in colours that follow the theme; the text itself if it cannot be
 *      drawn.
 *
 * The main thread draws in a separate process (`createDiagramRenderer`); page threads send their diagrams to it
 * (`createDiagramClient`).
 */
export { createDiagramClient } from "./diagram-client.js";
export { createDiagramRenderer, type DiagramRenderer, type RenderedDiagram } from "./diagram-renderer.js";
export type { WorkerReply } from "./worker-process.js";
export { createDiagramWorker, type DiagramWorker } from "./worker-process.js";
