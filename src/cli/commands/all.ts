import type { Command } from "../command.ts";
import { BACKUP_COMMANDS } from "./backups.ts";
import { BOARD_COMMANDS } from "./boards.ts";
import { DATA_COMMANDS } from "./data.ts";
import { DOCTOR } from "./doctor.ts";
import { KEY_COMMANDS } from "./keys.ts";
import { MCP } from "./mcp.ts";
import { MEMBER_COMMANDS } from "./members.ts";
import { WEBHOOK_COMMANDS } from "./webhooks.ts";

/** Every command, in the order in which the usage shows them. */
export const COMMANDS: readonly Command[] = [
  ...["start", "serve"].map((name) => ({
    name,
    summary: "Starts the server and its worker.",
    async run() {
      // Load the server only for this command, since it would slow down the start of all others.
      await (await import("#main")).run();
    },
  })),
  MCP,
  DOCTOR,
  ...BOARD_COMMANDS,
  ...KEY_COMMANDS,
  ...MEMBER_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...DATA_COMMANDS,
  ...BACKUP_COMMANDS,
];
