export type Step =
  | readonly [action: "click" | "hover", selector: string]
  | readonly [action: "fill" | "press" | "select", selector: string, value: string];

export interface Case {
  /** Steps of a reader, in the section. The expected file has the section after each. */
  readonly steps?: readonly Step[];
  /** Rendered in the browser only, for this reason. */
  readonly clientOnly?: "throws" | "window" | "clock" | "random" | "locale";
  /** An effect changes it after loading. */
  readonly changes?: true;
  /** Computed styles after loading and all steps: selector, property, value. */
  readonly styles?: readonly (readonly [selector: string, property: string, value: string])[];
  /** The page refuses or reports something on purpose in these steps. */
  readonly refused?: true;
}

/** By page and id of the heading. A section that is not listed is static: no script, no island. */
export const cases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  index: {},
  "guides/install": {
    systems: {
      steps: [
        ["click", "[role=tab]:nth-child(2)"],
        ["press", "[role=tab]:nth-child(2)", "ArrowRight"],
        ["click", "[role=tab]:nth-child(1)"],
      ],
    },
    copy: {
      steps: [["click", "button:has-text('tideline read')"]],
      styles: [["button:has-text('tideline read')", "padding-left", "12px"]],
    },
    command: {
      steps: [
        ["select", "select", "lock"],
        ["fill", "input[type=number]", "30"],
        ["click", "input[type=checkbox]"],
      ],
    },
    account: { changes: true, steps: [["click", "button:has-text('Use my gauge')"]] },
    guide: {
      steps: [
        ["click", "button:has-text('Next')"],
        ["click", "button:has-text('Next')"],
        ["click", "button:has-text('Back')"],
      ],
    },
  },
  "guides/configure": {
    editor: {
      steps: [
        ["click", "button:has-text('Add')"],
        ["click", "input[value=ft]"],
        ["click", "button:has-text('Add')"],
        ["click", "[aria-label='Remove 3']"],
      ],
    },
    context: {
      steps: [
        ["click", "button"],
        ["click", "button"],
      ],
    },
    "context-of-content": {
      steps: [
        ["click", "button"],
        ["click", "button"],
      ],
    },
    toggles: {
      steps: [
        ["click", "button:has-text('Radar')"],
        ["click", "button:has-text('Float')"],
      ],
    },
    "from-a-snippet": { steps: [["click", "button"]] },
    questions: {
      steps: [
        ["click", "button:has-text('Where')"],
        ["click", "button:has-text('again')"],
      ],
    },
  },
  "guides/learn": {
    quiz: {
      steps: [
        ["click", "button:has-text('noon')"],
        ["click", ".quiz-again"],
        ["click", "button:has-text('moon')"],
      ],
    },
    "multiple-choice": {
      steps: [
        ["click", "label:has-text('Moon') input"],
        ["click", "label:has-text('Clock') input"],
        ["click", "button[type=submit]"],
      ],
    },
    cards: {
      steps: [
        ["press", ".flash-cards", "Enter"],
        ["press", ".flash-cards", "ArrowRight"],
        ["press", ".flash-cards", "ArrowLeft"],
      ],
    },
    checklist: {
      steps: [
        ["click", "label:has-text('Mount') input"],
        ["click", "label:has-text('Read') input"],
        ["click", "label:has-text('Mount') input"],
      ],
      styles: [
        ["label:has-text('Mount')", "text-decoration-line", "none"],
        ["label:has-text('Read')", "text-decoration-line", "line-through"],
        ["label:has-text('Read')", "display", "block"],
      ],
    },
    rating: { steps: [["click", "[role=radio]:nth-child(4)"]] },
    counter: {
      steps: [
        ["click", "[aria-label='One more']"],
        ["click", "[aria-label='One fewer']"],
        ["click", "[aria-label='One fewer']"],
      ],
    },
    "page-handlers": {
      steps: [
        ["click", "button"],
        ["fill", "input", "tides"],
      ],
    },
  },
  "guides/calculate": {
    price: {
      steps: [
        ["fill", "input", "50"],
        ["click", "button"],
        ["fill", "input", "150"],
      ],
      styles: [
        ["strong", "font-size", "24px"],
        ["strong", "opacity", "0.7"],
        [".price", "flex-direction", "column"],
        [".price", "row-gap", "8px"],
      ],
    },
    units: {
      steps: [
        ["fill", "[data-unit=ft]", "10"],
        ["fill", "[data-unit=m]", "2"],
      ],
    },
    json: {
      steps: [
        ["fill", "textarea", '{"a": 1, "b": 2'],
        ["fill", "textarea", '{"a": 1, "b": 2}'],
      ],
    },
    encode: { steps: [["fill", "input", "Ebbe"]] },
    alarm: {
      steps: [
        ["click", "button"],
        ["fill", "input", "reader@example.com"],
        ["press", "input", "Enter"],
        ["click", "button"],
      ],
    },
    colour: {
      steps: [
        ["fill", "[name=red]", "255"],
        ["fill", "[name=blue]", "0"],
      ],
      styles: [
        [".colour-mixer > div", "background-color", "rgb(255, 111, 0)"],
        [".colour-mixer > div", "--mixed", "#ff6f00"],
        [".colour-mixer > div", "width", "96px"],
        ["label:has([name=green])", "color", "rgb(0, 128, 0)"],
      ],
    },
    name: { steps: [["fill", "input", " North Quay 2 "]] },
  },
  "guides/charts": {
    line: {
      steps: [
        ["hover", "circle:nth-of-type(2)"],
        ["click", "circle:nth-of-type(4)"],
      ],
    },
    wave: { changes: true, steps: [["click", "button"]] },
    shares: {
      steps: [["click", "li:nth-child(2)"]],
      styles: [
        ["li:nth-child(1)", "font-weight", "400"],
        ["li:nth-child(2)", "font-weight", "700"],
        [".donut", "display", "flex"],
      ],
    },
    weather: {
      steps: [["click", "button"]],
      styles: [[".theme-preview", "background-color", "rgb(38, 50, 56)"]],
    },
  },
  "reference/catalogue": {
    filter: {
      steps: [
        ["fill", "input", "i"],
        ["fill", "input", "xyz"],
        ["fill", "input", ""],
      ],
    },
    tags: {
      steps: [
        ["click", "button:has-text('solar')"],
        ["click", "button:has-text('float')"],
        ["click", "button:has-text('solar')"],
      ],
      styles: [["button:has-text('float')", "background-color", "rgb(14, 111, 142)"]],
    },
    order: {
      steps: [
        ["click", "button:has-text('name')"],
        ["click", "button:has-text('name')"],
        ["click", "button:has-text('depth')"],
      ],
    },
    pages: {
      steps: [
        ["click", "button:has-text('3')"],
        ["click", "button:has-text('2')"],
      ],
    },
    api: { steps: [["select", "select", "python"]] },
  },
  "reference/browser": {
    seen: { changes: true },
    observed: { changes: true, steps: [["click", "button"]] },
    width: { changes: true },
    "at-once": { clientOnly: "window" },
    "if-any": { changes: true },
    year: { clientOnly: "clock" },
    clock: { changes: true },
    random: { clientOnly: "random", steps: [["click", "button"]] },
    number: { clientOnly: "locale" },
    status: { refused: true, steps: [["click", "button"]] },
    map: { refused: true, steps: [["click", "button"]] },
    "raw-note": {
      steps: [
        ["click", "button"],
        ["click", "button"],
      ],
    },
    shortcuts: { steps: [["press", "body", "h"]] },
    connections: { steps: [["click", "p:has-text('Radar') input"]] },
  },
  "reference/slots": {
    reveal: {
      steps: [
        ["click", ".reveal > button"],
        ["click", ".reveal > button"],
        ["click", ".reveal > button"],
      ],
    },
    move: {
      steps: [
        ["click", "button"],
        ["click", "button"],
      ],
    },
    picker: {
      steps: [
        ["click", "button:has-text('River')"],
        ["click", "button:has-text('Sea')"],
      ],
    },
    nested: {
      steps: [
        ["click", ".reveal > button"],
        ["click", "[aria-label='One more']"],
        ["click", ".tally > button"],
      ],
    },
    "in-card": { steps: [["click", "[aria-label='One more']"]] },
    "in-tabs": { steps: [["click", "button:has-text('A small one')"]] },
    "in-steps": { steps: [["click", "[aria-label='One more']"]] },
    "in-accordion": {},
    "around-the-rest": {
      steps: [
        ["click", "label:has-text('dark') input"],
        ["click", "label:has-text('wide') input"],
      ],
    },
    "in-list": { steps: [["click", "[aria-label='One more']"]] },
  },
  "reference/faults": {
    render: { clientOnly: "throws", refused: true },
    effect: { refused: true },
    handler: {
      refused: true,
      steps: [
        ["click", "button"],
        ["click", "button"],
      ],
    },
    boundary: { refused: true, steps: [["click", "button"]] },
    sound: { steps: [["click", "[aria-label='One more']"]] },
  },
};
