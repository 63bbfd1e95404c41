/** Fills a `details` element when it is first opened. Returns the function that opens it. */
export function fillOnOpen(details: HTMLDetailsElement, fill: () => void): () => void {
  let isFilled = false;
  const fillOnce = (): void => {
    if (isFilled) return;
    isFilled = true;
    fill();
  };
  details.addEventListener("toggle", () => {
    if (details.open) fillOnce();
  });
  return () => {
    fillOnce();
    details.open = true;
  };
}
