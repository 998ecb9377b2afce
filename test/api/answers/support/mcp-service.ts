import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type McpClient, connectOverHttp } from "../../../support/clients/mcp.ts";
import { type TestService } from "../../../support/service.ts";
import { type TestData, startServiceWithData } from "../../../support/test-data.ts";

export let testData: TestData;
export let service: TestService;
export let writer: McpClient;

/** A client with its own key, closed after the test. */
export async function connectAs(options: Parameters<TestService["newKey"]>[0]): Promise<McpClient> {
  const client = await connectOverHttp(service, (await service.newKey(options)).key);
  onTestFinished(() => client.close());
  return client;
}

/** Registers the hooks that set up and close what the tests of a file share. */
export function useMcpService(): void {
  beforeAll(async () => {
    testData = await startServiceWithData({ CORS_ORIGINS: "https://agent.example", BASE_URL: "https://tessera.example" });
    ({ service } = testData);
    writer = await connectOverHttp(service, service.key);
  });
  afterAll(async () => {
    await writer.close();
    await service.stop();
  });
}
