import { authorizeBoard, authorizeBusiness } from "#service/access.ts";
import { listBoards } from "#service/content/boards.ts";
import { listZones } from "#service/content/zones.ts";
import { STRING, type Tool, defineTool, objectArray } from "../tool.ts";

export const BOARD_ID = { type: "string", description: "The board's id, from list_boards.", required: true } as const;

export const BOARD_TOOLS: readonly Tool[] = [
  defineTool({
    name: "list_boards",
    title: "List boards",
    description: "Lists the boards that this key has access to, the default one first. Start here: the other tools take a board's id.",
    requiredAccess: "read",
    fields: {},
    output: { boards: objectArray({ id: STRING, name: STRING, isDefault: { type: "boolean" }, slug: STRING }) },
    async run({ deps, actor }) {
      await authorizeBusiness(deps, actor, "read");
      const boards = await listBoards(deps, actor);
      return { data: { boards: boards.map(({ id, name, isDefault, slug }) => ({ id, name, isDefault, slug })) } };
    },
  }),
  defineTool({
    name: "list_zones",
    title: "List zones",
    description: "Lists the zones of a board. Only zones that are connected to chat are searched and asked.",
    requiredAccess: "read",
    fields: { board_id: BOARD_ID },
    output: { zones: objectArray({ id: STRING, name: STRING, connectedToChat: { type: "boolean" } }) },
    async run({ deps, actor, args }) {
      const scope = await authorizeBoard(deps, actor, args.board_id, "read");
      const zones = await listZones(deps, scope, null, null);
      return { data: { zones: zones.map(({ id, name, connectedToChat }) => ({ id, name, connectedToChat })) } };
    },
  }),
];
