// Runs Node-RED as its documentation embeds it, on loopback. Arguments: the folder with its package, its user folder, and the port; 0 for a free one.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const [, , integration = "", userDir = "", port = "0"] = process.argv;
const load = createRequire(join(integration, "package.json"));
const express = load("express");
const red = load("node-red");

const app = express();
const server = createServer(app);
red.init(server, {
  userDir,
  httpAdminRoot: "/admin",
  httpNodeRoot: "/red",
  flowFile: "flows.json",
  credentialSecret: "a secret of the tests",
  telemetry: { enabled: false },
  editorTheme: { tours: false },
  logging: { console: { level: "info", metrics: false, audit: false } },
});
app.use("/admin", red.httpAdmin);
app.use("/red", red.httpNode);
server.listen(Number(port), "127.0.0.1", async () => {
  await red.start();
  process.stdout.write(`Node-RED is ready on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on("SIGTERM", async () => {
  await red.stop();
  process.exit(0);
});
