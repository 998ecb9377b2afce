import type { Board } from "@tessera-board/sdk";
import { useRef, useState } from "react";
import { useCreateBoard, useUpdateBoard } from "../../api/boards.ts";
import { TextField } from "../../ui/controls/text-field.tsx";
import { showToast } from "../../ui/toasts.ts";
import { useForm } from "../parts/form.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { validateFields } from "../parts/form-errors.ts";

/** Creates a board, or renames the given one. */
export function BoardDialog({ board, onClose }: { readonly board: Board | null; readonly onClose: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(board?.name ?? "");
  const create = useCreateBoard();
  const update = useUpdateBoard();
  const form = useForm({ name: "The name" }, async () => {
    validateFields({ name: name.trim() === "" && "Enter a name for the board." });
    if (board === null) await create.mutateAsync({ name: name.trim() });
    else if (name.trim() !== board.name) await update.mutateAsync({ boardId: board.id, name: name.trim() });
    showToast({ text: board === null ? `“${name.trim()}” created.` : "Renamed.", kind: "good" });
    onClose();
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      first={first}
      title={board === null ? "New board" : "Rename board"}
      action={board === null ? "Create board" : "Rename"}
    >
      <TextField
        ref={first}
        label="Name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={form.errors.fields["name"]}
        autoComplete="off"
      />
    </FormDialog>
  );
}
