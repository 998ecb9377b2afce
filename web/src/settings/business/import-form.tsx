import type { ImportedBoard } from "@tessera/sdk";
import { useRef, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { UploadIcon } from "../../ui/marks/icons.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { TextField } from "../../ui/controls/text-field.tsx";
import { useImportBoard } from "../data.ts";
import { Form, useForm } from "../parts/form.tsx";
import { requireFields } from "../parts/problems.ts";
import { counted } from "../../text/counted.ts";

/** Makes a new board from an exported file, and tells what came. */
export function ImportForm() {
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const [made, setMade] = useState<ImportedBoard | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const bring = useImportBoard();
  const form = useForm({ file: "The file", name: "The name" }, async () => {
    setMade(null);
    requireFields({ file: file === null && "Choose a file that was exported here or by tessera export." });
    if (file !== null) setMade(await bring.mutateAsync({ file, name: name.trim() }));
    setFile(null);
    setName("");
    if (input.current !== null) input.current.value = "";
  });
  const { fields } = form.problems;
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
          placeholder="As it was called"
          autoComplete="off"
        />
      </div>
      <div>
        <Button variant="primary" type="submit" isBusy={form.isBusy}>
          {!form.isBusy && <UploadIcon />}
          {form.isBusy ? "Importing" : "Import"}
        </Button>
      </div>
      {made !== null && (
        <Notice kind="good">
          <a href={`/b/${encodeURIComponent(made.board.id)}`} className="font-medium underline">
            <bdi>{made.board.name}</bdi>
          </a>{" "}
          is there, with {counted(made.zones, "zone")} and {counted(made.tiles, "tile")}.
        </Notice>
      )}
    </Form>
  );
}
