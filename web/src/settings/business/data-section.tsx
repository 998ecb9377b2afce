import { useState } from "react";
import { useBoards } from "../../api/boards.ts";
import { buttonClasses } from "../../ui/button.tsx";
import { DownloadIcon } from "../../ui/icons.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Select } from "../../ui/text-field.tsx";
import { exportPath } from "../data.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { Frame } from "../parts/frame.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { ImportForm } from "./import-form.tsx";

/** Boards as files, out and in, and how everything is backed up. */
export function DataSection() {
  const boards = useBoards();
  return (
    <Frame title="Data" lead="Your content is yours: take a board with you as a file, bring one in, and back everything up.">
      <Panel
        title="Export a board"
        description="A file of JSON lines with all its zones and tiles. Uploaded files are not part of it, only what was read of them."
      >
        <Loaded query={boards} label="boards">
          {(list) => <Export boards={list} />}
        </Loaded>
      </Panel>
      <Panel title="Import a board" description="Makes a new board from an exported file. Links that were not ready are read anew.">
        <ImportForm />
      </Panel>
      <Panel
        title="Back everything up"
        description="The operator does this where the service runs. The copy is consistent while it goes on working. Keep secret.key of the data folder (or your SECRET_KEY) beside it."
      >
        <div className="flex flex-col gap-3">
          <CodeBlock label="Now" text="npm run -s tessera -- backup /backups/tessera.backup" wraps />
          <CodeBlock
            label="Every night at 3, by cron"
            text={'0 3 * * * cd /srv/tessera && npm run -s tessera -- backup "/backups/tessera-$(date +\\%F).backup"'}
            wraps
          />
        </div>
      </Panel>
    </Frame>
  );
}

function Export({ boards }: { readonly boards: readonly { readonly id: string; readonly name: string }[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const boardId = chosen ?? boards[0]?.id ?? "";
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select label="Board" className="min-w-48 flex-1" value={boardId} onChange={(event) => setChosen(event.target.value)}>
        {boards.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <a href={exportPath(boardId)} download className={buttonClasses("primary")}>
        <DownloadIcon />
        Download
      </a>
    </div>
  );
}
