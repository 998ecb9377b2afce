import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { FEED_EVENTS } from "#domain/events/event.ts";
import { runOrThrow, runProgram } from "../../package/support/tools.ts";
import { useN8n } from "./support/host.ts";

const host = useN8n();
let manifest: any;
beforeAll(() => {
  manifest = JSON.parse(readFileSync(join(host.folder, "package.json"), "utf8"));
});

test("n8n's own rules for community nodes find nothing, not even a warning", async () => {
  const args = ["run", "--silent", "lint", "--", "--format=json"];
  // With NODE_ENV=test, n8n's plug-in takes every file for one of its own tests.
  const { stdout } = await runProgram("npm", args, { cwd: host.folder, env: { NODE_ENV: undefined } });
  const results = JSON.parse(stdout) as { readonly filePath: string; readonly messages: readonly object[] }[];
  expect(results.length).toBeGreaterThan(30);
  expect(results.flatMap(({ filePath, messages }) => messages.map((message) => ({ filePath, ...message })))).toEqual([]);
});

test("the package has no run-time dependencies and uses nothing of the machine", () => {
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.scripts).not.toHaveProperty("postinstall");
  for (const file of globSync("dist/**/*.js", { cwd: host.folder })) {
    const code = readFileSync(join(host.folder, file), "utf8");
    const imported = [...code.matchAll(/require\("([^"]+)"\)/g)].map(([, name = ""]) => name).filter((name) => !name.startsWith("."));
    expect(imported.filter((name) => !["n8n-workflow", "node:crypto"].includes(name))).toEqual([]);
    expect(code).not.toMatch(/\bprocess\.|\bglobalThis\b|__dirname/);
  }
});

test("the tarball has the compiled nodes, their icons and descriptions, and no sources", async () => {
  const [{ files }] = JSON.parse(await runOrThrow("npm", ["pack", "--dry-run", "--json"], { cwd: host.folder }));
  const paths = files.map(({ path }: { path: string }) => path);
  const icons = ["dist/icons/tessera.svg", "dist/icons/tessera.dark.svg"];
  const codex = ["dist/nodes/Tessera/Tessera.node.json", "dist/nodes/TesseraTrigger/TesseraTrigger.node.json"];
  expect(paths).toEqual(
    expect.arrayContaining([...manifest.n8n.nodes, ...manifest.n8n.credentials, ...icons, ...codex, "README.md", "LICENSE"]),
  );
  expect(paths.filter((path: string) => path.endsWith(".ts"))).toEqual([]);
});

test("the trigger offers the events that the server sends", () => {
  const { properties } = host.nodes.TesseraTrigger.description;
  const { options } = properties.find(({ name }: { name: string }) => name === "events");
  const offered = options.map(({ value }: { value: string }) => value);
  expect(offered.toSorted()).toEqual(FEED_EVENTS.filter((event) => event !== "source.failing").toSorted());
});

test("icons that the nodes and the credential name exist", () => {
  const places = [
    [host.nodes.Tessera.description.icon, "dist/nodes/Tessera"],
    [host.nodes.TesseraTrigger.description.icon, "dist/nodes/TesseraTrigger"],
    [host.credential.icon, "dist/credentials"],
  ] as const;
  for (const [icon, folder] of places)
    for (const path of [icon.light, icon.dark])
      expect(readFileSync(join(host.folder, folder, path.replace("file:", "")), "utf8")).toContain("<svg");
});

describe("descriptions", () => {
  test("the node is a tool for agents, and the trigger is not", () => {
    expect(host.nodes.Tessera.description.usableAsTool).toBe(true);
    expect(host.nodes.TesseraTrigger.description).not.toHaveProperty("usableAsTool");
  });

  test("every operation has a name for the panel of nodes, and every list a method", () => {
    const { properties } = host.nodes.Tessera.description;
    const operations = properties.filter(({ name }: any) => name === "operation").flatMap(({ options }: any) => options);
    expect(operations.map(({ action }: any) => action).filter((action: unknown) => typeof action !== "string")).toEqual([]);
    for (const type of [host.nodes.Tessera, host.nodes.TesseraTrigger]) {
      const text = JSON.stringify(type.description.properties);
      const named = [...text.matchAll(/"(?:searchListMethod|loadOptionsMethod)":"(\w+)"/g)].map(([, name = ""]) => name);
      expect(named.length).toBeGreaterThan(0);
      const methods = { ...type.methods.listSearch, ...type.methods.loadOptions };
      expect(named.filter((name) => !(name in methods))).toEqual([]);
    }
  });

  test("n8n finds no missing fields in a node that is filled in", () => {
    const { n8n, nodes } = host;
    const parameters = {
      resource: "tile",
      operation: "create",
      board: { __rl: true, mode: "id", value: "brd_1" },
      url: "https://example.com",
    };
    const { workflow } = host.open("Tessera", { parameters, baseUrl: "", apiKey: "" });
    const node = workflow.getNode("Tessera");
    expect(n8n.NodeHelpers.getNodeParametersIssues(nodes.Tessera.description.properties, node, nodes.Tessera.description)).toBeNull();
    node.parameters.url = "";
    const issues = n8n.NodeHelpers.getNodeParametersIssues(nodes.Tessera.description.properties, node, nodes.Tessera.description);
    expect(issues).toEqual({ parameters: { url: ['Parameter "URL" is required.'] } });
  });
});
