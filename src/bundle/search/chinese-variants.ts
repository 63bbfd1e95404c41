import pairs from "./chinese-variants.json" with { type: "json" };

/** Tells whether an index holds Chinese text, from its terms. */
export function createChineseCheck() {
  let han = 0;
  let kana = 0;
  return {
    /** @param count number of entries that contain the term. */
    add(term: string, count: number): void {
      if (term.charCodeAt(0) < firstKana) return;
      if (isKana.test(term)) kana += count;
      else if (isHan.test(term)) han += count;
    },
    /** Japanese text has Chinese characters too, but more kana. */
    get isChinese(): boolean {
      return han > kana;
    },
  };
}

const firstKana = 0x3040;
const isKana = /[\u3041-\u30ff]/;
const isHan = /^\p{Script=Han}+$/u;

/**
 * The common traditional Chinese characters, each followed by its simplified form: those of level 1 of Big5 whose simplified
 * form is in GB 2312, 1890 in all. Made with the transform `Hant-Hans` of ICU 72.
 *
 * Copyright © 1991-2022 Unicode, Inc. Distributed under the Unicode License: https://www.unicode.org/license.txt
 */
export const chineseVariants = pairs.join("");
