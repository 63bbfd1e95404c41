import { wireOffPaper } from "../off-paper.js";

/** The button that prints the document of a section. The document needs no other script, since nothing in it is collapsed. */
const button = document.getElementById("print");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
wireOffPaper();
