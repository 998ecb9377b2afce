// Runs the Zapier app on Zapier's own core, in a process of its own, since the core replaces functions of node:http. Argument: its folder.
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , folder = ""] = process.argv;
const load = createRequire(join(folder, "package.json"));
const zapier = load("zapier-platform-core");
const app = load("./index.js");

const execute = zapier.createAppTester(app);
const handle = zapier.createAppHandler(app);

const run = async (path: string, bundle: object): Promise<unknown> => {
  if (path === "validate") return (await handle({ command: "validate" })).results;
  return execute(
    path.split(".").reduce((part, name) => part[name], app),
    bundle,
  );
};

process.on("message", ({ id, path, bundle }: { id: number; path: string; bundle: object }) => {
  run(path, bundle).then(
    (result) => process.send?.({ id, result }),
    (error: Error) => process.send?.({ id, error: error.message }),
  );
});
