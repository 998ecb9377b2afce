import { Type } from "typebox";
import type { Board } from "#domain/core/board.ts";
import { isoTime } from "#domain/core/system.ts";
import { type InputLimits, type Output, entity, nameInput, nextCursor, object, time, timeOrNull } from "./schema.ts";
import { EXAMPLE } from "./example.ts";

const fields = {
  id: Type.String(),
  name: Type.String(),
  isDefault: Type.Boolean(),
  slug: Type.String(),
};

const BOARD_EXAMPLE = { id: EXAMPLE.boardId, name: "Harbour guide", isDefault: true, slug: "harbour-guide" };

const BOARD = entity("Board", fields, { examples: [BOARD_EXAMPLE, { ...BOARD_EXAMPLE, isDefault: false }] });
const BOARD_DETAILS = entity(
  "BoardDetails",
  { ...fields, createdAt: time, updatedAt: time },
  {
    examples: [BOARD_EXAMPLE, { ...BOARD_EXAMPLE, isDefault: false }].map((one) => ({
      ...one,
      createdAt: EXAMPLE.created,
      updatedAt: EXAMPLE.created,
    })),
  },
);
const SETTINGS_BOARD = entity("SettingsBoard", { ...fields, deletedAt: timeOrNull }, { examples: [{ ...BOARD_EXAMPLE, deletedAt: null }] });

export const BOARD_RESPONSES = {
  board: object({ board: BOARD_DETAILS }),
  boards: object({ boards: Type.Array(BOARD), nextCursor }),
  withDeleted: object({ boards: Type.Array(SETTINGS_BOARD) }),
  imported: entity("ImportedBoard", { board: BOARD, zones: Type.Integer(), tiles: Type.Integer() }),
  exported: Type.Unsafe<string>({
    description: "JSON lines: a header, the zones, the tiles.",
    content: { "application/x-ndjson": { schema: { type: "string" } } },
  }),
};

export const presentBoard = (board: Board): Output<typeof BOARD> => ({
  id: board.id,
  name: board.name,
  isDefault: board.isDefault,
  slug: board.slug,
});

/** Returns a board that is not part of a listing. */
export const presentBoardDetails = (board: Board): Output<typeof BOARD_DETAILS> => ({
  ...presentBoard(board),
  createdAt: isoTime(board.createdAt),
  updatedAt: isoTime(board.updatedAt),
});

export const createBoardInputs = ({ name }: InputLimits) => ({
  create: Type.Object({ name: nameInput(name, "missing", "The name of the board.") }, { examples: [{ name: "Harbour guide" }] }),
  update: Type.Object(
    {
      name: Type.Optional(nameInput(name, "refused", "The name of the board.")),
      is_default: Type.Optional(Type.Boolean({ description: "true makes this the default board." })),
    },
    { examples: [{ name: "Harbour guide 2027" }] },
  ),
  importQuery: Type.Object({
    name: Type.Optional(Type.String({ maxLength: name, description: "The name of the new board. Default: the name in the file." })),
  }),
});
