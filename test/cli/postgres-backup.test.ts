import { expect, test } from "vitest";
import { runCommand } from "../e2e/support/commands.ts";
import { type Environment, call, startServer, tesseraJson } from "../e2e/support/process.ts";
import { emptyDatabase } from "../storage/transfer/databases.ts";
import { newFolder } from "./new-folder.ts";

test("backup and restore on PostgreSQL restore everything into another database, and leave a used one unchanged", async () => {
  const folder = newFolder();
  const [first, second] = [await emptyDatabase(), await emptyDatabase()];
  const common = { DATA_DIR: folder.dataDir, SECRET_KEY: "the secret key of the tests, of 32 characters" };
  const [here, there]: [Environment, Environment] = [
    { ...common, DATABASE_URL: first },
    { ...common, DATABASE_URL: second },
  ];
  const { key } = await tesseraJson(here, "key", "create", "--name", "kept");
  const boardId = (await tesseraJson(here, "board", "list")).boards[0].id;
  const server = await startServer(here);
  const file = folder.path("backup");
  try {
    const body = { content: "The harbour office opens at nine." };
    await call(server.url, key, "POST", `/api/board/${boardId}/tiles`, body);
    expect(await tesseraJson(here, "backup", file)).toEqual({ backup: { file } });
    const again = await runCommand(here, "backup", file);
    expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("exists already") });
    const refused = await runCommand(here, "restore", file);
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Stop every node") });
  } finally {
    await server.kill("SIGTERM");
  }
  expect((await runCommand(here, "restore", file)).stderr).toContain("The database is not empty");
  await tesseraJson(there, "init");
  expect(await tesseraJson(there, "restore", file)).toMatchObject({
    restore: { file, kept: null, rows: expect.any(Number), replaced: "none", changes: [], sessionsEnded: 0 },
  });
  const restored = await startServer(there);
  try {
    const { tiles } = (await call(restored.url, key, "GET", `/api/board/${boardId}/tiles`)).json;
    expect(tiles).toMatchObject([{ extractedText: "The harbour office opens at nine." }]);
  } finally {
    await restored.kill("SIGTERM");
  }
});
