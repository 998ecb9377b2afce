import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { NO_LOG } from "#domain/core/log.ts";
import { systemClock } from "#domain/core/system.ts";
import type { Store } from "#domain/store.ts";
import { createProbes } from "#http/public/probes.ts";
import { createServer, type ServerOptions } from "#http/server/server.ts";
import type { WebPage } from "#http/public/web-page.ts";
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

/** Starts a server of this page on a free port. */
export async function serve(page: WebPage, corsOrigins: string[] = []): Promise<{ readonly app: FastifyInstance; readonly url: string }> {
  const store = {} as Store;
  const app = await createServer({
    deps: { clock: systemClock, log: NO_LOG, store, live: { closeAll: () => {} } } as unknown as ServerOptions["deps"],
    routes: [],
    logRequest: () => {},
    probes: createProbes({
      metrics: { observe: () => {}, countError: () => {}, render: async () => ({ contentType: "text/plain", text: "" }) },
      metricsToken: "",
      checkStorage: async () => null,
    }),
    web: page,
    maxBodyBytes: 1_000,
    maxConnections: 100,
    baseUrl: "",
    trustProxy: [],
    corsOrigins,
    onUse: () => {},
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return { app, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` };
}
