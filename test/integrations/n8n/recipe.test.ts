import { expect, test } from "vitest";
import { buildRecipes } from "../../../web/src/settings/recipes/recipes.ts";
import { useTestService } from "../../support/service.ts";
import { useN8n } from "./support/host.ts";
import { executeOne } from "./support/run.ts";

const host = useN8n();
const service = useTestService({ FETCH_ROUTES: "https://example.com=http://127.0.0.1:9", INGEST_ATTEMPTS: "1" });

/** The nodes that the recipe for n8n has to paste. */
const listPasted = (): any[] => {
  const recipe = buildRecipes({ base: service.url, boardId: service.boardId }).find(({ id }) => id === "n8n")!;
  return [...recipe.send, ...recipe.verify].flatMap(({ code }) => (code?.startsWith("{") ? JSON.parse(code).nodes : []));
};
const credentials = () => ({ baseUrl: service.url, apiKey: service.key });

test("the nodes of the recipe are those of the package, and miss no field", () => {
  for (const { type, parameters } of listPasted()) {
    const name = type.endsWith("Trigger") ? "TesseraTrigger" : "Tessera";
    const { description } = host.nodes[name];
    expect(type).toBe(`@tessera-board/n8n-nodes-tessera.${description.name}`);
    const node = host.open(name, { parameters, ...credentials() }).workflow.getNode(name);
    expect(host.n8n.NodeHelpers.getNodeParametersIssues(description.properties, node, description)).toBeNull();
  }
});

test("the pasted node adds the link of its input to the board", async () => {
  const [{ parameters }] = listPasted();
  const [tile] = await executeOne(host, { parameters, ...credentials() }, { url: "https://example.com/article" });
  expect(tile).toMatchObject({ boardId: service.boardId, sourceUrl: "https://example.com/article", created: true });
});
