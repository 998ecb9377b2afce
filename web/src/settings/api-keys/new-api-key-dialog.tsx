import type { Board } from "@tessera/sdk";
import { useId, useRef, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";
import { Select, TextField } from "../../ui/controls/text-field.tsx";
import { useCreateApiKey } from "../settings-queries.ts";
import { Form, useForm } from "../parts/form.tsx";
import { validateFields } from "../parts/form-errors.ts";
import { EXPIRIES, type PermissionChoice, INVALID_BUDGET_MESSAGE, parseBudget, computeExpiry } from "./format.ts";
import { PermissionField } from "./permission-field.tsx";

const LABELS = { name: "The name", board_id: "The board", permission: "The permission", expires_at: "The expiry", budget: "The budget" };

export type CreatedApiKey = { readonly key: string; readonly permission: string; readonly boardId: string | null };

/** The form that creates an API key. */
export function NewApiKeyDialog({
  boards,
  onClose,
  onCreated,
}: {
  readonly boards: readonly Board[];
  readonly onClose: () => void;
  readonly onCreated: (createdKey: CreatedApiKey) => void;
}) {
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const [boardId, setBoardId] = useState("");
  const [permission, setPermission] = useState<PermissionChoice["id"]>("write");
  const [expiry, setExpiry] = useState("90");
  const [date, setDate] = useState("");
  const [budget, setBudget] = useState("");
  const createKey = useCreateApiKey();
  const form = useForm(LABELS, async () => {
    const tokens = parseBudget(budget);
    validateFields({
      name: name.trim() === "" && "Enter a name, such as the tool that uses the key.",
      expires_at: expiry === "date" && !(Date.parse(`${date}T23:59:59`) > Date.now()) && "Choose today or a later date.",
      budget: Number.isNaN(tokens) && INVALID_BUDGET_MESSAGE,
    });
    const scope = boardId === "" ? null : boardId;
    const { key } = await createKey.mutateAsync({
      name: name.trim(),
      boardId: scope,
      permission,
      expiresAt: computeExpiry(expiry, date),
      budget: tokens,
    });
    onCreated({ key, permission, boardId: scope });
  });
  const { fields } = form.errors;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      closesOutside={false}
      initialFocus={first}
      title="New API key"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={id} isBusy={form.isBusy}>
            Create key
          </Button>
        </>
      }
    >
      <Form form={form} id={id}>
        <TextField
          ref={first}
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={fields["name"]}
          hint="The tool that uses the key, such as “n8n”."
          maxLength={200}
          autoComplete="off"
        />
        <Select label="Boards" value={boardId} onChange={(event) => setBoardId(event.target.value)} error={fields["board_id"]}>
          <option value="">All boards</option>
          {boards.map((board) => (
            <option key={board.id} value={board.id}>
              Only {board.name}
            </option>
          ))}
        </Select>
        <PermissionField value={permission} onChange={setPermission} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label="Expires"
            value={expiry}
            onChange={(event) => setExpiry(event.target.value)}
            error={expiry === "date" ? null : fields["expires_at"]}
          >
            {EXPIRIES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
          {expiry === "date" && (
            <TextField
              label="Last day"
              type="date"
              value={date}
              onChange={(event) => setDate(event.target.value)}
              error={fields["expires_at"]}
            />
          )}
        </div>
        <TextField
          label="Monthly token budget"
          inputMode="numeric"
          value={budget}
          onChange={(event) => setBudget(event.target.value)}
          error={fields["budget"]}
          hint="Input and output tokens of language models together. Leave empty for no limit."
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}
