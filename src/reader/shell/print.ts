import { wireOffPaper } from "../off-paper.js";

/** The button that prints the document of a section. That document needs no other script, since everything in it is open. */
const button = document.getElementById("print");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
wireOffPaper();
