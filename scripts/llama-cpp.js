// llama.cpp for the tests: the package of a compiled one, which npm cannot take as a dependency since it is for one platform.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

const llamaPackage = "@node-llama-cpp/linux-x64@3.22.1";
const sha512 = "5uCCDNqWCNfaAm8aR/Uzxbo4HBpKgNF91kCHPepKhgMgV2OAmatoefbOlMihsqCiH2Od35E/eUHQCFbfRBJuOg==";
/** Shared by all clones of one user. */
const folder = join(homedir(), ".cache/offprint-tests/llama-cpp-3.22.1");

/** The compiled module. Undefined: there is none for this platform. */
export const llamaAddon =
  process.platform === "linux" && process.arch === "x64" ? join(folder, "bins/linux-x64/llama-addon.node") : undefined;

/** Downloads it by npm and checks it. The folder is complete or missing. */
export function installLlama() {
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(join(dirname(folder), "llama-cpp-"));
  try {
    const npm = process.env["npm_execpath"];
    const words = ["pack", llamaPackage, "--silent", "--pack-destination", work];
    if (npm) execFileSync(process.execPath, [npm, ...words], { stdio: "ignore" });
    else execFileSync("npm", words, { stdio: "ignore" });
    const archive = join(work, readdirSync(work)[0]);
    if (createHash("sha512").update(readFileSync(archive)).digest("base64") !== sha512)
      throw new Error(`${llamaPackage} is not the file that was checked.`);
    execFileSync("tar", ["-xzf", archive, "-C", work]);
    if (!existsSync(folder)) renameSync(join(work, "package"), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
