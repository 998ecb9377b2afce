import { createBusiness } from "#service/content/boards.ts";
import { type Command, print } from "../../command.ts";
import { withData } from "../../with-data.ts";
import { requireName } from "./names.ts";

export const BUSINESS_COMMANDS: readonly Command[] = [
  {
    name: "business list",
    summary: "Lists the businesses.",
    details: "Boards, keys, members and the webhook belong to one business, and are not visible to others.",
    examples: ["business list", "business list --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps }) => {
        const businesses = (await deps.store.boards.businesses()).map(({ id, name }) => ({ id, name }));
        print(
          invocation,
          { businesses },
          businesses.map(({ id, name }) => `${id}  ${name}`),
        );
      }),
  },
  {
    name: "business create",
    parameters: [{ name: "NAME", meaning: "The name of the business." }],
    summary: "Creates a business with its default board.",
    details: "Use the printed id with --business in other commands.",
    examples: ['business create "Second client"', 'business create "Second client" --json'],
    installation: "created",
    async run(invocation) {
      const wanted = requireName(invocation.parameters[0]);
      await withData(invocation, async ({ deps }) => {
        const { id, name } = await createBusiness(deps, wanted);
        print(invocation, { business: { id, name } }, `${id}  ${name}`);
      });
    },
  },
];
