import type { Tool } from "../project.js";
import { docusaurus } from "./docusaurus.js";
import { gitbook } from "./gitbook.js";
import { markdown } from "./markdown.js";
import { mkdocs } from "./mkdocs.js";
import { readme } from "./readme.js";
import { starlight } from "./starlight.js";
import { vitepress } from "./vitepress.js";

/** Every tool whose sites can be converted; the first that knows the files is taken, so a folder of Markdown is last. */
export const tools: readonly Tool[] = [docusaurus, vitepress, starlight, mkdocs, gitbook, readme, markdown];
