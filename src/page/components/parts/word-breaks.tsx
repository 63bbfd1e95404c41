/** A line may break after a sign that ends a word, and before a capital within one. */
export const withBreaks = (text: string) =>
  text
    .split(/(?<=\w[-_.~:,;=&?+@])(?=\w)|(?<=[a-z])(?=[A-Z][a-z])/)
    .flatMap((part, i) => (i === 0 ? [part] : [<wbr />, part]));
