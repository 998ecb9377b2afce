import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";

const ROOT = fileURLToPath(new URL(".", import.meta.url));

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export
export default defineConfig({
  root: ROOT,
  plugins: [react(), tailwindcss(), listLazyFiles()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // The content security policy forbids inline scripts, styles and data.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // For the package of the server, which contains the build.
    license: true,
    chunkSizeWarningLimit: 700,
  },
});

/**
 * Lists in the page the files of each lazily imported module: `<meta name="lazy-files" content='{"src/….tsx": ["/assets/…"]}'>`.
 * `src/ui/lazy/download.ts` downloads them before the import, because browsers remember a failed import for the life of the page.
 */
function listLazyFiles(): Plugin {
  const lazy = new Set<string>();
  return {
    name: "list-lazy-files",
    apply: "build",
    moduleParsed({ dynamicallyImportedIds }) {
      for (const id of dynamicallyImportedIds) lazy.add(id);
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }): HtmlTagDescriptor[] {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
        const collect = (name: string, found = new Set<string>()): Set<string> => {
          const chunk = byName.get(name);
          if (chunk === undefined || found.has(name)) return found;
          found.add(name);
          for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
          for (const imported of chunk.imports) collect(imported, found);
          return found;
        };
        const loaded = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => [...collect(fileName)]));
        const files = Object.fromEntries(
          chunks.flatMap(({ fileName, moduleIds }) => {
            const needed = [...collect(fileName)].filter((name) => !loaded.has(name)).map((name) => `/${name}`);
            return moduleIds.filter((id) => lazy.has(id) && id.startsWith(ROOT)).map((id) => [id.slice(ROOT.length), needed]);
          }),
        );
        return [{ tag: "meta", attrs: { name: "lazy-files", content: JSON.stringify(files) }, injectTo: "head" }];
      },
    },
  };
}
