import { describe, expect, test } from "vitest";
import { isSvgText, mediaTypeOf } from "../../src/lib/media-type.js";

const cases = [
  // first bytes                                       type
  ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"],
  ["\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"],
  ["GIF89a", "image/gif"],
  ["RIFF\x24\0\0\0WEBPVP8 ", "image/webp"],
  ["\0\0\0\x20ftypavif", "image/avif"],
  ["BM\x36\0\0\0\0\0\0\0", "image/bmp"],
  ["\0\0\x01\0\x01\0", "image/x-icon"],
  ["wOF2\0\x01\0\0", "font/woff2"],
  ["wOFF\0\x01\0\0", "font/woff"],
  ["OTTO\0\x0b", "font/otf"],
  ["\0\x01\0\0\0\x0c", "font/ttf"],
  [`${"\0".repeat(8)}\x02\0\x02\0${"\0".repeat(22)}LP`, "font/eot"],
  ["\0\0\0\x20ftypisom", "video/mp4"],
  ["\0\0\0\x14ftypqt  ", "video/quicktime"],
  ["\0\0\0\x20ftypM4A ", "audio/mp4"],
  ["\x1aE\xdf\xa3\x01", "video/webm"],
  ["OggS\0\x02", "video/ogg"],
  ["ID3\x04", "audio/mpeg"],
  ["\xff\xfb\x90", "audio/mpeg"],
  ["RIFF\x24\0\0\0WAVEfmt ", "audio/wav"],
  ["fLaC\0", "audio/flac"],
  ["\xef\xbb\xbfWEBVTT\n", "text/vtt"],
  ["<!doctype html><html>", undefined],
  ["<svg xmlns='http://www.w3.org/2000/svg'/>", undefined],
  ["%PDF-1.7", undefined],
  ["\x7fELF", undefined],
  ["PK\x03\x04", undefined],
  ["\xff\xfeW\0E\0", undefined],
  ["", undefined],
] as const;
describe("the type of a file that begins with", () => {
  for (const [head, type] of cases)
    test(`${JSON.stringify(head).slice(0, 40)} is ${type}`, () =>
      expect(mediaTypeOf(Buffer.from(head, "latin1"))?.type).toBe(type));
});

const texts = [
  ["<svg/>", true],
  ["\ufeff <?xml version='1.0'?>\n<!-- made by hand -->\n<svg viewBox='0 0 1 1'>", true],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [<!ENTITY a "b>c">]><svg>', true],
  ["<svg:svg xmlns:svg='x'>", true],
  ["<!doctype html><svg></svg>", true],
  ["<!doctype html><html><svg></svg>", false],
  ["<html><body><svg>", false],
  ["<svgx>", false],
  ["text <svg>", false],
  [`${"<!--".repeat(20_000)}`, false],
] as const;
describe("the text of a drawing", () => {
  for (const [text, isSvg] of texts)
    test(`${text.slice(0, 40)} is ${isSvg ? "one" : "none"}`, () => expect(isSvgText(text)).toBe(isSvg));
});
