import type { Command, CommandGroup } from "../command.ts";
import { BOARD_COMMANDS } from "./content/boards.ts";
import { CHANGE_COMMANDS } from "./content/changes.ts";
import { BUSINESS_COMMANDS } from "./content/businesses.ts";
import { TRANSFER_COMMANDS } from "./content/transfer.ts";
import { BACKUP_COMMANDS } from "./database/backup.ts";
import { COMPACT } from "./database/compact.ts";
import { MIGRATE } from "./database/migrate.ts";
import { BACKUPS_COMMANDS } from "./database/backups.ts";
import { REINDEX } from "./database/reindex.ts";
import { createCompletion } from "./server/completion.ts";
import { DOCTOR } from "./server/doctor.ts";
import { INIT } from "./server/init.ts";
import { MCP } from "./server/mcp.ts";
import { SERVE, START } from "./server/start.ts";
import { DELIVERY_COMMANDS } from "./settings/deliveries.ts";
import { INBOUND_ADDRESS_COMMANDS } from "./settings/inbound-addresses.ts";
import { KEY_COMMANDS } from "./settings/keys.ts";
import { MEMBER_COMMANDS } from "./settings/members.ts";
import { SUBSCRIPTION_COMMANDS } from "./settings/subscriptions.ts";
import { WEBHOOK_COMMANDS } from "./settings/webhooks.ts";

/** Every command by topic, in the order of the help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: "Server", commands: [INIT, START, SERVE, DOCTOR, MCP, createCompletion(() => COMMANDS)] },
  { title: "Businesses and boards", commands: [...BUSINESS_COMMANDS, ...BOARD_COMMANDS, ...CHANGE_COMMANDS, ...TRANSFER_COMMANDS] },
  { title: "API keys", commands: KEY_COMMANDS },
  { title: "Inbound addresses", commands: INBOUND_ADDRESS_COMMANDS },
  { title: "Members", commands: MEMBER_COMMANDS },
  { title: "Webhook", commands: [...WEBHOOK_COMMANDS, ...DELIVERY_COMMANDS, ...SUBSCRIPTION_COMMANDS] },
  { title: "Database and backups", commands: [MIGRATE, ...BACKUP_COMMANDS, ...BACKUPS_COMMANDS, COMPACT, REINDEX] },
];

export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);
