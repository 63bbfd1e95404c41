/** Renders all shapes in a process of its own, and prints the replies as JSON. */

import { shapes } from "./shapes.js";
import { rendererOf, requestOf } from "./site-of-islands.js";

const renderer = rendererOf();
const replies = await Promise.all(shapes.map(([, , tag, code]) => renderer.render(requestOf([tag], code))));
await renderer.close();
process.stdout.write(JSON.stringify(replies));
