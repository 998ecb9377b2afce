import { type ReactNode, useEffect, useRef, useState } from "react";
import { useIsConnected } from "../../api/client/connection.ts";
import { Notice } from "../../ui/states/notice.tsx";
import { NO_ERRORS, type FormErrors, toFormErrors } from "./form-errors.ts";

export type FormState = {
  readonly isBusy: boolean;
  readonly errors: FormErrors;
  /** Submits the form unless a submission is running; errors are shown at their fields, and the input stays. */
  readonly submit: () => void;
};

/** The state of a form. `labels` maps the server's field names to the labels shown. */
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

/** A form that focuses its first invalid field. */
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
  // A form may be longer than its dialog, so the message at its end is scrolled into view.
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
        {isWaiting && <Notice kind="warn">No connection. Your input is sent as soon as the server is reachable again.</Notice>}
        {form.errors.rest !== null && <Notice kind="problem">{form.errors.rest}</Notice>}
      </div>
    </form>
  );
}
