import { type FormEvent, useRef, useState } from "react";
import { useCreateBoard } from "../api/boards.ts";
import { newIdempotencyKey, getErrorMessage } from "../api/client/client.ts";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/floating/dialog.tsx";
import { TextField } from "../ui/controls/text-field.tsx";

export type NewBoardDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (boardId: string) => void;
};

export function NewBoardDialog({ isOpen, onClose, onCreated }: NewBoardDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="New board"
      description="A board contains zones and tiles, and answers questions about them."
    >
      <NewBoardForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function NewBoardForm({ onClose, onCreated }: Omit<NewBoardDialogProps, "isOpen">) {
  const create = useCreateBoard();
  const [name, setName] = useState("");
  const [error, setError] = useState<string>();
  const idempotencyKey = useRef(newIdempotencyKey());
  const input = useRef<HTMLInputElement>(null);
  const showError = (message: string): void => {
    setError(message);
    input.current?.focus();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === "") return showError("Enter a name for the board.");
    create.mutate(
      { name: name.trim(), idempotencyKey: idempotencyKey.current },
      {
        onSuccess: ({ id }) => {
          onClose();
          onCreated(id);
        },
        onError: (failure) => {
          // The user may change the name before retrying, which is another creation.
          idempotencyKey.current = newIdempotencyKey();
          showError(getErrorMessage(failure));
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <TextField
        label="Name"
        ref={input}
        autoFocus
        autoComplete="off"
        maxLength={200}
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.target.value);
          setError(undefined);
        }}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" isBusy={create.isPending}>
          Create board
        </Button>
      </div>
    </form>
  );
}
