// Copies what the compiler leaves out: icons, and the descriptions by which n8n files the nodes.
import { cpSync } from "node:fs";

cpSync("icons", "dist/icons", { recursive: true });
cpSync("nodes", "dist/nodes", { recursive: true, filter: (path) => !path.endsWith(".ts") });
