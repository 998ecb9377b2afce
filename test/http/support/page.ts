import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bundle } from "../../../scripts/build-web.ts";

export const INDEX = '<!doctype html><title>The page</title><script type="module" src="/assets/main-a1.js"></script>';
export const SCRIPT = "export const words = 'the same words again and again';\n".repeat(50);

/** Source files of a page in a temporary folder, with the layout of the repository. */
export function makeSources(): { readonly root: string; readonly dist: string; write(path: string, text: string): void; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "tessera-web-"));
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write("web/src/main.tsx", "one");
  write("sdk/src/index.ts", "two");
  write("package-lock.json", "three");
  return { root, dist: join(root, "web/dist"), write, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export const bundle: Bundle = async (web, target) => {
  mkdirSync(join(target, "assets"), { recursive: true });
  writeFileSync(join(target, "index.html"), INDEX);
  writeFileSync(join(target, "icon.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
  writeFileSync(join(target, "assets/main-a1.js"), SCRIPT + readFileSync(join(web, "src/main.tsx"), "utf8"));
  writeFileSync(join(target, "assets/dot-b2.png"), Buffer.from([137, 80, 78, 71]));
};
