/** The button that prints the document of a section. Only this script runs there: everything in it is open. */
const button = document.getElementById("print");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
