/** The documentation does not answer a question below this `coverage`. */
export const gate = 0.5;
