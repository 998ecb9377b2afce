import { useState } from "react";
import { Link } from "wouter";
import { useBoards } from "../../api/boards.ts";
import { buttonClasses } from "../../ui/controls/button.tsx";
import { ArrowRightIcon, DownloadIcon } from "../../ui/icons/icons.ts";
import { Panel } from "../../ui/floating/panel.tsx";
import { Select } from "../../ui/controls/text-field.tsx";
import { getExportPath } from "../../api/settings.ts";
import { SectionLayout } from "../parts/section-layout.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { sectionPath } from "../sections.ts";
import { ImportForm } from "./import-form.tsx";

/** Exports and imports boards, and links to backups. */
export function DataSection() {
  const boards = useBoards();
  return (
    <SectionLayout title="Data" lead="Export and import boards as files, and back up the install.">
      <Panel
        title="Export a board"
        description="Download a JSON Lines file with all zones and tiles. It contains the text of uploaded files, but not the files themselves."
      >
        <QueryView query={boards} label="boards">
          {(list) => <Export boards={list} />}
        </QueryView>
      </Panel>
      <Panel title="Import a board" description="Creates a board from an exported file. Links without text are fetched again.">
        <ImportForm />
      </Panel>
      <Panel title="Back up the install" description="Copies of the whole install, on a schedule or on request.">
        <Link href={sectionPath("backups")} className={buttonClasses()}>
          Backups
          <ArrowRightIcon />
        </Link>
      </Panel>
    </SectionLayout>
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
      <a href={getExportPath(boardId)} download className={buttonClasses("primary")}>
        <DownloadIcon />
        Download
      </a>
    </div>
  );
}
