import { Type } from "typebox";
import { object } from "#http/wire/schema.ts";
import { authorizeBoard, authorizeBusiness } from "#service/access.ts";
import { listBoards } from "#service/content/boards.ts";
import { listZones } from "#service/content/zones.ts";
import { BOARD_ID } from "../schema.ts";
import { type Tool, defineTool } from "../tool.ts";

const board = object({ id: Type.String(), name: Type.String(), isDefault: Type.Boolean(), slug: Type.String() });
const zone = object({ id: Type.String(), name: Type.String(), connectedToChat: Type.Boolean() });

export const BOARD_TOOLS: readonly Tool[] = [
  defineTool({
    name: "list_boards",
    title: "List boards",
    description: "Lists the boards that this key has access to, the default one first. Start here: the other tools take a board's id.",
    requiredAccess: "read",
    input: Type.Object({}),
    output: object({ boards: Type.Array(board) }),
    async run({ deps, actor, signal }) {
      await authorizeBusiness(deps, actor, "read");
      const boards = await listBoards(deps, actor, signal);
      return { data: { boards: boards.map(({ id, name, isDefault, slug }) => ({ id, name, isDefault, slug })) } };
    },
  }),
  defineTool({
    name: "list_zones",
    title: "List zones",
    description: "Lists the zones of a board. Only zones that are connected to chat are searched and asked.",
    requiredAccess: "read",
    input: Type.Object({ board_id: BOARD_ID }),
    output: object({ zones: Type.Array(zone) }),
    async run({ deps, actor, args }) {
      const scope = await authorizeBoard(deps, actor, args.board_id, "read");
      const zones = await listZones(deps, scope, null, null);
      return { data: { zones: zones.map(({ id, name, connectedToChat }) => ({ id, name, connectedToChat })) } };
    },
  }),
];
