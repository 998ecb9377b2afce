import { request } from "node:http";
import { expect, test } from "vitest";
import { type Environment, call, makeFolder, startServer, tesseraJson } from "./support/process.ts";
import { until } from "./support/servers.ts";

test("a client that disconnects during an upload is logged, but not as an error", async () => {
  const folder = makeFolder();
  const environment: Environment = { DATA_DIR: folder.dataDir, LOG_LEVEL: "debug" };
  const { key } = await tesseraJson(environment, "key", "create", "--name", "uploads");
  const server = await startServer(environment);
  try {
    const [board] = (await call(server.url, key, "GET", "/api/board/boards")).json.boards;
    const cases = [
      ["files", "multipart/form-data; boundary=x1", '--x1\r\nContent-Disposition: form-data; name="file"; filename="long.txt"\r\n\r\n'],
      ["tiles", "application/json", '{"content":"'],
    ] as const;
    for (const [index, [path, type, start]] of cases.entries()) {
      const sent = request(`${server.url}/api/board/${board.id}/${path}`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": type, "content-length": "5000000" },
      });
      sent.on("error", () => undefined).write(start + "a".repeat(500_000), () => sent.destroy());
      await until("the log line of the request", () => (server.stdout().match(/"status":499/g) ?? []).length === index + 1);
    }
    const { stdout, stderr } = await server.kill("SIGTERM");
    expect([/"level":"?(?:error|50)|"stack"|a request failed/.exec(stdout)?.[0], stderr]).toEqual([undefined, ""]);
  } finally {
    await server.kill("SIGTERM");
    folder.remove();
  }
});
