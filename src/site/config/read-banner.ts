import { partDefaults } from "./defaults.js";
import { described, schemaOf } from "./described.js";
import { locationOf, memberOf } from "./json-value.js";
import { flag, object, oneOf, type Reader, text } from "./readers.js";
import type { Banner } from "./site-config.js";
import { colorPair } from "./values.js";

const bannerFields = object(
  { content: text, dismissible: flag, type: oneOf(["info", "warning", "critical"]), color: colorPair },
  { required: ["content"] },
);

export const banner = described<Reader<Banner>>(
  (value, report) => {
    const read = bannerFields(value, report);
    if (read === undefined || value.kind !== "object") return undefined;
    return { ...partDefaults.banner, ...read, location: locationOf(memberOf(value, "content") ?? value) };
  },
  () => schemaOf(bannerFields),
);
