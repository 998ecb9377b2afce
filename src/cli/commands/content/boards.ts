import { authorizeBusiness } from "#service/access.ts";
import { createBoard, listBoards } from "#service/content/boards.ts";
import { type Command, print } from "../../command.ts";
import { withData } from "../../with-data.ts";
import { requireName } from "./names.ts";

export const BOARD_COMMANDS: readonly Command[] = [
  {
    name: "board list",
    summary: "Lists the boards of the business.",
    examples: ["board list", "board list --business biz_… --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, actor }) => {
        const boards = (await listBoards(deps, actor)).map(({ id, name, slug, isDefault }) => ({ id, name, slug, isDefault }));
        print(
          invocation,
          { boards },
          boards.map(({ id, name, isDefault }) => `${id}  ${name}${isDefault ? "  (default)" : ""}`),
        );
      }),
  },
  {
    name: "board create",
    parameters: [{ name: "NAME", meaning: "The name of the board." }],
    summary: "Creates a board, and prints its id.",
    examples: ['board create "Press"', 'board create "Press" --json'],
    installation: "created",
    async run(invocation) {
      const wanted = requireName(invocation.parameters[0]);
      await withData(invocation, async ({ deps, actor }) => {
        const scope = await authorizeBusiness(deps, actor, "manage");
        const outcome = await createBoard(deps, scope, { name: wanted });
        if (outcome.replayed) return;
        const { id, name, slug, isDefault } = outcome.value;
        print(invocation, { board: { id, name, slug, isDefault } }, `${id}  ${name}`);
      });
    },
  },
];
