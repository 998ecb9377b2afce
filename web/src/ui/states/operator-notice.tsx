import type { Login } from "@tessera-board/sdk";

/** What owners are told about the server, with what the operator has to do. */
const TEXTS: Readonly<Record<NonNullable<Login["operatorNotice"]>, string>> = {
  secret_key_lost:
    "The secret key of this server is missing, so events of your webhook wait. Ask the operator to put secret.key back and to restart the server.",
  secret_key_changed:
    "This server was started with another secret key, so events of your webhook wait. Ask the operator to start it with the key from before. If that key is gone for good, rotate the secret of the webhook.",
};

/** Tells owners what only the operator of the server can solve. */
export function OperatorNotice({ notice }: { readonly notice: Login["operatorNotice"] }) {
  const text = notice === undefined ? undefined : TEXTS[notice];
  if (text === undefined) return null;
  return (
    <p role="status" className="shrink-0 border-b border-warn/40 bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">
      {text}
    </p>
  );
}
