const opening = "<think>";
const closing = "</think>";

/** Leaves out the thoughts that some models write before their answer, between `<think>` and `</think>`. */
export function createThoughtFilter(): (text: string) => string {
  let held = "";
  let state: "start" | "thinking" | "answer" = "start";
  return (text) => {
    if (state === "answer") return text;
    held += text;
    if (state === "start") {
      const start = held.trimStart();
      if (opening.startsWith(start)) return "";
      state = start.startsWith(opening) ? "thinking" : "answer";
    }
    if (state === "thinking") {
      const end = held.indexOf(closing);
      if (end < 0) {
        held = held.slice(-closing.length);
        return "";
      }
      held = held.slice(end + closing.length).trimStart();
      state = "answer";
    }
    return held;
  };
}
