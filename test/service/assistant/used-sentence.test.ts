import { expect, test } from "vitest";
import { usedSentence } from "../../../src/service/assistant/reply.js";
import { withinCpu } from "../../support/machine-time.js";

const url = "https://docs.acme.com/boats#winter";
const passage =
  "Every ship gets a mooring. Small boats are lifted out of the water in November. The fee depends on the length of the ship.";

const cases: readonly (readonly [string, string, string, string | undefined])[] = [
  // the sentence …                    answer                                                       passage  sentence
  [
    "before the mark decides",
    `In November, boats leave the water [1](${url}). It costs a fee [2](${url}).`,
    passage,
    "Small boats are lifted out of the water in November.",
  ],
  [
    "may end before the mark",
    `Boats are taken from the water in November. [1](${url})`,
    passage,
    "Small boats are lifted out of the water in November.",
  ],
  [
    "of several marks is the one that they share",
    `- The fee varies. [1](${url})\n- Its length decides on a ship's fee [1](${url}).`,
    passage,
    "The fee depends on the length of the ship.",
  ],
  [
    "is not shown if the answer quotes it",
    `> Small boats are lifted out of the *water* in November. [1](${url})`,
    passage,
    undefined,
  ],
  ["is not chosen by chance", `Nothing is said about submarines [1](${url}).`, passage, undefined],
  ["is none without a mark", "Boats are lifted out of the water in November.", passage, undefined],
  [
    "is plain",
    `Use the harbour announce command first [1](${url}).`,
    "Run `harbour announce` as the [first](/x) **command** of all.",
    "Run harbour announce as the first command of all.",
  ],
  [
    "may be Chinese",
    `冬季需要提前支付停泊费用。[1](${url})`,
    "船只进入之前需要申报。停泊费用在冬季需要提前支付，其他时间不需要。",
    "停泊费用在冬季需要提前支付，其他时间不需要。",
  ],
];
for (const [rule, answer, text, sentence] of cases)
  test(`the sentence ${rule}`, () => expect(usedSentence(answer, "1", text)).toBe(sentence));

test("a long answer and a long passage take little time", () =>
  withinCpu(2000, () => {
    usedSentence(`${"word [[[ ".repeat(50_000)}[1](${url})`.repeat(2), "1", "a sentence ((( ".repeat(50_000));
    usedSentence("[".repeat(100_000), "1", "[".repeat(100_000));
    usedSentence(`${"![a](".repeat(20_000)}[1](`, "1", "![a](".repeat(20_000));
  }));
