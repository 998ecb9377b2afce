import type { Board } from "@tessera-board/sdk";
import { useRef, useState } from "react";
import { Select, TextField } from "../../ui/controls/text-field.tsx";
import { useMember } from "../../api/session.ts";
import { useCreateApiKey } from "../../api/settings.ts";
import { CheckboxField } from "../../ui/controls/checkbox-field.tsx";
import { useForm } from "../parts/form.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { validateFields } from "../parts/form-errors.ts";
import { EXPIRIES, type PermissionChoice, INVALID_BUDGET_MESSAGE, parseBudget, computeExpiry } from "./format.ts";
import { PermissionField } from "./permission-field.tsx";

const LABELS = { name: "The name", board_id: "The board", permission: "The permission", expires_at: "The expiry", budget: "The budget" };

export type CreatedApiKey = { readonly key: string; readonly permission: string; readonly boardId: string | null };

type NewApiKeyDialogProps = {
  readonly boards: readonly Board[];
  readonly onClose: () => void;
  readonly onCreated: (createdKey: CreatedApiKey) => void;
};

/** The form that creates an API key. */
export function NewApiKeyDialog({ boards, onClose, onCreated }: NewApiKeyDialogProps) {
  const first = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState(INITIAL_VALUES);
  const set = (next: Partial<Values>): void => setValues((before) => ({ ...before, ...next }));
  const createKey = useCreateApiKey();
  const form = useForm(LABELS, async () => {
    const newKey = validate(values);
    const { key } = await createKey.mutateAsync(newKey);
    onCreated({ key, permission: newKey.permission, boardId: newKey.boardId });
  });
  const { fields } = form.errors;
  return (
    <FormDialog form={form} onClose={onClose} first={first} title="New API key" action="Create key">
      <TextField
        ref={first}
        label="Name"
        value={values.name}
        onChange={(event) => set({ name: event.target.value })}
        error={fields["name"]}
        hint="The tool that uses the key, such as “n8n”."
        maxLength={200}
        autoComplete="off"
      />
      <BoardSelect boards={boards} value={values.boardId} onChange={(boardId) => set({ boardId })} error={fields["board_id"]} />
      <PermissionField value={values.permission} onChange={(permission) => set({ permission })} />
      <ExpiryFields values={values} set={set} error={fields["expires_at"]} />
      <TextField
        label="Monthly token budget"
        inputMode="numeric"
        value={values.budget}
        onChange={(event) => set({ budget: event.target.value })}
        error={fields["budget"]}
        hint="Input and output tokens of language models together. Leave empty for no limit."
        autoComplete="off"
      />
      <WebhooksField isChecked={values.webhooks} onChange={(webhooks) => set({ webhooks })} />
    </FormDialog>
  );
}

type Values = {
  readonly name: string;
  /** Empty for all boards. */
  readonly boardId: string;
  readonly permission: PermissionChoice["id"];
  readonly expiry: string;
  /** The last day, if `expiry` is "date". */
  readonly date: string;
  readonly budget: string;
  readonly webhooks: boolean;
};

const INITIAL_VALUES: Values = { name: "", boardId: "", permission: "write", expiry: "90", date: "", budget: "", webhooks: false };

/** The key to create. Throws the errors of fields. */
function validate({ name, boardId, permission, expiry, date, budget, webhooks }: Values) {
  const tokens = parseBudget(budget);
  validateFields({
    name: name.trim() === "" && "Enter a name, such as the tool that uses the key.",
    expires_at: expiry === "date" && !(Date.parse(`${date}T23:59:59`) > Date.now()) && "Choose today or a later date.",
    budget: Number.isNaN(tokens) && INVALID_BUDGET_MESSAGE,
  });
  const expiresAt = computeExpiry(expiry, date);
  return {
    name: name.trim(),
    boardId: boardId === "" ? null : boardId,
    permission,
    expiresAt,
    budget: tokens,
    ...(webhooks ? { webhooks } : {}),
  };
}

/** Only owners can let a key register webhooks. */
function WebhooksField(props: { readonly isChecked: boolean; readonly onChange: (isChecked: boolean) => void }) {
  const { isOwner } = useMember();
  if (!isOwner) return null;
  const hint = "For automation platforms whose triggers subscribe to events by themselves.";
  return <CheckboxField label="Register webhooks" hint={hint} {...props} />;
}

type BoardSelectProps = {
  readonly boards: readonly Board[];
  readonly value: string;
  readonly onChange: (boardId: string) => void;
  readonly error: string | undefined;
};

function BoardSelect({ boards, value, onChange, error }: BoardSelectProps) {
  return (
    <Select label="Boards" value={value} onChange={(event) => onChange(event.target.value)} error={error}>
      <option value="">All boards</option>
      {boards.map((board) => (
        <option key={board.id} value={board.id}>
          Only {board.name}
        </option>
      ))}
    </Select>
  );
}

type ExpiryFieldsProps = { readonly values: Values; readonly set: (next: Partial<Values>) => void; readonly error: string | undefined };

function ExpiryFields({ values: { expiry, date }, set, error }: ExpiryFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Expires"
        value={expiry}
        onChange={(event) => set({ expiry: event.target.value })}
        error={expiry === "date" ? null : error}
      >
        {EXPIRIES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      {expiry === "date" && (
        <TextField label="Last day" type="date" value={date} onChange={(event) => set({ date: event.target.value })} error={error} />
      )}
    </div>
  );
}
