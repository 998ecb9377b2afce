import type { ImportedBoard } from "@tessera-board/sdk";
import { useRef, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { UploadIcon } from "../../ui/icons/icons.ts";
import { Notice } from "../../ui/states/notice.tsx";
import { TextField } from "../../ui/controls/text-field.tsx";
import { useImportBoard } from "../../api/settings.ts";
import { Form, useForm } from "../parts/form.tsx";
import { validateFields } from "../parts/form-errors.ts";
import { formatCount } from "../../text/plural.ts";

/** Creates a board from an exported file and shows what was imported. */
export function ImportForm() {
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const [imported, setImported] = useState<ImportedBoard | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const importBoard = useImportBoard();
  const form = useForm({ file: "The file", name: "The name" }, async () => {
    setImported(null);
    validateFields({ file: file === null && "Choose a file that was exported here or with “tessera export”." });
    if (file !== null) setImported(await importBoard.mutateAsync({ file, name: name.trim() }));
    setFile(null);
    setName("");
    if (input.current !== null) input.current.value = "";
  });
  const { fields } = form.errors;
  return (
    <Form form={form}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="File"
          type="file"
          accept=".jsonl,.ndjson,.json,application/x-ndjson"
          ref={input}
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          error={fields["file"]}
          inputClassName="py-2 text-sm pointer-coarse:py-2.5 file:mr-3 file:border-0 file:bg-transparent file:p-0 file:font-medium file:text-accent"
        />
        <TextField
          label="Name of the new board"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={fields["name"]}
          placeholder="Leave empty to use the name in the file"
          autoComplete="off"
        />
      </div>
      <div>
        <Button variant="primary" type="submit" isBusy={form.isBusy}>
          {!form.isBusy && <UploadIcon />}
          {form.isBusy ? "Importing…" : "Import"}
        </Button>
      </div>
      {imported !== null && (
        <Notice kind="good">
          <a href={`/b/${encodeURIComponent(imported.board.id)}`} className="font-medium underline">
            <bdi>{imported.board.name}</bdi>
          </a>{" "}
          was imported with {formatCount(imported.zones, "zone")} and {formatCount(imported.tiles, "tile")}.
        </Notice>
      )}
    </Form>
  );
}
