import { PasswordField, Select, TextField } from "../../ui/controls/text-field.tsx";

const SENDERS = {
  none: { name: "Not signed" },
  github: { name: "GitHub", header: "X-Hub-Signature-256", prefix: "sha256=", encoding: "hex" },
  typeform: { name: "Typeform", header: "Typeform-Signature", prefix: "sha256=", encoding: "base64" },
  other: { name: "Another sender" },
} as const;
type SenderId = keyof typeof SENDERS;

export type SignatureValues = {
  readonly sender: SenderId;
  readonly secret: string;
  readonly header: string;
  readonly prefix: string;
  readonly encoding: "hex" | "base64";
};

export const NO_SIGNATURE: SignatureValues = { sender: "none", secret: "", header: "", prefix: "", encoding: "hex" };

/** The error messages by field; false for a field without one. */
export const validateSignature = ({ sender, secret, header }: SignatureValues): Readonly<Record<string, string | false>> => ({
  secret: sender !== "none" && secret.trim() === "" && "Enter the secret that you also give to the sender.",
  header: sender === "other" && header.trim() === "" && "Enter the name of the header with the signature.",
});

/** What to send; null if requests are not signed. */
export function toSignature({ sender, secret, ...own }: SignatureValues) {
  if (sender === "none") return null;
  const { header, prefix, encoding } = sender === "other" ? own : SENDERS[sender];
  return { secret, header: header.trim(), encoding, ...(prefix === "" ? {} : { prefix }) };
}

type SignatureFieldsProps = {
  readonly values: SignatureValues;
  readonly onChange: (values: SignatureValues) => void;
  readonly errors: Readonly<Record<string, string>>;
};

/** How the sender signs its requests. */
export function SignatureFields({ values, onChange, errors }: SignatureFieldsProps) {
  const set = (next: Partial<SignatureValues>): void => onChange({ ...values, ...next });
  return (
    <>
      <Select
        label="Signature"
        value={values.sender}
        onChange={(event) => set({ sender: event.target.value as SenderId })}
        hint="Requests without the right signature are then refused."
      >
        {Object.entries(SENDERS).map(([id, { name }]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {values.sender !== "none" && (
        <PasswordField
          label="Signing secret"
          value={values.secret}
          onChange={(event) => set({ secret: event.target.value })}
          error={errors["secret"]}
          autoComplete="off"
        />
      )}
      {values.sender === "other" && <HeaderFields values={values} set={set} error={errors["header"]} />}
    </>
  );
}

type HeaderFieldsProps = {
  readonly values: SignatureValues;
  readonly set: (next: Partial<SignatureValues>) => void;
  readonly error: string | undefined;
};

function HeaderFields({ values: { header, prefix, encoding }, set, error }: HeaderFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <TextField label="Header" value={header} onChange={(event) => set({ header: event.target.value })} error={error} autoComplete="off" />
      <TextField label="Prefix" value={prefix} onChange={(event) => set({ prefix: event.target.value })} autoComplete="off" />
      <Select label="Encoding" value={encoding} onChange={(event) => set({ encoding: event.target.value === "base64" ? "base64" : "hex" })}>
        <option value="hex">hex</option>
        <option value="base64">base64</option>
      </Select>
    </div>
  );
}
