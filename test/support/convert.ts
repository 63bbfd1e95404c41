import { convertSite } from "../../src/convert/index.js";
import { temporaryFolder, writeSite } from "./cli.js";

/** Converts files of another tool, by path. The empty docs.json keeps the folder from being taken for one of our own sites. */
export async function convertFiles(files: Readonly<Record<string, string>>) {
  const folder = writeSite(temporaryFolder(), { "docs.json": "{}", ...files });
  const { conversion, refused } = await convertSite(folder, { fallback: "Sample" });
  if (conversion === undefined) throw new Error(refused ?? "The folder has no page.");
  const text = (path: string): string => String(conversion.files.get(path));
  const settings = JSON.parse(text("docs.json")) as Readonly<Record<string, unknown>>;
  return {
    ...conversion,
    text,
    /** A new page, without empty lines. */
    page: (path: string) => text(path).replace(/\n{2,}/g, "\n"),
    settings,
    navigation: settings["navigation"],
    /** `guide.md:3 The link …` */
    noteTexts: conversion.notes.map(({ sourcePath, line, what }) => `${sourcePath}:${line ?? ""} ${what}`),
  };
}
