import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packSdk } from "../../scripts/package/sdk.ts";
import { listFences } from "../docs/support/pages.ts";
import { serveArticle, startOrigin } from "../support/servers/origin.ts";
import { startTestService } from "../support/service.ts";
import { installTarballs, runOrThrow } from "./support/tools.ts";

const ROOT = join(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "sdk/README.md"), "utf8");
const INSTALL_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), "tessera-sdk-readme-"));

beforeAll(() => installTarballs(folder, packSdk(ROOT, folder)), INSTALL_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the examples take from the program around them. The followed board is aborted after its first revision, the feed after its first page. */
const PREAMBLE = `
const lastRun = new Date(0), lastToken = null, question = "What is 42 metres high?";
const edit = (text: string | null): string => \`\${text ?? ""} Edited.\`;
const controller = new AbortController(), following = new AbortController(), { signal } = following;
const readAgain = (zones: number, content: number): void => following.abort(\`seen \${zones} \${content}\`);
const load = async (): Promise<string | null> => null, removed: string[] = [];
const remove = async (id: string): Promise<void> => void removed.push(id);
const save = (cursor: string): never => { throw \`followed to a cursor of \${typeof cursor}, removed \${removed.length}\`; };
`;

/** The examples that need nothing but an API key, in their order, as one program. */
function buildProgram(baseUrl: string): string {
  const examples = listFences(README)
    .filter(({ language, code }) => language === "ts" && !/express|createClient\(\{ baseUrl: ""/.test(code))
    .map(({ code }) =>
      /boards\.follow|changes\.follow/.test(code) ? `try {\n${code}} catch (reason) {\n  console.log(reason);\n}\n` : code,
    );
  expect(examples).toHaveLength(10);
  const code = examples.join("\n").replace("https://boards.example.com", baseUrl).replace("zones.delete(zoneId)", "zones.delete(zone.id)");
  const imports = [...code.matchAll(/^import \{ (.+) \} from "@tessera-board\/sdk";$/gm)].map(([, names]) => names);
  return `import { ${imports.join(", ")} } from "@tessera-board/sdk";
${PREAMBLE}
async function main() {
${code.replaceAll(/^import .+\n/gm, "").replaceAll(/\bboard(?=\.id)/g, "board!")}
}
await main();
`;
}

test("the examples of the README compile and run", { timeout: INSTALL_MS }, async () => {
  const origin = await startOrigin(serveArticle);
  const service = await startTestService({ FETCH_ALLOW: `127.0.0.1:${origin.port}`, FETCH_ROUTES: `https://example.com=${origin.url}` });
  try {
    writeFileSync(join(folder, "program.ts"), buildProgram(service.url));
    const compilerOptions = { module: "nodenext", target: "es2022", strict: true, noEmit: true, types: ["node"] };
    const typeRoots = [join(ROOT, "node_modules/@types")];
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...compilerOptions, typeRoots }, files: ["program.ts"] }),
    );
    await runOrThrow(process.execPath, [join(ROOT, "node_modules/.bin/tsc"), "-p", folder], { cwd: folder });

    const { key } = await service.newKey({ webhooks: true });
    const { json } = await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "Deleted." } });
    await service.call("DELETE", `/api/board/tiles/${json.tile.id}`);
    const printed = await runOrThrow(process.execPath, ["program.ts"], { cwd: folder, env: { TESSERA_KEY: key } });
    expect(printed).toContain("built in 1887");
    expect(printed).toContain("42 metres");
    expect(printed).toContain("The northern lighthouse");
    expect(printed).toMatch(/^seen \d+ \d+$/m);
    expect(printed).toMatch(/^followed to a cursor of string, removed 1$/m);
  } finally {
    await service.stop();
    await origin.close();
  }
});
