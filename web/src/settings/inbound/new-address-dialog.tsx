import type { Board } from "@tessera-board/sdk";
import { useRef, useState } from "react";
import { useCreateInboundAddress } from "../../api/settings.ts";
import { useZones } from "../../api/zones.ts";
import { Select, TextField } from "../../ui/controls/text-field.tsx";
import { useForm } from "../parts/form.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { validateFields } from "../parts/form-errors.ts";
import { NO_SIGNATURE, SignatureFields, type SignatureValues, toSignature, validateSignature } from "./signature-fields.tsx";

const LABELS = { name: "The name", board_id: "The board", zone_id: "The zone", tags: "Each tag" };

type NewAddressDialogProps = {
  readonly boards: readonly Board[];
  readonly onClose: () => void;
  readonly onCreated: (url: string) => void;
};

/** The form that creates an inbound address. */
export function NewAddressDialog({ boards, onClose, onCreated }: NewAddressDialogProps) {
  const first = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState<Values>({
    name: "",
    boardId: getDefaultBoard(boards),
    zoneId: "",
    tags: "",
    signature: NO_SIGNATURE,
  });
  const set = (next: Partial<Values>): void => setValues((before) => ({ ...before, ...next }));
  const createAddress = useCreateInboundAddress();
  const form = useForm(LABELS, async () => onCreated((await createAddress.mutateAsync(validate(values))).url));
  const { fields } = form.errors;
  return (
    <FormDialog form={form} onClose={onClose} first={first} title="New inbound address" action="Create address">
      <TextField
        ref={first}
        label="Name"
        value={values.name}
        onChange={(event) => set({ name: event.target.value })}
        error={fields["name"]}
        hint="The sender, such as “GitHub issues”."
        maxLength={200}
        autoComplete="off"
      />
      <BoardFields boards={boards} values={values} set={set} errors={fields} />
      <TextField
        label="Tags"
        value={values.tags}
        onChange={(event) => set({ tags: event.target.value })}
        error={fields["tags"]}
        hint="Tags of the tiles that it creates, separated by commas."
        autoComplete="off"
      />
      <SignatureFields values={values.signature} onChange={(signature) => set({ signature })} errors={fields} />
    </FormDialog>
  );
}

type Values = {
  readonly name: string;
  readonly boardId: string;
  /** Empty for none. */
  readonly zoneId: string;
  readonly tags: string;
  readonly signature: SignatureValues;
};

const getDefaultBoard = (boards: readonly Board[]): string => (boards.find(({ isDefault }) => isDefault) ?? boards[0])?.id ?? "";

/** The address to create. Throws the errors of fields. */
function validate({ name, boardId, zoneId, tags, signature }: Values) {
  validateFields({
    name: name.trim() === "" && "Enter a name, such as the sender.",
    ...validateSignature(signature),
  });
  const signed = toSignature(signature);
  const list = tags.split(",").filter((tag) => tag.trim() !== "");
  return {
    name: name.trim(),
    boardId,
    ...(zoneId === "" ? {} : { zoneId }),
    ...(list.length === 0 ? {} : { tags: list }),
    ...(signed === null ? {} : { signature: signed }),
  };
}

type BoardFieldsProps = {
  readonly boards: readonly Board[];
  readonly values: Values;
  readonly set: (next: Partial<Values>) => void;
  readonly errors: Readonly<Record<string, string>>;
};

function BoardFields({ boards, values: { boardId, zoneId }, set, errors }: BoardFieldsProps) {
  const zones = useZones(boardId).data ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Board"
        value={boardId}
        onChange={(event) => set({ boardId: event.target.value, zoneId: "" })}
        error={errors["board_id"]}
      >
        {boards.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select label="Zone" value={zoneId} onChange={(event) => set({ zoneId: event.target.value })} error={errors["zone_id"]}>
        <option value="">Outside zones</option>
        {zones.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}
