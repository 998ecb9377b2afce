import { type ReactNode, useEffect, useRef, useState } from "react";
import { useIsConnected } from "../../api/client/connection.ts";
import { Notice } from "../../ui/states/notice.tsx";
import { NO_ERRORS, type FormErrors, toFormErrors } from "./form-errors.ts";

export type FormState = {
  readonly isBusy: boolean;
  readonly errors: FormErrors;
  /** Runs the form's work once at a time; a failure is shown at its field, and what was typed stays. */
  readonly submit: () => void;
};

/** The state of one form. `labels`: its fields as the service calls them, with the words that stand at them. */
export function useForm(labels: Readonly<Record<string, string>>, work: () => Promise<unknown>): FormState {
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState(NO_ERRORS);
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setErrors(NO_ERRORS);
    try {
      await work();
    } catch (error) {
      setErrors(toFormErrors(error, labels));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, errors, submit: () => void submit() };
}

/** A form whose first wrong field takes the focus. */
export function Form({
  form,
  children,
  id,
  className = "flex flex-col gap-4",
}: {
  readonly form: FormState;
  readonly children: ReactNode;
  readonly id?: string;
  readonly className?: string;
}) {
  const isConnected = useIsConnected();
  const isWaiting = form.isBusy && !isConnected;
  const element = useRef<HTMLFormElement>(null);
  const notices = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (form.errors !== NO_ERRORS) element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form.errors]);
  // A form in a dialog may be longer than the dialog, and a note at its end would stand unseen.
  useEffect(() => {
    notices.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }, [isWaiting, form.errors]);
  return (
    <form
      ref={element}
      id={id}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {children}
      <div ref={notices} className="contents">
        {isWaiting && <Notice kind="warn">There is no connection. What you typed is sent as soon as it is back.</Notice>}
        {form.errors.rest !== null && <Notice kind="problem">{form.errors.rest}</Notice>}
      </div>
    </form>
  );
}
