import { useState } from "react";
import { useBoards } from "../../api/boards.ts";
import { Panel } from "../../ui/floating/panel.tsx";
import { Select } from "../../ui/controls/text-field.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { sectionPath } from "../sections.ts";
import { buildRecipes } from "./recipes.ts";
import type { Recipe, RecipeStep } from "./recipe.ts";

/** How other tools create tiles and verify events, with this server's address filled in. */
export function RecipesSection() {
  const boards = useBoards();
  return (
    <SectionLayout
      title="Recipes"
      lead="Code for other tools: create tiles, and verify that an event came from this server. The address of the server and the board are filled in."
    >
      <QueryView query={boards} label="boards">
        {(list) => <Recipes boards={list} />}
      </QueryView>
    </SectionLayout>
  );
}

function Recipes({ boards }: { readonly boards: readonly { readonly id: string; readonly name: string }[] }) {
  const [toolId, setToolId] = useState("n8n");
  const [chosen, setChosen] = useState<string | null>(null);
  const boardId = chosen ?? boards[0]?.id ?? "BOARD_ID";
  const recipes = buildRecipes({ base: location.origin, boardId });
  const recipe = recipes.find(({ id }) => id === toolId) ?? recipes[0];
  return (
    <>
      <div className="flex flex-col gap-4">
        <ToolField recipes={recipes} value={recipe?.id} onChange={setToolId} />
        <Select label="Board" className="max-w-md" value={boardId} onChange={(event) => setChosen(event.target.value)}>
          {boards.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      {recipe !== undefined && <RecipePanels recipe={recipe} />}
    </>
  );
}

type ToolFieldProps = {
  readonly recipes: readonly Recipe[];
  readonly value: string | undefined;
  readonly onChange: (toolId: string) => void;
};

function ToolField({ recipes, value, onChange }: ToolFieldProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Tool</legend>
      <div className="flex flex-wrap gap-2">
        {recipes.map(({ id, name }) => (
          <label
            key={id}
            className="inline-flex min-h-9 items-center rounded-md border border-edge bg-raised px-3.5 has-checked:border-accent has-checked:bg-accent-soft has-checked:font-semibold has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent pointer-coarse:min-h-11"
          >
            <input type="radio" name="tool" checked={id === value} onChange={() => onChange(id)} className="sr-only" />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function RecipePanels({ recipe }: { readonly recipe: Recipe }) {
  return (
    <>
      <Panel
        title={`Create a tile from ${recipe.name}`}
        description={
          <>
            Needs an{" "}
            <a href={sectionPath("keys")} className="underline">
              API key
            </a>{" "}
            with the permission Inbound or Write. Send either “url” or “content”.
          </>
        }
      >
        <Steps steps={recipe.send} />
      </Panel>
      <Panel
        title={`Verify an event in ${recipe.name}`}
        description={
          <>
            X-Service-Signature is the HMAC-SHA256, in hexadecimal, of the raw body, keyed with the{" "}
            <a href={sectionPath("webhook")} className="underline">
              webhook
            </a>
            ’s secret exactly as shown.
          </>
        }
      >
        <Steps steps={recipe.verify} />
      </Panel>
    </>
  );
}

function Steps({ steps }: { readonly steps: readonly RecipeStep[] }) {
  return (
    <ol className="flex flex-col gap-4">
      {steps.map(({ text, code }, index) => (
        <li key={text} className="flex gap-3">
          <span
            aria-hidden="true"
            className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-medium"
          >
            {index + 1}
          </span>
          <div className="flex min-w-0 flex-1 flex-col gap-2">
            <p className="pt-0.5">{text}</p>
            {code !== undefined && (
              <CodeBlock label={code.includes("\n") || code.length > 120 ? "Code" : "Value"} text={code} wraps={!code.includes("\n")} />
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
